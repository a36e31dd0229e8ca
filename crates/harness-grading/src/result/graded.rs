//! The result of `grade`, as the types from which every format is made.
//!
//! A submission's result is complete at first, and then cut down to what its reader may see ([`SubmissionReport::for_reader`]).

pub mod points;
mod reader;

use crate::course::submission::Rule;
use crate::diagnostic::{Excerpt, Problem};
use crate::result::explained::MutantDifference;
use crate::result::{LeftOut, MutantReport, SuiteReport};
use points::PointsReport;
pub use reader::CaseReader;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the document that `grade --format json` writes.
pub const SCHEMA: &str = "harness-graded/1";

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Graded {
    /// `harness-graded/1`.
    pub schema: String,
    /// The course's title.
    pub course: String,
    /// The assignment's id.
    pub assignment: String,
    /// Its title.
    pub title: String,
    /// The mutants, if the reader may know them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mutants: Vec<MutantReport>,
    /// The result of each submission, ordered by name.
    pub submissions: Vec<SubmissionReport>,
    /// What the limit on memory did not hold on this machine, for staff. Absent if it held for all that a run uses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_limited: Option<String>,
    /// When points and verdicts are shown, if the reader may not see them yet. Then `points` is 0 of 0, without parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points_from: Option<String>,
    /// What lies in the folder of a class and is no submission.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// The names of the files of `--format NAME=DIR/`, by the names of the students, where they differ.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
}

/// The result of one submission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SubmissionReport {
    /// The name of its folder or archive.
    pub name: String,
    /// The SHA-256 of its files and their names, in hexadecimal.
    pub digest: String,
    /// Whether it is not graded, because it breaks a rule that the course insists on.
    pub refused: bool,
    /// Whether its points are on another scale than the course's now, because the course changed since. `--regrade` grades it again.
    #[serde(default, skip_serializing_if = "is_false")]
    pub other_scale: bool,
    /// What the checks found, the most serious first.
    pub findings: Vec<Finding>,
    /// How the build went, unless nothing was built.
    pub build: Option<BuildReport>,
    /// The cases, by group.
    pub groups: Vec<GroupReport>,
    /// What valgrind found, if it was asked.
    pub leaks: Option<LeaksReport>,
    /// The student's tests against the mutants, if the tests could be run.
    pub tests: Option<SuiteReport>,
    /// The first of the student's tests on which the student's own program is wrong.
    pub own: Option<OwnReport>,
    pub points: PointsReport,
}

/// Whether a key is left out of a document.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// A rule that the submission breaks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    pub rule: Rule,
    pub severity: Severity,
    /// The points that it costs, if it is a deduction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<f64>,
    /// The file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The line with the place marked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<Excerpt>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// What a finding does.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The submission is not graded.
    Refusal,
    /// It costs points.
    Deduction,
    /// It costs nothing.
    Warning,
}

impl Finding {
    /// The problem, in the words of every other error.
    pub fn problem(&self) -> Problem {
        Problem::new(self.message.clone()).maybe_hint(self.hint.clone())
    }
}

/// How the build went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BuildReport {
    /// The command, as one line.
    pub command: String,
    /// Whether it made every program that the course expects.
    pub built: bool,
    /// The compilations that it ran, at most 200.
    pub compilations: Vec<Compilation>,
    /// The compiler's warnings, at most 20.
    pub warnings: Vec<Diagnostic>,
    /// The number of further warnings.
    pub more_warnings: usize,
    /// Why it failed: the first error, or how the build ended.
    pub error: Option<Diagnostic>,
}

/// A source that was compiled, as the compiler itself was called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Compilation {
    /// The source.
    pub file: String,
    /// The options that optimize or add debugging information, such as `-O3` and `-g`.
    pub flags: Vec<String>,
}

/// A message of the compiler, the assembler, the linker or `make`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Diagnostic {
    /// The file, if the message names one.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column, from 1.
    pub column: Option<usize>,
    pub message: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Diagnostic {
    /// A message without a place.
    pub fn plain(message: String) -> Self {
        Self { file: None, line: None, column: None, message, hint: None }
    }
}

