//! The inputs that a search discarded, because they are not valid.

use crate::run::discarded;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many inputs a search discarded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Discarded {
    /// The number of inputs that the reference was run on.
    pub tried: u64,
    /// How many of them the reference rejects.
    pub rejected: u64,
    /// The number of inputs that the validators were asked about: those on which a mutant differs, or all where most are not valid.
    pub validated: u64,
    /// How many of them a validator rejects.
    pub refused: u64,
    /// The inputs on which the checker fails. Absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unjudged: Option<Unjudged>,
}

/// Inputs on which the checker fails, so that it, or the reference, is wrong there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Unjudged {
    pub count: u64,
    /// How it fails on the smallest of them.
    pub failure: String,
}

impl From<discarded::Discarded> for Discarded {
    fn from(discarded: discarded::Discarded) -> Self {
        let discarded::Discarded { tried, rejected, validated, refused, unjudged } = discarded;
        let unjudged =
            unjudged.map(|discarded::Unjudged { count, failure }| Unjudged { count, failure });
        Self { tried, rejected, validated, refused, unjudged }
    }
}

impl Discarded {
    /// Whether nothing was discarded.
    pub fn is_nothing(&self) -> bool {
        self.rejected == 0 && self.refused == 0 && self.unjudged.is_none()
    }

    /// Whether most inputs were discarded, so that most of the search was in vain.
    pub fn is_most(&self) -> bool {
        2 * self.rejected > self.tried || 2 * self.refused > self.validated
    }
}
