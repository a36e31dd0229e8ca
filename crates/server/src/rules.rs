//! What the course decides about handing in: dates, limits, and what counts. Pure.
//!
//! The rules are the text of `serve.yaml` as the database holds it, so all servers follow the same.

mod assignment;
mod count;
mod dates;
mod days;
mod groups;
mod late;
#[cfg(test)]
mod late_tests;
pub mod lengths;
mod mining;
pub(crate) mod mistakes;
mod moment;
mod platform;
mod requests;
mod rubric;
pub mod words;
mod written;

pub use assignment::{Assignment, Beyond, Counts, Limit};
pub use count::Count;
pub use dates::{Dates, Terms};
pub use days::Zone;
pub use groups::{Groups, MOST as MOST_IN_GROUP};
pub use late::{Budget, Late, Lateness, Per, Price};
pub use mining::Mining;
pub use moment::Moment;
pub use platform::{Claim, Platform, Platforms, is_here, is_safe};
pub use requests::Requests;
pub use rubric::{Hundredths, Item, Rubric, Rubrics};

pub use harness::course::yaml::Spanned;

use harness::course::yaml::Source;
use harness::diagnostic::Problem;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;

/// The rules of the course.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// The time zone in which days begin and end.
    pub time_zone: Zone,
    /// The assignments by id. One that the course has and the rules do not name has the usual rules.
    pub assignments: BTreeMap<String, Spanned<Assignment>>,
    /// The budget of each student: how many late days cost nothing, for all assignments together.
    pub late_days: Count,
    /// How many regrade requests a student may make.
    pub requests: Requests,
    /// The learning platforms from which people come.
    pub platforms: Platforms,
    /// When the server looks for what a class gets wrong.
    pub mining: Mining,
    // What concerns one machine is read by `config::Machine`.
    database: IgnoredAny,
    address: IgnoredAny,
    url: IgnoredAny,
    proxy: IgnoredAny,
    sign_in: IgnoredAny,
    workers: IgnoredAny,
    cache: IgnoredAny,
    earlier_terms: IgnoredAny,
    log: IgnoredAny,
}

impl Rules {
    /// # Errors
    /// With the line of what is wrong.
    pub fn parse(source: &Source) -> Result<Self, Problem> {
        let rules: Self = source.parse().map_err(mistakes::told)?;
        for assignment in rules.assignments.values() {
            Assignment::check(assignment, source, &rules.time_zone)?;
        }
        platform::check(&rules.platforms)?;
        Ok(rules)
    }

    /// The rules of an assignment.
    pub fn of(&self, assignment: &str) -> Assignment {
        self.assignments.get(assignment).map(|it| it.value.clone()).unwrap_or_default()
    }
}
