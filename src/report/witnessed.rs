//! The result of `mutants witness`, for a person and for a machine.

use crate::catalogue::Witness;
use crate::domain::How;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The version of the document that `mutants witness --format json` writes.
pub const SCHEMA: &str = "harness-witnessed/1";

/// The witnesses that were looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Witnessed {
    /// `harness-witnessed/1`.
    pub schema: String,
    /// A result for each assignment.
    pub assignments: Vec<WitnessedAssignment>,
}

/// The result of one assignment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WitnessedAssignment {
    /// Its id.
    pub assignment: String,
    /// The largest area up to which every case was tried, as far as it was needed.
    pub enumerated_area: usize,
    /// What those cases are.
    pub alphabet: String,
    /// How many of them were tried.
    pub enumerated: u64,
    /// How many random cases were tried.
    pub sampled: u64,
    /// Whether time ran out first.
    pub out_of_time: bool,
    /// The mutants, by id.
    pub mutants: Vec<WitnessedMutant>,
}

/// The result of one mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WitnessedMutant {
    /// Its id.
    pub id: String,
    /// What became of its catalogue file.
    pub status: Status,
    /// The witness, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<FoundWitness>,
}

/// What became of a catalogue file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Its witness was written.
    Written,
    /// The witness that it has is as small.
    Kept,
    /// Nothing exposes it.
    NotExposed,
}

/// A witness.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundWitness {
    /// The witness.
    pub witness: Witness,
    /// The area of its map.
    pub area: usize,
    /// Whether every smaller case was tried, so that none exposes the mutant.
    pub certified: bool,
    /// How the mutant differs on it.
    pub how: How,
}

impl fmt::Display for Witnessed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.assignments.is_empty() {
            writeln!(f, "there is nothing to look for: every mutant has a witness")?;
        }
        self.assignments.iter().try_for_each(|assignment| write!(f, "{assignment}"))
    }
}

impl fmt::Display for WitnessedAssignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { enumerated_area: bound, enumerated, sampled, alphabet, .. } = self;
        writeln!(
            f,
            "{}: {enumerated} small cases and {sampled} random ones tried",
            self.assignment
        )?;
        let width = self.mutants.iter().map(|mutant| mutant.id.len()).max().unwrap_or(0);
        for WitnessedMutant { id, status, found } in &self.mutants {
            let Some(FoundWitness { area, certified, how, .. }) = found else {
                let why = if self.out_of_time { "not found in time" } else { "nothing exposes it" };
                writeln!(f, "  {id:<width$}  {why}: equivalent up to area {bound}")?;
                continue;
            };
            let status = if *status == Status::Kept { "kept   " } else { "written" };
            let certified = if *certified {
                "certified: nothing smaller exposes it"
            } else {
                "not certified: no single step makes it smaller"
            };
            writeln!(
                f,
                "  {id:<width$}  {status}  area {area:>2}, by {}; {certified}",
                how.word()
            )?;
        }
        writeln!(f, "Smaller cases were all tried up to area {bound}: {alphabet}")?;
        if !self.out_of_time
            && self.mutants.iter().any(|mutant| mutant.status == Status::NotExposed)
        {
            writeln!(
                f,
                "What nothing exposes is no bug: put its `bug!` where it bites, or say why not with `expect: {{ equivalent: … }}`"
            )?;
        }
        if self.out_of_time {
            writeln!(f, "Time ran out: with a larger --budget, smaller ones may be found")?;
        }
        Ok(())
    }
}
