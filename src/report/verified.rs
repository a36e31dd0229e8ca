//! The result of `mutants verify`, as text and as JSON.

use super::screen::{BAD, GOOD, Screen, WriteText};
use crate::diagnostic::Problem;
use crate::result::engines::SlowerProgram;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The version of the document that `mutants verify --format json` writes.
pub const SCHEMA: &str = "harness-verified/1";

/// What `mutants verify` checked, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verified {
    /// `harness-verified/1`.
    pub schema: String,
    /// A result for each assignment.
    pub assignments: Vec<VerifiedAssignment>,
}

/// The result of one assignment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerifiedAssignment {
    pub assignment: String,
    /// The ids of the mutants that were checked.
    pub mutants: Vec<String>,
    /// The ids of those that are declared equivalent.
    pub equivalent: Vec<String>,
    /// Whether each mutant was built on its own.
    pub isolated: bool,
    /// Whether these builds were optimized, as an autograder's are.
    pub optimized: bool,
    /// Whether there is a combined build, and it was compared with the reference.
    pub combined: bool,
    /// The cases that all mutants were run on.
    pub corpus: Corpus,
    /// The ids of the mutants that no sample suite of unit tests exposes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missed: Vec<String>,
    /// The number of runs that were compared with processes, because another engine runs them.
    pub compared_runs: u64,
    /// The programs that ran by a slower engine than others of their kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<SlowerProgram>,
    /// What is wrong. Empty if all mutants are verified.
    pub problems: Vec<Wrong>,
}

/// The number of cases from each source. A case that several sources have is counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Corpus {
    /// Witnesses of mutants.
    pub witnesses: usize,
    /// Tests of the sample suite.
    pub tests: usize,
    /// Random cases.
    pub samples: usize,
}

impl Corpus {
    /// The number of cases.
    pub fn cases(&self) -> usize {
        self.witnesses + self.tests + self.samples
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrong {
    /// What is wrong.
    pub message: String,
    /// The file that it is in, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl From<&Problem> for Wrong {
    fn from(problem: &Problem) -> Self {
        let place = problem.place.as_ref();
        Self {
            message: problem.message.clone(),
            file: place.map(|place| place.file.display().to_string()),
            line: place.map(|place| place.line),
            hint: problem.hint.clone(),
        }
    }
}

impl WriteText for Verified {
    fn write_text(&self, out: &mut String, screen: Screen) -> fmt::Result {
        self.assignments.iter().try_for_each(|assignment| {
            assignment.write(out, screen)?;
            screen.notes(out, &assignment.engines)
        })
    }
}

impl VerifiedAssignment {
    fn write(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let (assignment, mutants) = (&self.assignment, counted(self.mutants.len(), "mutant"));
        if !self.problems.is_empty() {
            let problems = screen.styled(BAD, &counted(self.problems.len(), "problem"));
            return screen.prose(out, &format!("{assignment}: {mutants} checked, {problems}"));
        }
        let by = match (self.isolated, self.combined) {
            (true, true) => "each by its witness, in an isolated build and in the combined build",
            (true, false) => "each by its witness, in an isolated build",
            (false, _) => {
                "each by its witness, in the combined build; --fast skipped the isolated builds"
            }
        };
        let verified = screen.styled(GOOD, "verified");
        screen.prose(out, &format!("{assignment}: {mutants} {verified}, {by}"))?;
        if !self.equivalent.is_empty() {
            let ids = self.equivalent.join(", ");
            screen.prose(out, &format!("  declared equivalent, and not exposed: {ids}"))?;
        }
        let Corpus { witnesses, tests, samples } = self.corpus;
        let parts: Vec<_> =
            [(witnesses, "witness"), (tests, "sample test"), (samples, "random case")]
                .iter()
                .filter(|(count, _)| *count > 0)
                .map(|(count, what)| counted(*count, what))
                .collect();
        let (cases, parts) = (counted(self.corpus.cases(), "case"), parts.join(", "));
        let text = if self.combined {
            format!("  the combined build equals the reference on {cases} ({parts})")
        } else {
            format!("  run on {cases} ({parts})")
        };
        screen.prose(out, &text)?;
        if !self.missed.is_empty() {
            let ids = self.missed.join(", ");
            screen.prose(out, &format!("  no sample suite exposes: {ids}"))?;
        }
        match self.compared_runs {
            0 => Ok(()),
            runs => screen.prose(out, &format!("  {runs} runs equal those of processes")),
        }
    }
}

fn counted(count: usize, what: &str) -> String {
    match (count, what) {
        (1, what) => format!("1 {what}"),
        (count, "witness") => format!("{count} witnesses"),
        (count, what) => format!("{count} {what}s"),
    }
}
