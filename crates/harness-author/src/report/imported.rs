//! What `init --from` has taken over from a package, as text and as JSON.

use harness::domain::How;
use harness::report::screen::{BAD, STRONG, Screen, WriteText};
use harness::report::table::Table;
use harness::report::words::counted;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// The version of the document that `init --from PACKAGE --format json` writes.
pub const SCHEMA: &str = "harness-imported/1";

/// What was taken over from a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Imported {
    /// `harness-imported/1`.
    pub schema: String,
    /// The assignment's id.
    pub assignment: String,
    /// The folder of the new course.
    pub folder: String,
    /// The version of the package's format.
    pub format: String,
    /// The accepted submission that is the reference.
    pub reference: String,
    /// The other accepted submissions.
    pub accepted: Vec<Accepted>,
    /// The wrong submissions, which are mutants.
    pub mutants: Vec<Wrong>,
    /// The number of tests.
    pub tests: usize,
    /// The file of the shape. Absent if the package has no checktestdata script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<String>,
    /// The number of validators.
    pub validators: usize,
    /// The judge, as the course file names it.
    pub judge: String,
    /// The parts of the package that are not in the course.
    pub left_out: Vec<Remark>,
    /// What is wrong with the data: inputs that the shape, a validator or the reference rejects, and answers that are missing.
    pub data_problems: Vec<Remark>,
}

/// An accepted submission beside the reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accepted {
    /// Its path in the package.
    pub submission: String,
    /// Where and how it differs from the answers or the reference. Absent if it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differs: Option<String>,
}

/// A wrong submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrong {
    /// The mutant's id.
    pub id: String,
    /// Its path in the package.
    pub submission: String,
    /// What the package expects of it.
    pub expected: Verdict,
    /// The smallest input that exposes it, and how: as expected, if there is such an input. Absent if no input exposes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exposed: Option<ExposedBy>,
}

/// What exposes a wrong submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExposedBy {
    /// The input's path in the package.
    pub input: String,
    pub how: How,
    /// Whether the input is the mutant's witness. One that is too long, or no text, is not.
    pub is_witness: bool,
}

/// A part of a package, and what is said of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remark {
    /// Its path in the package.
    pub part: String,
    pub reason: String,
}

/// What a package expects of a wrong submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    WrongAnswer,
    TimeLimitExceeded,
    RunTimeError,
    /// Any of these.
    Rejected,
}

impl Verdict {
    /// The words in reports.
    pub fn words(self) -> &'static str {
        match self {
            Self::WrongAnswer => "wrong answer",
            Self::TimeLimitExceeded => "time limit exceeded",
            Self::RunTimeError => "run-time error",
            Self::Rejected => "rejected",
        }
    }

    /// Whether a submission that differs in this way does what is expected.
    pub fn is(self, how: How) -> bool {
        match self {
            Self::WrongAnswer => matches!(how, How::Output | How::OutputLimit),
            Self::TimeLimitExceeded => how == How::Timeout,
            Self::RunTimeError => matches!(how, How::Exit | How::Crash | How::Memory),
            Self::Rejected => true,
        }
    }
}

/// How many lines of a kind are shown.
const MOST: usize = 20;

impl WriteText for Imported {
    fn write_text(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let Self { assignment, folder, format, reference, .. } = self;
        let text = format!("Wrote the course {assignment} to {folder}, from a package ({format})");
        screen.prose(out, &text)?;
        writeln!(out, "\nReference: {reference}")?;
        let mut table = Table::new(2);
        for Accepted { submission, differs } in &self.accepted {
            let text = match differs {
                None => "agrees".to_owned(),
                Some(how) => screen.styled(BAD, &format!("differs: {how}")),
            };
            table.row([submission.clone(), text]);
        }
        table.write(out, screen)?;
        self.write_mutants(out, screen)?;
        let shape = self.shape.as_deref().map_or("no shape".to_owned(), |it| format!("shape {it}"));
        let (tests, validators) =
            (counted(self.tests, "test"), counted(self.validators, "validator"));
        writeln!(out, "\nInputs: {tests}, {shape}, {validators}")?;
        writeln!(out, "Judge: {}", self.judge)?;
        write_parts(out, screen, "Problems of the data", &self.data_problems)?;
        write_parts(out, screen, "Left out", &self.left_out)?;
        self.write_next(out)
    }
}

impl Imported {
    fn write_mutants(&self, out: &mut String, screen: Screen) -> fmt::Result {
        writeln!(out, "\nMutants: {}", counted(self.mutants.len(), "wrong submission"))?;
        let mut table = Table::new(2);
        for mutant in &self.mutants {
            let expected = mutant.expected.words();
            let text = match &mutant.exposed {
                None => screen.styled(BAD, &format!("{expected}: no test exposes it")),
                Some(by) => {
                    let unexpected = if mutant.expected.is(by.how) { "" } else { ", unexpected" };
                    let long = if by.is_witness { "" } else { ", too long for a witness" };
                    let how = by.how.word();
                    format!("{expected}: exposed by {} ({how}{unexpected}{long})", by.input)
                }
            };
            table.row([screen.styled(STRONG, &mutant.id), text]);
        }
        table.write(out, screen)
    }

    fn write_next(&self, out: &mut String) -> fmt::Result {
        let folder = &self.folder;
        writeln!(out, "\nNext:\n")?;
        if self.mutants.is_empty() {
            return self.write_next_without_mutants(out);
        }
        let lacks_witness =
            |mutant: &Wrong| !mutant.exposed.as_ref().is_some_and(|by| by.is_witness);
        if self.shape.is_some() && self.mutants.iter().any(lacks_witness) {
            writeln!(out, "    harness mutants witness --missing --course {folder}")?;
        }
        writeln!(out, "    harness score --course {folder} {folder}/tests")?;
        if self.shape.is_some() {
            writeln!(out, "    harness generate --course {folder} --out found")?;
        }
        Ok(())
    }

    /// Nothing can be scored before there is a mutant.
    fn write_next_without_mutants(&self, out: &mut String) -> fmt::Result {
        let folder = &self.folder;
        writeln!(out, "    harness mutants propose --course {folder}")?;
        if self.shape.is_some() {
            writeln!(out, "    harness generate --course {folder} --against PROGRAM --out found")?;
        }
        Ok(())
    }
}

fn write_parts(out: &mut String, screen: Screen, what: &str, parts: &[Remark]) -> fmt::Result {
    if parts.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{what}")?;
    for Remark { part, reason } in parts.iter().take(MOST) {
        screen.field(out, &format!("  {part}: "), reason)?;
    }
    match parts.len().saturating_sub(MOST) {
        0 => Ok(()),
        more => writeln!(out, "  and {more} more"),
    }
}
