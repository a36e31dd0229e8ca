//! What `generate --against` found about a program, as JSON. [`text`] writes it for a person.

mod text;

pub use text::not_contained;

use crate::domain::How;
use crate::generate::against as generate;
use crate::result::explain;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use subject::{End, Outcome};

/// What was found about a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Against {
    /// The program's command line, word by word.
    pub program: Vec<String>,
    /// The smallest known case of each deviation.
    pub differences: Vec<ProgramDifference>,
    /// Differences that were not looked into: no file or no time was left.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<Way>,
    /// Differences that did not show when the same case was run again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsteady: Vec<Way>,
    /// Cases on which the program is right, but takes longer than its limit. No file is written for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slow: Vec<SlowCase>,
    /// Differences in forms of a file that the assignment's document does not promise. No file is written for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub formatting: Vec<FormDifference>,
    /// The number of small cases that were tried, in order of size.
    pub small_cases: u64,
    /// The number of random cases that were tried.
    pub random_cases: u64,
    /// The number of cases beside these that the reference or a validator rejects.
    #[serde(default)]
    pub invalid_cases: u64,
    /// The number of these cases on which the program differs.
    pub differing_cases: u64,
    /// The number of differing cases that were told apart.
    pub told_apart: usize,
    /// Why it is not known where the program is wrong, if its source was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_located: Option<String>,
    /// The number of these cases on which the program was slow, so that it is unknown or too late what it answers.
    pub slow_cases: u64,
    /// Whether the program differs on all of these cases.
    pub on_every_case: bool,
    /// Why the program ran without the sandbox: it could read and write what the user can. Absent if it ran in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_contained: Option<String>,
}

/// A way in which a program differs from the reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Way {
    /// The flags of the cases on which it differs.
    pub flags: String,
    /// How the outcomes differ.
    pub how: How,
}

/// A deviation: one way in which the program differs, with its smallest known case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProgramDifference {
    /// The name of the test's file.
    pub file: String,
    /// The flags of this case.
    pub flags: String,
    /// All flags with which the program differs like this on the same input.
    pub all_flags: Vec<String>,
    /// The size of the input.
    #[serde(rename = "area")]
    pub size: usize,
    /// How far the case was reduced.
    pub reduction: Reduction,
    /// A mutant such that the program differs on nearly every tried case that exposes it, and does the same on this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resembles: Option<String>,
    /// On how many of the differing cases that were told apart it shows.
    pub shows_on: usize,
    /// The lines of the program that its runs with a wrong answer reach more often than those with a right one, the most suspicious first.
    #[serde(rename = "where", default, skip_serializing_if = "Vec::is_empty")]
    pub suspects: Vec<SuspectLines>,
    /// What both did.
    pub outcomes: Outcomes,
}

/// Lines of a program that may be wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SuspectLines {
    /// The name of the file.
    pub file: String,
    /// The first and the last line.
    pub lines: [usize; 2],
    /// The text of the first line.
    pub text: String,
    /// How many runs with a wrong answer reach them.
    pub wrong: usize,
    /// How many runs with a right answer reach them.
    pub right: usize,
    /// Ochiai's measure, from 0 to 1: how well the lines tell the wrong runs from the right ones.
    pub score: f64,
}

/// How far a case was reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reduction {
    /// Every smaller case was tried.
    Certified,
    /// Every single step was tried, and none works.
    Complete,
    /// Time ran out after some steps.
    Partial,
    /// Time ran out before the first step worked.
    OutOfTime,
    /// The program was stopped early on a smaller case, but ended when it got more time.
    Unconfirmed,
}

/// A case on which the program is right, but slow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SlowCase {
    /// The flags in the file's name.
    pub flags: String,
    /// The arguments of the program.
    pub args: Vec<String>,
    /// The test.
    pub input: String,
    /// The limit that it exceeds.
    pub limit_seconds: f64,
    /// The time within which it ends.
    pub within_seconds: f64,
}

/// A difference that shows only if a file is written in a form that the document does not promise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FormDifference {
    /// What is unusual about the file.
    pub form: String,
    /// All flags with which it was seen.
    pub all_flags: Vec<String>,
    /// What both did on an example.
    pub outcomes: Outcomes,
}

/// What the reference and the program did on a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Outcomes {
    /// The arguments of the program.
    pub args: Vec<String>,
    /// The test.
    pub input: String,
    /// How the outcomes differ.
    pub how: How,
    /// What exactly is wrong, if the harness can tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    pub reference: Printed,
    pub program: Printed,
}

/// The outcome of a program, with the beginning of its output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Printed {
    /// How it ended, as a phrase such as `exits with status 1`.
    pub end: String,
    /// The first 4 KB of standard output.
    pub stdout: String,
    /// The first 4 KB of standard error.
    pub stderr: String,
    /// The first 4 KB of each file that it wrote, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
}

impl From<generate::Reduction> for Reduction {
    fn from(reduction: generate::Reduction) -> Self {
        match reduction {
            generate::Reduction::Certified => Self::Certified,
            generate::Reduction::Complete => Self::Complete,
            generate::Reduction::Partial => Self::Partial,
            generate::Reduction::OutOfTime => Self::OutOfTime,
            generate::Reduction::Unconfirmed => Self::Unconfirmed,
        }
    }
}

impl Reduction {
    fn words(self) -> &'static str {
        match self {
            Self::Certified => "certified for the cases below",
            Self::Complete => "no single step makes it smaller",
            Self::Partial => "not fully reduced: time ran out",
            Self::OutOfTime => "not reduced: time ran out",
            Self::Unconfirmed => "not reduced: the program ends on the smaller test that was tried",
        }
    }
}

impl Outcomes {
    /// What both did, as an interactor sees it if they talk with one, or what they printed.
    pub fn of(reference: &Outcome, program: &Outcome, they_talk: bool) -> [Printed; 2] {
        if !they_talk || !explain::is_refused(reference, program) {
            return [reference, program].map(Printed::from);
        }
        let [accepted, refused] = explain::TALKED.map(|end| Printed {
            end: end.to_owned(),
            stdout: String::new(),
            stderr: String::new(),
            files: BTreeMap::new(),
        });
        let stderr = String::from_utf8_lossy(&program.stderr).into_owned();
        [accepted, Printed { stderr, ..refused }]
    }
}

impl From<&Outcome> for Printed {
    fn from(outcome: &Outcome) -> Self {
        let end = match &outcome.end {
            End::Exit(status) => format!("exits with status {status}"),
            End::Crash(how) => format!("crashes ({how})"),
            End::Timeout => "does not finish in time".to_owned(),
            End::Memory => "runs out of memory".to_owned(),
            End::OutputLimit => "prints or writes more than the course allows".to_owned(),
        };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let files =
            outcome.files.iter().map(|(name, contents)| (name.clone(), text(contents))).collect();
        Self { end, stdout: text(&outcome.stdout), stderr: text(&outcome.stderr), files }
    }
}
