//! The rules of one assignment.

use super::{Moment, Zone, written};
use jiff::civil::{Date, Weekday};
use serde::Deserialize;

/// The rules of one assignment. Dates are such as `2026-11-24 23:59`, in the course's time zone.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Assignment {
    /// When students see it and can hand in. Without it, always.
    #[serde(deserialize_with = "written::time")]
    pub opens: Option<String>,
    /// Until when submissions are in time.
    #[serde(deserialize_with = "written::time")]
    pub due: Option<String>,
    /// Until when late submissions are taken. Without it, none are taken after `due` and its late days.
    #[serde(deserialize_with = "written::time")]
    pub closes: Option<String>,
    /// How many submissions count on each day.
    #[serde(deserialize_with = "written::limit")]
    pub limit: Limit,
    /// How many more a day, for those whose tests expose enough bugs.
    #[serde(deserialize_with = "written::up_to::<_, 100>")]
    pub bonus: i64,
    pub beyond: Beyond,
    pub counts: Counts,
    pub late: Late,
    /// From when on students see scores. Without it, at once.
    #[serde(deserialize_with = "written::time")]
    pub scores: Option<String>,
}

impl Default for Assignment {
    fn default() -> Self {
        Self {
            opens: None,
            due: None,
            closes: None,
            limit: Limit::Usual(3),
            bonus: 1,
            beyond: Beyond::default(),
            counts: Counts::default(),
            late: Late::default(),
            scores: None,
        }
    }
}

/// What happens to a submission past the limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Beyond {
    /// It is not taken.
    #[default]
    Refuse,
    /// It is graded with less feedback, and does not count.
    Grade,
}

/// Which submission of a student counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Counts {
    #[default]
    Best,
    Last,
}

impl Counts {
    pub fn word(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Last => "last",
        }
    }

    /// The one that this word names.
    pub fn of(word: &str) -> Option<Self> {
        [Self::Best, Self::Last].into_iter().find(|it| it.word() == word)
    }
}

/// The late days of a student, and what each costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Late {
    /// How many days after `due` a submission may be.
    #[serde(deserialize_with = "written::up_to::<_, 365>")]
    pub days: i64,
    /// The percentage of the points that each late day costs.
    #[serde(deserialize_with = "written::percent")]
    pub percent: f64,
}

/// How many submissions count on a day.
#[derive(Clone, Debug)]
pub enum Limit {
    Usual(i64),
    WithExceptions(Exceptions),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exceptions {
    #[serde(deserialize_with = "written::up_to::<_, 100>")]
    pub usual: i64,
    /// The first one that fits a day holds.
    #[serde(default)]
    pub except: Vec<Exception>,
}

/// Other days: a term, a weekday, or a weekday of a term.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exception {
    #[serde(deserialize_with = "written::up_to::<_, 100>")]
    pub limit: i64,
    #[serde(default, deserialize_with = "written::day")]
    pub from: Option<Date>,
    #[serde(default, deserialize_with = "written::day")]
    pub until: Option<Date>,
    /// The names of days, such as `friday`.
    #[serde(default)]
    pub weekdays: Vec<DayOfWeek>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DayOfWeek {
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

impl DayOfWeek {
    fn is(self, day: Weekday) -> bool {
        self as i8 + 1 == day.to_monday_one_offset()
    }
}

impl Exception {
    fn fits(&self, day: Date) -> bool {
        self.from.is_none_or(|from| day >= from)
            && self.until.is_none_or(|until| day <= until)
            && (self.weekdays.is_empty() || self.weekdays.iter().any(|it| it.is(day.weekday())))
    }
}

impl Limit {
    /// The limit of a day.
    pub fn on(&self, day: Date) -> i64 {
        match self {
            Self::Usual(limit) => *limit,
            Self::WithExceptions(Exceptions { usual, except }) => {
                except.iter().find(|it| it.fits(day)).map_or(*usual, |it| it.limit)
            }
        }
    }
}

impl Assignment {
    pub fn opens(&self, zone: &Zone) -> Option<Moment> {
        self.opens.as_ref().and_then(|text| zone.moment(text, false))
    }

    pub fn due(&self, zone: &Zone) -> Option<Moment> {
        self.due.as_ref().and_then(|text| zone.moment(text, true))
    }

    pub fn closes(&self, zone: &Zone) -> Option<Moment> {
        self.closes.as_ref().and_then(|text| zone.moment(text, true))
    }

    pub fn scores(&self, zone: &Zone) -> Option<Moment> {
        self.scores.as_ref().and_then(|text| zone.moment(text, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_exception_that_fits_a_day_holds() {
        let text = "usual: 3, except: [{ limit: 5, weekdays: [friday] }, \
            { limit: 4, from: 2026-05-01, until: 2026-08-31 }]";
        let text = format!("limit: {{ {text} }}");
        let Assignment { limit, .. } = serde_yaml::from_str(&text).unwrap();
        let on = |day: &str| limit.on(day.parse().unwrap());
        assert_eq!(on("2026-11-24"), 3);
        assert_eq!(on("2026-06-01"), 4);
        assert_eq!(on("2026-06-05"), 5, "a Friday of the term");
        assert_eq!(on("2026-08-31"), 4);
        assert_eq!(on("2026-09-01"), 3);
    }
}
