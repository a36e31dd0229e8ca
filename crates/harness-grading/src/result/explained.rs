//! The result of `explain`: what one test does to mutants, as the types from which every format is made.

use super::diff::Diff;
use super::engines::SlowerProgram;
use super::{How, TestReport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the document that `explain --format json` writes.
pub const SCHEMA: &str = "harness-explained/1";

/// What one test does to mutants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Explained {
    /// `harness-explained/1`.
    pub schema: String,
    /// The assignment's id.
    pub assignment: String,
    /// The test: its arguments, the mutants that it exposes, or why it was rejected.
    pub test: TestReport,
    /// The test's file, or the code of a test case, with invalid UTF-8 replaced.
    pub input: String,
    /// The line of its file where the code of a test case begins, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The id of the mutant that was requested, or null for all mutants.
    pub asked: Option<String>,
    /// The requested mutant; otherwise all mutants that the test exposes, the smallest difference first.
    pub mutants: Vec<MutantExplained>,
    /// The ids of the mutants that it reaches but does not expose, if that is known.
    pub reached: Vec<String>,
    /// The ids of the mutants that it does not reach, if that is known.
    pub unreached: Vec<String>,
    /// The programs that ran by a slower engine than others of their kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<SlowerProgram>,
}

/// What a test does to one mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MutantExplained {
    /// The id.
    pub id: String,
    /// The bug in one sentence.
    pub summary: String,
    /// The place in the specification that the bug violates.
    pub spec: String,
    /// Its places in the source. A program of its own has its file, without a text.
    pub sites: Vec<SiteReport>,
    /// Whether the test reaches it, if that is known.
    pub reached: Option<bool>,
    /// How it differs from the reference, if the test exposes it.
    pub difference: Option<MutantDifference>,
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SiteReport {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The text of the line.
    pub text: String,
}

/// How a mutant differs from the reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MutantDifference {
    /// The kind of difference.
    pub how: How,
    /// How the reference ends.
    pub reference_end: String,
    /// How the mutant ends.
    pub mutant_end: String,
    /// What the mutant prints on standard error.
    pub mutant_says: String,
    /// Why the mutant's output is wrong, if several outputs are right.
    pub why: Option<String>,
    /// Where the outputs first differ, in the assignment's own terms.
    pub first: Option<String>,
    /// The assertion of a test case that fails on the mutant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assertion: Option<Assertion>,
    /// The outputs that differ.
    pub outputs: Vec<OutputDiff>,
}

/// An assertion that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Assertion {
    /// The file of tests.
    pub file: String,
    /// The line, from 1, if the framework says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// What was asserted, with the values.
    pub message: String,
}

/// An output that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutputDiff {
    /// The file, or null for standard output.
    pub file: Option<String>,
    /// The reference's output beside the mutant's.
    pub diff: Diff,
}

impl MutantExplained {
    /// The size of the difference. A mutant that is not exposed is sorted last.
    pub fn size(&self) -> (usize, usize) {
        let Some(difference) = &self.difference else { return (usize::MAX, 0) };
        let sizes = difference.outputs.iter().map(|output| output.diff.size());
        sizes.fold((0, 0), |sum, size| (sum.0 + size.0, sum.1 + size.1))
    }
}
