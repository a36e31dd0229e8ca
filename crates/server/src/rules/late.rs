//! What it costs to hand in late. Pure, and monotone: handing in later never costs less.

use super::{Moment, Zone};
use serde::Deserialize;

const MINUTE: i64 = 60_000;
pub(super) const HOUR: i64 = 60 * MINUTE;

/// What an assignment takes after its due date, and what that costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Late {
    /// How many days after `due` a submission may be.
    pub days: i64,
    /// The percentage of its points that each late day or hour costs.
    pub percent: f64,
    /// The points that each costs, instead.
    pub points: f64,
    /// What is counted. One that has begun counts whole.
    pub per: Per,
    /// The most that lateness costs, in percent or points.
    pub most: Option<f64>,
    /// Minutes after `due` that are not late.
    pub grace: i64,
    /// How many late days of the course's budget are for this assignment at most. Without it, all.
    pub budget: Option<i64>,
}

/// What is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Per {
    #[default]
    Day,
    Hour,
}

/// How late a submission is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lateness {
    /// The late days that have begun. Each ends at the time of day of the due date, however long it is.
    pub days: i64,
    /// The late hours that have begun. A late day has 24 at most.
    pub hours: i64,
    /// The days that the student's budget covers, so that they cost nothing.
    pub covered: i64,
}

/// What lateness costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Price {
    Nothing,
    /// A percentage of the points that are earned.
    Percent(f64),
    Points(f64),
}

/// The late days of the course that a student has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    pub total: i64,
    /// How many are spent, for all assignments.
    pub spent: i64,
    /// How many of those are spent for this assignment. They cover its later submissions as well.
    pub here: i64,
}

impl Budget {
    /// Never less than nothing, also when the course takes days away.
    pub fn left(&self) -> i64 {
        (self.total - self.spent).max(0)
    }
}

impl Late {
    /// How late a submission is, before any budget.
    pub fn lateness(&self, due: Moment, at: Moment, zone: &Zone) -> Lateness {
        let late = at.0.saturating_sub(due.0);
        if late <= self.grace * MINUTE {
            return Lateness::default();
        }
        // Clocks change by less than a day.
        let mut days = (late / (24 * HOUR) - 1).max(1);
        while at > zone.plus_days(due, days) {
            days += 1;
        }
        let of_day = at.0 - zone.plus_days(due, days - 1).0;
        let hours = 24 * (days - 1) + (of_day.max(1) + HOUR - 1).div_euclid(HOUR).min(24);
        Lateness { days, hours, covered: 0 }
    }

    /// The same with the days that the budget covers, and how many more days of it that spends.
    pub fn cover(&self, late: Lateness, budget: &Budget) -> (Lateness, i64) {
        let covered = late.days.min(self.coverable(budget));
        (Lateness { covered, ..late }, (covered - budget.here).max(0))
    }

    /// How many late days the budget can cover.
    fn coverable(&self, budget: &Budget) -> i64 {
        let most = self.budget.unwrap_or(i64::MAX);
        (budget.here + budget.left()).min(most).max(budget.here)
    }

    /// The last late day that is taken, if days that the budget does not cover are not: in a course with a budget, late days that cost
    /// nothing would otherwise have no end.
    pub(super) fn last_covered(&self, budget: &Budget) -> Option<i64> {
        let costs = self.percent > 0.0 || self.points > 0.0;
        let has_budget = budget.total > 0 && self.budget != Some(0);
        (has_budget && !costs).then(|| self.coverable(budget))
    }

    /// What lateness costs.
    pub fn price(&self, late: Lateness) -> Price {
        let count = match self.per {
            Per::Day => late.days - late.covered,
            Per::Hour => late.hours - 24 * late.covered,
        };
        let count = count.max(0) as f64;
        let most = self.most.unwrap_or(f64::MAX);
        let (points, percent) = (count * self.points, count * self.percent);
        match () {
            () if points > 0.0 => Price::Points(points.min(most)),
            () if percent > 0.0 => Price::Percent(percent.min(most).min(100.0)),
            () => Price::Nothing,
        }
    }

    /// The points of a submission that earned so many, after what lateness costs. All that counts goes through here.
    pub fn left(&self, earned: f64, late: Lateness) -> f64 {
        let left = match self.price(late) {
            Price::Nothing => earned,
            Price::Percent(percent) => earned * (100.0 - percent) / 100.0,
            Price::Points(points) => (earned - points).max(earned.min(0.0)),
        };
        (left * 100.0).round() / 100.0
    }

    pub(super) fn wrong(&self) -> Option<(&'static str, &'static str)> {
        let is_amount = |it: f64| (0.0..=100_000.0).contains(&it);
        let is_count = |count: i64, most: i64| (0..=most).contains(&count);
        match () {
            () if !is_count(self.days, 365) => {
                Some(("days` is not between 0 and 365", "a late day is a day after the due date"))
            }
            () if !(0.0..=100.0).contains(&self.percent) => {
                Some(("percent` is not between 0 and 100", "it is a percentage of the points"))
            }
            () if !is_amount(self.points) => Some((
                "points` is no number of points",
                "it is what each late day or hour costs, and not below 0",
            )),
            () if self.percent > 0.0 && self.points > 0.0 => {
                Some(("percent` and `points` are both there", "keep only one of them"))
            }
            () if self.most.is_some_and(|most| !is_amount(most)) => Some((
                "most` is no amount",
                "it is the most that lateness costs, in percent or points",
            )),
            () if self.most.is_some() && self.percent <= 0.0 && self.points <= 0.0 => {
                Some(("most` is there without a cost", "add `percent` or `points`, or remove it"))
            }
            () if !is_count(self.grace, 1440) => Some((
                "grace` is not between 0 and 1440 minutes",
                "it is for slow connections; for more time, set `due` later",
            )),
            () if self.budget.is_some_and(|it| !is_count(it, 365)) => Some((
                "budget` is not between 0 and 365",
                "it is how many late days of the course may be spent here",
            )),
            () => None,
        }
    }
}
