//! The result of `mutants cases`: which of the instructor's cases expose which mutants.

use super::engines::SlowerProgram;
use serde::{Deserialize, Serialize};

/// The version of the document that `mutants cases --format json` writes.
pub const SCHEMA: &str = "harness-cases/1";

/// What the instructor's cases expose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cases {
    /// `harness-cases/1`.
    pub schema: String,
    /// A result for each assignment that has cases.
    pub assignments: Vec<AssignmentCases>,
}

/// What the cases of one assignment expose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssignmentCases {
    pub assignment: String,
    /// The mutants, by id, and the cases that expose each.
    pub mutants: Vec<MutantCases>,
    /// The cases, in the order of their file.
    pub cases: Vec<CaseExposes>,
    /// The programs that ran by a slower engine than others of their kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<SlowerProgram>,
}

/// A mutant, and the cases that expose it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MutantCases {
    pub id: String,
    /// The bug in one sentence.
    pub summary: String,
    /// The names of those cases that it ran on, in the order of their file.
    pub cases: Vec<String>,
    /// Why no case need expose it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unproven: Option<String>,
}

impl MutantCases {
    /// Whether no case exposes it, though a valid input does.
    pub fn is_missed(&self) -> bool {
        self.cases.is_empty() && self.unproven.is_none()
    }
}

/// A case, and the mutants that it exposes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseExposes {
    /// The group's name.
    pub group: String,
    pub name: String,
    pub kind: CaseKind,
    /// How many mutants ran on it: all, or if it is of another kind than `test`, those that were still missing.
    pub tried: usize,
    /// The ids of the mutants that it exposes.
    pub exposes: Vec<String>,
}

/// What kind of case a case is. It decides how the mutants run on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CaseKind {
    /// It could be a student's test.
    Test,
    /// No test may have this input, because it is too large, or the reference takes more than on a test.
    Large,
    /// No test may have this input, because it has another form, though the reference accepts it.
    OtherForm,
    /// No test may have these flags, because they say that the reference refuses the input, and it accepts it.
    OtherFlags,
    /// The reference rejects it.
    Rejected,
    /// Every answer to it is right.
    AnyAnswer,
}

impl AssignmentCases {
    /// The mutants that no case exposes, though a valid input does.
    pub fn missed(&self) -> impl Iterator<Item = &MutantCases> {
        self.mutants.iter().filter(|mutant| mutant.is_missed())
    }

    /// The number of mutants that a case exposes.
    pub fn exposed(&self) -> usize {
        self.mutants.iter().filter(|mutant| !mutant.cases.is_empty()).count()
    }
}
