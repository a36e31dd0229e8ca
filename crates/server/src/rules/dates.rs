//! When one student may hand in, and on which terms at each moment. Pure.

use super::late::{Budget, HOUR, Late, Lateness, Price};
use super::{Assignment, Moment, Zone};

/// When submissions of one student are due, until when they are taken, and what they cost.
#[derive(Clone, Debug)]
pub struct Dates {
    pub opens: Option<Moment>,
    pub due: Option<Moment>,
    /// The end of the last late day that this student has, or of the assignment.
    pub closes: Option<Moment>,
    pub budget: Budget,
    pub late: Late,
    zone: Zone,
}

/// On which terms a submission is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    pub late: Lateness,
    /// The days of the budget that it spends.
    pub spends: i64,
    pub price: Price,
}

impl Terms {
    pub fn is_late(&self) -> bool {
        self.late.days > 0
    }
}

impl Dates {
    /// The dates of a student to whom so many more minutes are granted. `rules` are those of the student's section.
    pub fn new(rules: &Assignment, zone: &Zone, minutes: i64, budget: Budget) -> Self {
        let late = rules.late.value;
        let due = rules.due(zone).map(|due| due.plus_minutes(minutes));
        let closes = rules.closes(zone).map(|closes| closes.plus_minutes(minutes));
        let in_time = due.map(|due| due.plus_minutes(late.grace));
        let end = |days: i64| due.map(|due| zone.plus_days(due, days)).max(in_time);
        let last = late.last_covered(&budget).and_then(end);
        let closes = closes.or_else(|| end(late.days));
        let closes = match (closes, last) {
            (Some(closes), Some(last)) => Some(closes.min(last)),
            (closes, _) => closes,
        };
        Self { opens: rules.opens(zone), due, closes, budget, late, zone: zone.clone() }
    }

    /// Until when a submission is in time.
    pub fn in_time(&self) -> Option<Moment> {
        self.due.map(|due| due.plus_minutes(self.late.grace))
    }

    /// The terms at a moment.
    pub fn terms(&self, at: Moment) -> Terms {
        let late = self.due.map(|due| self.late.lateness(due, at, &self.zone));
        let (late, spends) = self.late.cover(late.unwrap_or_default(), &self.budget);
        Terms { late, spends, price: self.late.price(late) }
    }

    /// Until when the terms of a moment hold. None: for ever.
    pub fn terms_end(&self, now: Moment) -> Option<Moment> {
        let (due, in_time) = (self.due?, self.in_time()?);
        let terms = |at| {
            let Terms { spends, price, late } = self.terms(at);
            (spends, price, late.days > 0)
        };
        let mut end = if now <= in_time { in_time } else { self.step(due, now) };
        while self.closes.is_none_or(|closes| end < closes) && terms(end.plus(1)) == terms(now) {
            // Nothing becomes dearer after a year.
            if end.0 - due.0 > 366 * 24 * HOUR {
                return self.closes;
            }
            end = self.step(due, end.plus(1));
        }
        Some(self.closes.map_or(end, |closes| end.min(closes)))
    }

    /// The end of the late hour of a moment.
    fn step(&self, due: Moment, at: Moment) -> Moment {
        let day = self.late.lateness(due, at, &self.zone).days.max(1);
        let begins = self.zone.plus_days(due, day - 1);
        let hours = ((at.0 - begins.0).max(1) + HOUR - 1) / HOUR;
        begins.plus(hours * HOUR).min(self.zone.plus_days(due, day))
    }
}
