//! The programs that a report's results come from, where they did not run by the fastest engine.

use crate::run::programs::Slower;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A program that ran by a slower engine than others of its kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SlowerProgram {
    /// The program, in words: the reference, the combined build, a mutant, or the program of `--against`.
    pub program: String,
    /// `fork` or `process`.
    pub engine: String,
    /// Why the faster engines cannot run it.
    pub reason: String,
}

impl From<Slower> for SlowerProgram {
    fn from(slower: Slower) -> Self {
        let Slower { program, engine, reason } = slower;
        Self { program, engine: engine.to_string(), reason }
    }
}

impl fmt::Display for SlowerProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { program, engine, reason } = self;
        write!(f, "note: {program} runs by {engine}: {reason}")
    }
}

/// The programs of a report.
pub fn slower(programs: Vec<Slower>) -> Vec<SlowerProgram> {
    programs.into_iter().map(SlowerProgram::from).collect()
}
