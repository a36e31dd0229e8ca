//! Whether students hand in together, and until when they decide with whom.

use super::assignment::Written;
use harness::course::yaml::{Source, Spanned};
use harness::diagnostic::Problem;
use serde::Deserialize;

/// The most students that staff put together. The database holds no more.
pub const MOST: i64 = 10;

/// How students of an assignment hand in together.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Groups {
    /// How many students a group has at most, if students make it.
    pub most: i64,
    /// Until when they do. Without it, until the assignment is due for them.
    pub(super) until: Written,
}

impl Default for Groups {
    fn default() -> Self {
        Self { most: 2, until: None }
    }
}

impl Groups {
    pub(super) fn check(it: &Spanned<Self>, source: &Source) -> Result<(), Problem> {
        if (2..=MOST).contains(&it.value.most) {
            return Ok(());
        }
        let message = format!("`groups: most` is not between 2 and {MOST}");
        let hint = "it is how many students hand in together; without `groups`, each works alone";
        Err(source.problem(it, message).hint(hint))
    }
}
