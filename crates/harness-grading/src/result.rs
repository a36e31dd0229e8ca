//! The result of scoring, as the types from which every format is made.
//!
//! A suite's result is complete at first, and then cut down to what its reader may see ([`SuiteReport::for_level`]). A format
//! writes all that is left, so that no format can tell a student too much.

pub mod attempts;
pub mod cases;
pub mod coverage;
pub mod diff;
pub mod discarded;
pub mod drawn;
pub mod engines;
pub mod explain;
pub mod explained;
pub mod fold;
pub mod given_up;
pub mod grade;
pub mod graded;
pub mod hints;
pub mod judged;
pub mod pseudonym;
pub mod reader;
pub mod receipt;
pub mod record;
pub mod regraded;
pub mod score;
pub mod scoreboard;
pub mod verify;

use crate::catalogue::Mutant;
use crate::course::{Level, Points};
use crate::diagnostic::{Excerpt, Problem};
use crate::domain::How;
use crate::result::coverage::CoverageReport;
use crate::result::engines::SlowerProgram;
use crate::result::score::Score;
pub use crate::run::matrix::Difference;
use crate::suite::layout::Stray;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use subject::MutantSet;

/// The version of the document that `--format json` writes.
pub const SCHEMA: &str = "harness-report/1";

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// `harness-report/1`.
    pub schema: String,
    /// The course's title.
    pub course: String,
    /// The result of each assignment that was scored.
    pub assignments: Vec<AssignmentReport>,
    /// Why nothing was scored, if the course is broken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<String>,
}

/// The result of one assignment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AssignmentReport {
    /// The assignment's id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its mutants, if the reader may know them.
    pub mutants: Vec<MutantReport>,
    /// What lies in the folder of a class and is no suite.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// The names of the files of `--format NAME=DIR/`, by the names of the students, where they differ.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// The result of each suite.
    pub suites: Vec<SuiteReport>,
    /// The programs that ran by a slower engine than others of their kind, if the reader may know them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<SlowerProgram>,
}

/// Something in the folder of a class that is not graded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    pub name: String,
    /// What it is, for example a file.
    pub what: String,
}

impl From<Stray> for LeftOut {
    fn from(stray: Stray) -> Self {
        Self { name: stray.name, what: stray.what.to_owned() }
    }
}

/// A mutant in a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MutantReport {
    /// The id.
    pub id: String,
    /// The bug in one sentence; empty if the reader sees pseudonyms.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// The points for exposing it.
    pub points: Points,
    /// The behaviour that it shares with other mutants. Absent if it has none, or if the reader sees pseudonyms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behaviour: Option<String>,
}

impl From<&Mutant> for MutantReport {
    fn from(mutant: &Mutant) -> Self {
        Self {
            id: mutant.id.clone(),
            summary: mutant.summary.clone(),
            points: mutant.points,
            behaviour: mutant.behaviour.clone(),
        }
    }
}

/// The result of one suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SuiteReport {
    /// The name of the suite's folder or archive.
    pub name: String,
    /// Where its tests are, if that is not where they belong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Its tests, ordered by number. Those without a valid name come last. At most 100 of them are rejected.
    pub tests: Vec<TestReport>,
    /// The number of rejected files that are not in `tests`, because there are more than 100.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_rejected: usize,
    /// Files that are not tests, at most 100.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<String>,
    /// The number of files that are not tests and not in `ignored`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_ignored: usize,
    /// The tests that expose each exposed mutant, if the reader may know it.
    pub exposed_by: BTreeMap<String, Vec<Exposure>>,
    /// The score, if the reader may know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// Which lines of the reference its valid cases reach, if that was asked for and the reader may know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageReport>,
    /// The hints that were given, if hints were requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<HintReport>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A hint that the suite was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HintReport {
    /// The UTC day on which it was first given: `2026-11-20`.
    pub day: String,
    /// The id of the mutant that it helps to expose, if the reader may know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutant: Option<String>,
    pub hint: String,
}

impl HintReport {
    pub fn new(day: String, mutant: &Mutant) -> Self {
        Self { day, mutant: Some(mutant.id.clone()), hint: mutant.hint.trim().to_owned() }
    }
}

