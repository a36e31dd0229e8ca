//! The result of `mutants witness`, as text and as JSON.

use super::screen::{STRONG, Screen, WriteText};
use super::table::Table;
use crate::catalogue::Witness;
use crate::domain::How;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

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

impl WriteText for Witnessed {
    fn write_text(&self, out: &mut String, screen: Screen) -> fmt::Result {
        if self.assignments.is_empty() {
            writeln!(out, "nothing to search for: every mutant has a witness")?;
        }
        self.assignments.iter().try_for_each(|assignment| assignment.write(out, screen))
    }
}

impl WitnessedAssignment {
    fn write(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let Self { assignment, enumerated, sampled, enumerated_area: area, .. } = self;
        writeln!(out, "{assignment}: {enumerated} small cases and {sampled} random cases tried")?;
        let mut table = Table::new(2);
        for WitnessedMutant { id, status, found } in &self.mutants {
            let text = match found {
                None if self.out_of_time => {
                    format!("not found in time: equivalent up to area {area}")
                }
                None => format!("nothing exposes it: equivalent up to area {area}"),
                Some(found) => found.in_words(*status),
            };
            table.row([screen.styled(STRONG, id), text]);
        }
        table.write(out, screen)?;
        let all = format!("Every case up to area {area} was tried: {}", self.alphabet);
        screen.prose(out, &all)?;
        let has_unexposed = self.mutants.iter().any(|mutant| mutant.status == Status::NotExposed);
        if !self.out_of_time && has_unexposed {
            let advice = "If nothing exposes a mutant, move its `bug!` to where it has an effect, \
                or explain it with `expect: { equivalent: … }`";
            screen.prose(out, advice)?;
        }
        if self.out_of_time {
            writeln!(out, "Time ran out: a larger --budget may find smaller witnesses")?;
        }
        Ok(())
    }
}

impl FoundWitness {
    fn in_words(&self, status: Status) -> String {
        let status = if status == Status::Kept { "kept   " } else { "written" };
        let certified = if self.certified {
            "certified: nothing smaller exposes it"
        } else {
            "not certified: no single step makes it smaller"
        };
        format!("{status}  area {:>2}, by {}; {certified}", self.area, self.how.word())
    }
}
