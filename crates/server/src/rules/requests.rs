//! How many regrade requests a student may make, and until when.

use super::{Count, Moment};
use serde::Deserialize;

/// How many regrade requests a student may make, and until when.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Requests {
    /// How many of a student may be open at the same time. 0: students make none.
    pub open: Count,
    /// How many a student may make for an assignment.
    pub each: Count,
    /// For how many days after a result is shown. Without it, always.
    pub days: Option<Count>,
}

impl Default for Requests {
    fn default() -> Self {
        Self { open: Count(3), each: Count(10), days: None }
    }
}

impl Requests {
    /// Until when a request may be made about a result that is shown since a moment.
    pub fn until(&self, shown: Moment) -> Option<Moment> {
        self.days.map(|days| shown.plus_minutes(days.0 * 24 * 60))
    }
}