/// The result of one test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestReport {
    /// The file's name.
    pub file: String,
    /// Whether the test is valid.
    pub status: Status,
    /// Why it was rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The line of the error, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column of the error, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The line with the error marked, or the file's name if that is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<Excerpt>,
    /// What the student can do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The arguments of the program, if the test was run.
    #[serde(default)]
    pub args: Vec<String>,
    /// How the reference refuses the test, if it does and the course tests this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<Refusal>,
    /// The ids of the mutants that it exposes, if the reader may know them.
    pub exposes: Vec<String>,
    /// The number of bugs that it exposes, if that is more than the course counts for one test. Then it is credited with none of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub too_broad: Option<usize>,
    /// The mutants that the test reaches, by index in the catalogue, if that is known and the reader may know it. Not part of the
    /// JSON document, because a test reaches a third of all mutants.
    #[serde(skip)]
    pub reached: Option<MutantSet>,
}

/// How the reference refuses a test of error handling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Refusal {
    /// The exit status.
    pub status: u8,
    /// The first line on standard error.
    pub says: String,
}

/// Whether a test is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The reference accepts it, or refuses it where the course tests this.
    Valid,
    /// It breaks a rule, or the reference rejects it.
    Rejected,
}

/// A test that exposes a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Exposure {
    /// The test's file.
    pub file: String,
    /// How the mutant's outcome differs from the reference's.
    pub how: How,
}

impl TestReport {
    /// A valid test.
    pub fn valid(file: String, args: Vec<String>, exposes: Vec<String>) -> Self {
        let (status, exposes) = (Status::Valid, exposes);
        Self {
            file,
            status,
            reason: None,
            line: None,
            column: None,
            excerpt: None,
            hint: None,
            args,
            refused: None,
            exposes,
            too_broad: None,
            reached: None,
        }
    }

    /// A rejected test. `args` are empty unless the reference was run on it.
    pub fn rejected(file: String, problem: Problem, args: Vec<String>) -> Self {
        let excerpt = problem.name.or_else(|| problem.place.as_ref()?.excerpt());
        let (line, column) =
            problem.place.map_or((None, None), |place| (Some(place.line), place.column));
        let (status, reason, hint) = (Status::Rejected, Some(problem.message), problem.hint);
        Self {
            file,
            status,
            reason,
            line,
            column,
            excerpt,
            hint,
            args,
            refused: None,
            exposes: Vec::new(),
            too_broad: None,
            reached: None,
        }
    }
}

impl SuiteReport {
    /// Removes what a reader at `level` may not see.
    #[must_use]
    pub fn for_level(mut self, level: Level) -> Self {
        if level < Level::All {
            self.tests.iter_mut().for_each(|test| test.reached = None);
        }
        if level < Level::Exposed {
            self.exposed_by.clear();
            self.tests.iter_mut().for_each(|test| {
                test.exposes.clear();
                test.too_broad = None;
            });
        }
        if level < Level::All {
            self.hints.iter_mut().for_each(|hint| hint.mutant = None);
        }
        if level < Level::Count {
            self.score = None;
            self.coverage = None;
            self.hints.clear();
        }
        self
    }

    /// The number of valid tests.
    pub fn valid_tests(&self) -> usize {
        self.tests.len() - self.rejected().count()
    }

    /// The number of rejected files, including those that are not listed.
    pub fn rejected_tests(&self) -> usize {
        self.rejected().count() + self.more_rejected
    }

    /// The rejected tests that are listed.
    pub fn rejected(&self) -> impl Iterator<Item = &TestReport> {
        self.tests.iter().filter(|test| test.status == Status::Rejected)
    }

    /// Those of `mutants` that the suite does not expose.
    pub fn missed<'a>(
        &self,
        mutants: &'a [MutantReport],
    ) -> impl Iterator<Item = &'a MutantReport> {
        mutants.iter().filter(|mutant| !self.exposed_by.contains_key(&mutant.id))
    }
}

/// The mutants that a reader at `level` may see.
pub fn mutants_for_level(mutants: &[Mutant], level: Level) -> Vec<MutantReport> {
    if level == Level::All { mutants.iter().map(MutantReport::from).collect() } else { Vec::new() }
}
