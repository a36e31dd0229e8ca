//! What the course decides about handing in: dates, limits, and what counts. Pure.
//!
//! The rules are the text of `serve.yaml` as the database holds it, so all servers follow the same.

mod assignment;
mod days;
pub mod lengths;
pub(crate) mod mistakes;
mod moment;
pub mod words;
mod written;

pub use assignment::{Assignment, Beyond, Counts, Late, Limit};
pub use days::Zone;
pub use moment::Moment;

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
    pub assignments: BTreeMap<String, Assignment>,
    // What concerns one machine is read by `config::Machine`.
    database: IgnoredAny,
    address: IgnoredAny,
    url: IgnoredAny,
    proxy: IgnoredAny,
    workers: IgnoredAny,
    cache: IgnoredAny,
    log: IgnoredAny,
}

impl Rules {
    /// # Errors
    /// With the line of what is wrong.
    pub fn parse(source: &Source) -> Result<Self, Problem> {
        source.parse().map_err(mistakes::told)
    }

    /// The rules of an assignment.
    pub fn of(&self, assignment: &str) -> Assignment {
        self.assignments.get(assignment).cloned().unwrap_or_default()
    }
}