/// The cases of one group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroupReport {
    pub name: String,
    /// Whether its points are beyond those of the assignment.
    pub extra: bool,
    pub points: f64,
    pub max_points: f64,
    /// The number of cases with a right answer.
    pub passed: usize,
    /// The number of cases.
    pub total: usize,
    /// The cases, if the reader may see them.
    pub cases: Vec<CaseReport>,
}

/// The result of one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseReport {
    pub name: String,
    pub verdict: Verdict,
    /// The part of the case's points that it earns, from 0 to 1.
    pub share: f64,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Time and memory, if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measures: Option<Measures>,
    /// What the program printed on standard error when it rejected a valid input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub says: Option<String>,
    /// When and why it was stopped, if it did not finish.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// The input and the difference, for the first failed case of a group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Shown>,
}

/// What a program did on a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Right, and fast enough for all points.
    Passed,
    /// Right, but too slow for all points.
    Slow,
    /// Another output than the reference's.
    Wrong,
    /// Another exit status than the reference's.
    Status,
    /// It rejected a valid input: it ended with status 1.
    Rejected,
    /// A signal ended it.
    Crashed,
    /// It was stopped before it finished.
    Timeout,
    /// It used more memory than the limit.
    Memory,
    /// It printed more than the limit.
    Output,
    /// It started too many processes, or filled its disk.
    Limit,
    /// It was not run, because there is no program.
    NotRun,
}

impl Verdict {
    /// Whether the answer is right.
    pub fn is_right(self) -> bool {
        matches!(self, Self::Passed | Self::Slow)
    }

    /// The verdict in one or two words.
    pub fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Slow => "slow",
            Self::Wrong => "wrong output",
            Self::Status => "wrong status",
            Self::Rejected => "rejected",
            Self::Crashed => "crashed",
            Self::Timeout => "too slow",
            Self::Memory => "too much memory",
            Self::Output => "too much output",
            Self::Limit => "over a limit",
            Self::NotRun => "not run",
        }
    }
}

/// Medians of a few runs, beside those of the reference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Measures {
    /// Seconds of processor time.
    pub seconds: f64,
    /// The same of the reference, if it was run.
    pub reference_seconds: Option<f64>,
    /// Megabytes of memory at the peak.
    pub megabytes: f64,
    /// The same of the reference, if it was run.
    pub reference_megabytes: Option<f64>,
}

/// A case in full.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    /// The beginning of the input, with invalid UTF-8 replaced.
    pub input: String,
    /// Whether the input is longer.
    pub is_cut: bool,
    /// The reference's outcome beside the program's, which is called the mutant here.
    pub difference: Option<MutantDifference>,
}

/// What valgrind found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LeaksReport {
    /// The number of cases that were checked.
    pub checked: usize,
    /// The number of those without a leak that costs points.
    pub clean: usize,
    /// The leaks, each kind and place once.
    pub leaks: Vec<Leak>,
    /// Other errors of memory, which cost nothing here.
    pub errors: Vec<MemoryError>,
    /// Why cases could not be checked, which is not the student's fault.
    pub unchecked: Option<String>,
    /// How the program kept a case from being checked. Then it earns nothing for leaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaded: Option<String>,
}

/// Memory that was not released.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Leak {
    /// `definite`, `indirect`, `possible` or `reachable`.
    pub kind: String,
    /// Whether it costs points.
    pub counts: bool,
    /// The most bytes that were lost in one case.
    pub bytes: u64,
    /// The functions that led to the allocation, the innermost first.
    pub place: Vec<String>,
    /// The first case on which it was found.
    pub case: String,
}

/// A wrong use of memory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryError {
    /// What happened, in valgrind's words.
    pub message: String,
    /// The functions that led to it, the innermost first.
    pub place: Vec<String>,
    /// The first case on which it was found.
    pub case: String,
}

/// A test of the student's on which the student's own program is wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OwnReport {
    /// The test's file.
    pub file: String,
    pub verdict: Verdict,
    /// The program and its arguments.
    pub command: Vec<String>,
    pub shown: Shown,
}
