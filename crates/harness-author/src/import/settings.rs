//! What `problem.yaml` says of a package, and the flags for its data.

use super::tree::Tree;
use harness::course::yaml::{Source, Spanned};
use harness::diagnostic::{Failure, Problem, printable};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

pub(super) const FILE: &str = "problem.yaml";
/// The version of the format that packages have that name none.
const LEGACY: &str = "legacy";

/// What matters of `problem.yaml`. Packages have many other keys.
#[derive(Deserialize)]
pub(super) struct Settings {
    problem_format_version: Option<String>,
    name: Option<Name>,
    #[serde(rename = "type")]
    kind: Option<Spanned<PackageKind>>,
    validation: Option<Spanned<String>>,
    pub(super) validator_flags: Option<String>,
    #[serde(default)]
    pub(super) limits: PackageLimits,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a name, or a name in each language")]
enum Name {
    One(Word),
    ByLanguage(BTreeMap<String, Word>),
}

/// A word, which may look like a number.
#[derive(Clone, Deserialize)]
#[serde(from = "Scalar")]
pub(super) struct Word(pub(super) String);

#[derive(Deserialize)]
#[serde(untagged)]
enum Scalar {
    Text(String),
    Whole(i64),
    Number(f64),
    Truth(bool),
}

impl From<Scalar> for Word {
    fn from(scalar: Scalar) -> Self {
        Self(match scalar {
            Scalar::Text(text) => text,
            Scalar::Whole(number) => number.to_string(),
            Scalar::Number(number) => number.to_string(),
            Scalar::Truth(is_true) => is_true.to_string(),
        })
    }
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected the kind of the problem, or a list of kinds")]
enum PackageKind {
    One(String),
    Several(Vec<String>),
}

/// The kinds of problems that a course can have, and what `validation` says of problems of other kinds.
const INTERACTIVE: &str = "interactive";
const SUPPORTED: [&str; 3] = ["pass-fail", "scoring", INTERACTIVE];
const UNSUPPORTED: [&str; 2] = ["multi-pass", "submit-answer"];

impl PackageKind {
    /// The first word that says what a course cannot have, as the file spells it.
    fn unsupported(&self) -> Option<String> {
        self.words().into_iter().find(|word| !SUPPORTED.contains(word)).map(printable)
    }

    fn words(&self) -> Vec<&str> {
        match self {
            Self::One(words) => words.split_whitespace().collect(),
            Self::Several(words) => words.iter().map(String::as_str).collect(),
        }
    }
}

/// The limits on a run: seconds, and megabytes.
#[derive(Default, Deserialize)]
pub(super) struct PackageLimits {
    pub(super) time_limit: Option<f64>,
    time_multiplier: Option<f64>,
    time_multipliers: Option<Multipliers>,
    memory: Option<f64>,
    output: Option<f64>,
    validation_time: Option<f64>,
    validation_memory: Option<f64>,
}

#[derive(Deserialize)]
struct Multipliers {
    ac_to_time_limit: Option<f64>,
}

impl PackageLimits {
    /// How much longer than the slowest accepted submission a run may take.
    pub(super) fn multiplier(&self) -> f64 {
        let newer = self.time_multipliers.as_ref();
        let newer = newer.map(|all| all.ac_to_time_limit.unwrap_or(2.0));
        newer.or(self.time_multiplier).unwrap_or(5.0)
    }

    pub(super) fn memory_mb(&self) -> u64 {
        whole(self.memory, 2048)
    }

    pub(super) fn output_kb(&self) -> u64 {
        whole(self.output, 8) << 10
    }

    /// The seconds and megabytes of a checker.
    pub(super) fn of_checker(&self) -> (u64, u64) {
        (whole(self.validation_time, 60), whole(self.validation_memory, 2048))
    }
}

/// A limit as a positive whole number.
fn whole(limit: Option<f64>, default: u64) -> u64 {
    const MOST: f64 = 1e6;
    let limit = limit.filter(|limit| *limit > 0.0);
    limit.map_or(default, |limit| limit.min(MOST).ceil() as u64)
}

impl Settings {
    /// # Errors
    /// If there is no `problem.yaml`, it cannot be read, or the problem is of a kind that a course cannot have.
    pub(super) fn read(tree: &Tree) -> Result<Self, Failure> {
        if !tree.has(FILE) {
            let hint = if tree.has("problem.xml") {
                "this is a package of Polygon; convert it to the Kattis format first"
            } else {
                "a package of Kattis or ICPC has this file, with the problem's name and limits"
            };
            let problem = tree.problem(Path::new(FILE), "does not exist").hint(hint);
            return Err(Failure::usage(problem));
        }
        let source = Source::new(&tree.shown(Path::new(FILE)), tree.text(Path::new(FILE))?);
        let settings: Self = source.parse().map_err(Failure::usage)?;
        settings.check(&source).map_or(Ok(settings), |problem| Err(Failure::usage(problem)))
    }

    fn check(&self, source: &Source) -> Option<Problem> {
        let hint = "only problems in which a program prints an answer, once, or talks with a judge";
        let refused = |problem: Problem| Some(problem.hint(hint));
        if let Some((words, kind)) =
            self.kind.as_ref().and_then(|words| Some((words, words.value.unsupported()?)))
        {
            return refused(
                source.problem(words, format!("the problem is {kind}, which is not supported")),
            );
        }
        let words = self.validation.as_ref()?;
        let kind = UNSUPPORTED.iter().find(|kind| words.value.contains(**kind))?;
        refused(source.problem(words, format!("the problem is {kind}, which is not supported")))
    }

    /// Whether programs talk with the program that judges.
    pub(super) fn is_interactive(&self) -> bool {
        let is_kind = |kind: &Spanned<PackageKind>| kind.value.words().contains(&INTERACTIVE);
        let is_said = |words: &Spanned<String>| words.value.contains(INTERACTIVE);
        self.kind.as_ref().is_some_and(is_kind) || self.validation.as_ref().is_some_and(is_said)
    }

    /// The problem's name, in English if it has several.
    pub(super) fn name(&self) -> Option<&str> {
        let name = match self.name.as_ref()? {
            Name::One(name) => Some(name),
            Name::ByLanguage(names) => names.get("en").or_else(|| names.values().next()),
        };
        name.map(|name| name.0.as_str())
    }

    pub(super) fn format(&self) -> &str {
        self.problem_format_version.as_deref().unwrap_or(LEGACY)
    }

    /// Whether a program of the package judges outputs. `None` if only its presence says so, as in the newer format.
    pub(super) fn is_custom(&self) -> Option<bool> {
        let is_older = self.format() == LEGACY;
        let said = self.validation.as_ref().map(|words| words.value.starts_with("custom"));
        said.or(self.is_interactive().then_some(true)).or(is_older.then_some(false))
    }
}
