//! The course's days, which begin at midnight in its time zone, however long they are.

use super::Moment;
use super::mistakes::wrong;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Deserializer};

/// A time zone: a name such as `America/Detroit`, or a rule such as `EST5EDT,M3.2.0,M11.1.0` as POSIX has it.
#[derive(Clone, Debug)]
pub struct Zone(TimeZone);

impl Default for Zone {
    fn default() -> Self {
        Self(TimeZone::system())
    }
}

impl<'de> Deserialize<'de> for Zone {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        Self::new(&name).ok_or_else(|| {
            let what = format!("there is no time zone `{name}`");
            wrong(what, "a name is such as `America/Detroit`")
        })
    }
}

impl Zone {
    pub fn new(name: &str) -> Option<Self> {
        TimeZone::get(name).or_else(|_| TimeZone::posix(name)).ok().map(Self)
    }

    /// Its name, if it has one.
    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("a rule of its own")
    }

    /// The date of a moment, such as `2026-11-24`.
    pub fn day(&self, moment: Moment) -> String {
        self.date(moment).to_string()
    }

    pub fn date(&self, moment: Moment) -> Date {
        self.0.to_datetime(moment.timestamp()).date()
    }

    /// The hour of a moment, from 0.
    pub fn hour(&self, moment: Moment) -> i8 {
        self.0.to_datetime(moment.timestamp()).hour()
    }

    /// When the day of a moment ends.
    pub fn midnight_after(&self, moment: Moment) -> Moment {
        let next = self.date(moment).tomorrow().unwrap_or(Date::MAX);
        self.start_of(next)
    }

    /// The first moment of a day.
    pub fn start_of(&self, date: Date) -> Moment {
        let start = date.at(0, 0, 0, 0).to_zoned_datetime(self.0.clone());
        Moment(start.map_or(i64::MAX, |start| start.timestamp().as_millisecond()))
    }

    /// The same time of day so many days later.
    pub fn plus_days(&self, moment: Moment, days: i64) -> Moment {
        let local = moment.timestamp().to_zoned_datetime(self.0.clone());
        let later = jiff::Span::new().try_days(days).and_then(|days| local.checked_add(days));
        later.map_or(moment, |later| Moment(later.timestamp().as_millisecond()))
    }

    /// A moment as people read it: `Tue 24 Nov 2026, 23:59 EST`.
    pub fn shown(&self, moment: Moment) -> String {
        moment
            .timestamp()
            .to_zoned_datetime(self.0.clone())
            .strftime("%a %-d %b %Y, %H:%M %Z")
            .to_string()
    }

    /// The moment that a date and time such as `2026-11-24 23:59` means here. A date alone means its end if `at_end`.
    pub(super) fn moment(&self, text: &str, at_end: bool) -> Option<Moment> {
        let text = text.trim();
        if let Ok(timestamp) = text.parse::<jiff::Timestamp>() {
            return Some(Moment(timestamp.as_millisecond()));
        }
        let time = if text.contains(':') {
            let time: jiff::civil::DateTime = text.replacen(' ', "T", 1).parse().ok()?;
            // `23:59` lasts until the minute ends.
            if at_end && time.second() == 0 { time.with().second(59).build().ok()? } else { time }
        } else {
            let date: Date = text.parse().ok()?;
            if at_end { date.at(23, 59, 59, 0) } else { date.at(0, 0, 0, 0) }
        };
        Some(Moment(time.to_zoned_datetime(self.0.clone()).ok()?.timestamp().as_millisecond()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Moment {
        Moment(text.parse::<jiff::Timestamp>().unwrap().as_millisecond())
    }

    #[test]
    fn a_day_may_have_23_or_25_hours() {
        let zone = Zone::new("America/Detroit").unwrap();
        for (moment, hours) in [
            ("2025-11-02T05:30:00Z", 25),
            ("2025-03-09T06:00:00Z", 23),
            ("2025-06-01T12:00:00Z", 24),
        ] {
            let start = zone.start_of(zone.date(at(moment)));
            assert_eq!(
                (zone.midnight_after(at(moment)).0 - start.0) / 3_600_000,
                hours,
                "{moment}"
            );
        }
        // Both 01:30 of the day on which clocks go back belong to it.
        assert_eq!(zone.day(at("2025-11-02T05:30:00Z")), "2025-11-02");
        assert_eq!(zone.day(at("2025-11-02T06:30:00Z")), "2025-11-02");
        assert_eq!(zone.day(at("2025-11-03T04:59:59Z")), "2025-11-02");
        assert_eq!(zone.day(at("2025-11-03T05:00:00Z")), "2025-11-03");
    }

    #[test]
    fn a_due_date_is_the_end_of_its_minute_or_day() {
        let zone = Zone::new("America/Detroit").unwrap();
        let due = |text| zone.moment(text, true).unwrap();
        assert_eq!(due("2026-11-24 23:59"), at("2026-11-25T04:59:59Z"));
        assert_eq!(due("2026-11-24"), due("2026-11-24 23:59"));
        assert_eq!(zone.moment("2026-11-24", false), Some(at("2026-11-24T05:00:00Z")));
        assert_eq!(zone.moment("soon", false), None);
    }
}
