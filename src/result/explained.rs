//! The result of `explain`: what one test does to mutants, as the types that every format is made from.

use super::diff::Diff;
use super::{How, TestReport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the document that `explain --format json` writes.
pub const SCHEMA: &str = "harness-explained/1";

/// What a test does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Explained {
    /// `harness-explained/1`.
    pub schema: String,
    /// The assignment's id.
    pub assignment: String,
    /// The test: its command line, and what it exposes of what was asked for, or why it was rejected.
    pub test: TestReport,
    /// The file, with bytes that are no text replaced.
    pub input: String,
    /// The id of the mutant that was asked for, or nothing where all were.
    pub asked: Option<String>,
    /// The mutant that was asked for; of all of them only those that it exposes, the shortest difference first.
    pub mutants: Vec<MutantExplained>,
    /// The ids of the mutants that it reaches and does not expose, where that is known.
    pub reached: Vec<String>,
    /// The ids of the mutants that it does not reach, where that is known.
    pub unreached: Vec<String>,
}

/// What a test does to one mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MutantExplained {
    /// The id.
    pub id: String,
    /// The bug in one sentence.
    pub summary: String,
    /// Where the document says otherwise.
    pub spec: String,
    /// Where the reference's source asks for the bug.
    pub sites: Vec<SiteReport>,
    /// Whether the test reaches it, where that is known.
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
    /// The line itself.
    pub text: String,
}

/// How a mutant differs from the reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MutantDifference {
    /// In what way.
    pub how: How,
    /// How the reference ends.
    pub reference_end: String,
    /// How the mutant ends.
    pub mutant_end: String,
    /// What the mutant says on standard error.
    pub mutant_says: String,
    /// What is wrong with the mutant's output, where more than one is right.
    pub why: Option<String>,
    /// Where the outputs first differ, in the assignment's own words.
    pub first: Option<String>,
    /// The outputs that differ.
    pub outputs: Vec<OutputDiff>,
}

/// An output that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutputDiff {
    /// The file that was written, or nothing for standard output.
    pub file: Option<String>,
    /// The reference's output beside the mutant's.
    pub diff: Diff,
}

impl MutantExplained {
    /// How much there is to read: what is not exposed comes last.
    pub fn size(&self) -> (usize, usize) {
        let Some(difference) = &self.difference else { return (usize::MAX, 0) };
        let sizes = difference.outputs.iter().map(|output| output.diff.size());
        sizes.fold((0, 0), |sum, size| (sum.0 + size.0, sum.1 + size.1))
    }
}
