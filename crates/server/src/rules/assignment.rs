//! The rules of one assignment.

use super::{Groups, Late, Moment, Rubric, Rubrics, Zone, written};
use harness::course::yaml::{Source, Spanned};
use harness::diagnostic::Problem;
use jiff::civil::{Date, Weekday};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A date as `serve.yaml` has it.
pub(super) type Written = Option<Spanned<String>>;

/// The rules of one assignment. Dates are such as `2026-11-24 23:59`, in the course's time zone.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Assignment {
    /// When students see it and can hand in. Without it, always.
    opens: Written,
    /// Until when submissions are in time.
    due: Written,
    /// Until when late submissions are taken. Without it, none are taken after `due` and its late days.
    closes: Written,
    /// Other dates, by section.
    pub sections: BTreeMap<String, Section>,
    /// How many submissions count on each day.
    #[serde(deserialize_with = "written::limit")]
    pub limit: Limit,
    /// How many more a day, for those whose tests expose enough bugs.
    #[serde(deserialize_with = "written::up_to::<_, 100>")]
    pub bonus: i64,
    pub beyond: Beyond,
    pub counts: Counts,
    pub late: Spanned<Late>,
    /// Whether students hand in together. Without it, each works alone.
    pub groups: Option<Spanned<Groups>>,
    /// From when on students see scores. Without it, at once.
    scores: Written,
    /// Whether grades go to the gradebook of a learning platform, unless staff decide otherwise.
    pub passback: bool,
    /// By what people grade parts of it.
    pub rubrics: Rubrics,
    /// Whether those who grade by hand see no names there.
    pub anonymous: bool,
}

/// The dates of a section, if they are not those of all.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Section {
    opens: Written,
    due: Written,
    closes: Written,
}

impl Default for Assignment {
    fn default() -> Self {
        Self {
            opens: None,
            due: None,
            closes: None,
            sections: BTreeMap::new(),
            limit: Limit::Usual(3),
            bonus: 1,
            beyond: Beyond::default(),
            counts: Counts::default(),
            late: Spanned {
                value: Late::default(),
                referenced: serde_yaml::Location::UNKNOWN,
                defined: serde_yaml::Location::UNKNOWN,
            },
            groups: None,
            scores: None,
            passback: false,
            rubrics: Rubrics::default(),
            anonymous: false,
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
    pub(super) fn check(it: &Spanned<Self>, source: &Source, zone: &Zone) -> Result<(), Problem> {
        let late = &it.value.late;
        if let Some((message, hint)) = late.value.wrong() {
            return Err(source.problem(late, format!("`late: {message}")).hint(hint));
        }
        if let Some(groups) = &it.value.groups {
            Groups::check(groups, source)?;
        }
        for (part, rubric) in &it.value.rubrics.0 {
            Rubric::check(part, rubric, source)?;
        }
        it.value.check_dates(source, zone)?;
        for section in it.value.sections.keys() {
            it.value.for_section(section).check_dates(source, zone)?;
        }
        Ok(())
    }

    fn check_dates(&self, source: &Source, zone: &Zone) -> Result<(), Problem> {
        let Self { opens, due, closes, scores, .. } = self;
        let groups = self.groups.as_ref().and_then(|it| it.value.until.as_ref());
        for date in [opens, due, closes, scores].into_iter().flatten().chain(groups) {
            if zone.moment(&date.value, false).is_none() {
                let problem = source.problem(date, format!("`{}` is no date and time", date.value));
                return Err(problem.hint("write it as `2026-11-24 23:59`"));
            }
        }
        let (opening, end) = (self.opens(zone), self.closes(zone));
        for (date, earlier, later, message) in [
            (due.as_ref(), opening, self.due(zone), "this is due before it opens"),
            (closes.as_ref(), opening, end, "this closes before it opens"),
            (
                groups,
                opening,
                self.groups_until(zone),
                "no student can make a group before it opens",
            ),
            (closes.as_ref(), self.due(zone), end, "this closes before it is due"),
        ] {
            if let (Some(date), Some(earlier), Some(later)) = (date, earlier, later)
                && later < earlier
            {
                let problem = source.problem(date, message);
                return Err(problem.hint("a section has the dates of all that it does not set"));
            }
        }
        Ok(())
    }

    /// The rules with the dates of a section.
    #[must_use]
    pub fn for_section(&self, section: &str) -> Self {
        let mut rules = self.clone();
        if let Some(Section { opens, due, closes }) = self.sections.get(section).cloned() {
            rules.opens = opens.or(rules.opens);
            rules.due = due.or(rules.due);
            rules.closes = closes.or(rules.closes);
        }
        rules
    }

    pub fn opens(&self, zone: &Zone) -> Option<Moment> {
        moment(&self.opens, zone, false)
    }

    pub fn due(&self, zone: &Zone) -> Option<Moment> {
        moment(&self.due, zone, true)
    }

    pub fn closes(&self, zone: &Zone) -> Option<Moment> {
        moment(&self.closes, zone, true)
    }

    pub fn scores(&self, zone: &Zone) -> Option<Moment> {
        moment(&self.scores, zone, false)
    }

    /// Until when students make groups, if the course says so.
    pub fn groups_until(&self, zone: &Zone) -> Option<Moment> {
        moment(&self.groups.as_ref()?.value.until, zone, true)
    }
}

fn moment(written: &Written, zone: &Zone, at_end: bool) -> Option<Moment> {
    written.as_ref().and_then(|it| zone.moment(&it.value, at_end))
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

    #[test]
    fn what_is_wrong_is_named_with_its_line_and_a_hint() {
        for (line, wrong) in [
            ("due: soon", "`soon` is no date and time"),
            ("late: { days: -1 }", "`late: days` is not between 0 and 365"),
            ("late: { percent: 120 }", "`late: percent` is not between 0 and 100"),
            ("late: { percent: 5, points: 2 }", "`late: percent` and `points` are both there"),
            ("late: { most: 10 }", "`late: most` is there without a cost"),
            ("late: { grace: 2000 }", "`late: grace` is not between 0 and 1440 minutes"),
            ("late: { per: week }", "expected one of day, hour, found `week`"),
            ("sections: { b: { due: tomorrow } }", "`tomorrow` is no date and time"),
            ("groups: { most: 1 }", "`groups: most` is not between 2 and 10"),
            ("groups: { most: many }", "invalid i64"),
            ("groups: { until: then }", "`then` is no date and time"),
            ("groups: { least: 2 }", "unknown key `least`"),
            ("closes: 2026-11-01", "this closes before it is due"),
            (
                "sections: { b: { opens: 2026-11-01, due: 2026-10-01 } }",
                "this is due before it opens",
            ),
            (
                "sections: { b: { opens: 2026-12-01, due: 2026-12-02, closes: 2026-11-25 } }",
                "this closes before it opens",
            ),
            (
                "groups: { until: 2026-09-01 }\n    opens: 2026-10-01",
                "no student can make a group before it opens",
            ),
            ("bonus: 1000", "1000 is out of range"),
        ] {
            let due = if line.starts_with("due") { "beyond: grade" } else { "due: 2026-11-24" };
            let text = format!("late_days: 2\nassignments:\n  sum:\n    {line}\n    {due}\n");
            let source = Source::new(std::path::Path::new("serve.yaml"), text);
            let problem = crate::rules::Rules::parse(&source).unwrap_err();
            assert_eq!(problem.message, wrong);
            assert_eq!(problem.place.unwrap().line, 4, "{wrong}");
            assert!(problem.hint.is_some(), "{wrong}");
        }
    }
}
