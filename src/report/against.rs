//! What `generate --against` found of a program, for a person and for a machine.

use super::generated::{Generated, smallness};
use crate::domain::How;
use crate::problem::printable;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use subject::{End, Outcome};

/// What was found of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Against {
    /// The program's command line, word by word.
    pub program: Vec<String>,
    /// A case for each way in which it differs from the reference, the smallest first.
    pub differences: Vec<ProgramDifference>,
    /// Ways for which there was no file left.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<Way>,
    /// Ways that did not show when the same case was run again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsteady: Vec<Way>,
    /// How many small cases were tried, in order of size.
    pub small_cases: u64,
    /// How many random cases were tried.
    pub random_cases: u64,
    /// On how many of them the program differs.
    pub differing_cases: u64,
    /// On how many of them the program took long, and was not waited for.
    pub slow_cases: u64,
    /// Whether the program differs on every case that was tried.
    pub on_every_case: bool,
}

/// A sort of difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Way {
    /// The flags with which it shows.
    pub flags: String,
    /// In what way the program differs.
    pub how: How,
}

/// A case on which the program differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProgramDifference {
    /// The file that it was written to.
    pub file: String,
    /// The flags.
    pub flags: String,
    /// The contents of the file.
    pub input: String,
    /// The arguments that it was run with.
    pub args: Vec<String>,
    /// The area of its map.
    pub area: usize,
    /// Whether every smaller case was tried, so that none shows this.
    pub certified: bool,
    /// In what way the program differs.
    pub how: How,
    /// What exactly is wrong, where the harness can say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// On how many of the cases that were tried the program differs like this.
    pub cases: u64,
    /// What the reference did.
    pub reference: Printed,
    /// What the program did.
    pub program: Printed,
}

/// What a program did, with the beginning of what it printed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Printed {
    /// How it ended, in words.
    pub end: String,
    /// The first 4 KB of standard output.
    pub stdout: String,
    /// The first 4 KB of standard error.
    pub stderr: String,
    /// The first 4 KB of each file that it wrote, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
}

impl From<&Outcome> for Printed {
    fn from(outcome: &Outcome) -> Self {
        let end = match &outcome.end {
            End::Exit(status) => format!("exits with status {status}"),
            End::Crash(how) => format!("crashes ({how})"),
            End::Timeout => "does not end in time".to_owned(),
            End::Memory => "runs out of memory".to_owned(),
            End::OutputLimit => "prints more than the course allows".to_owned(),
        };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let files =
            outcome.files.iter().map(|(name, contents)| (name.clone(), text(contents))).collect();
        Self { end, stdout: text(&outcome.stdout), stderr: text(&outcome.stderr), files }
    }
}

/// Lines of an output, of a file and of an error message that a report for a person shows.
const OUTPUT_LINES: usize = 12;
const FILE_LINES: usize = 40;
const ERROR_LINES: usize = 3;
/// Lines that are alike and shown before the first that differs.
const LINES_BEFORE: usize = 3;

impl Against {
    pub(super) fn write(&self, report: &Generated, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, cases) = (printable(&self.program.join(" ")), report.cases);
        match (self.differing_cases, self.on_every_case) {
            (0, _) => writeln!(
                f,
                "{}: `{name}` differs from the reference on none of {cases} cases",
                report.assignment
            )?,
            (_, true) => {
                writeln!(
                    f,
                    "{}: `{name}` differs from the reference on every one of {cases} cases",
                    report.assignment
                )?;
                writeln!(
                    f,
                    "hint: is it this assignment's program? it gets the arguments and the input that are shown below"
                )?;
            }
            (differing, false) => {
                writeln!(
                    f,
                    "{}: `{name}` differs from the reference on {differing} of {cases} cases",
                    report.assignment
                )?;
            }
        }
        if let Some(folder) = &report.folder {
            writeln!(f, "\nWritten to {folder}, {}", report.selection)?;
        }
        self.differences
            .iter()
            .try_for_each(|difference| difference.write(&report.assignment, f))?;
        write_ways(f, "More ways in which it differs, without a file", &self.left_out)?;
        write_ways(
            f,
            "Seen once, and not again with the same file: the program does not always do the same",
            &self.unsteady,
        )?;
        writeln!(
            f,
            "\nTried: {} random cases, and {} small ones in order of size",
            self.random_cases, self.small_cases
        )?;
        if report.enumerated_area > 0 {
            writeln!(
                f,
                "Up to area {} that is all there are: {}",
                report.enumerated_area, report.alphabet
            )?;
        }
        if self.slow_cases > 0 {
            writeln!(
                f,
                "On {} more cases the program took long, and was not waited for",
                self.slow_cases
            )?;
        }
        Ok(())
    }
}

fn write_ways(f: &mut fmt::Formatter<'_>, what: &str, ways: &[Way]) -> fmt::Result {
    if !ways.is_empty() {
        writeln!(f, "\n{what}")?;
    }
    ways.iter().try_for_each(|way| writeln!(f, "  {} with the flags {}", way.how.word(), way.flags))
}

impl ProgramDifference {
    fn write(&self, assignment: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let like = if self.cases == 1 {
            "seen on 1 case".to_owned()
        } else {
            format!("seen on {} cases", self.cases)
        };
        writeln!(
            f,
            "\n  {}  {}; {like}; area {}, {}",
            self.file,
            self.how.word(),
            self.area,
            smallness(self.certified)
        )?;
        writeln!(f, "    {assignment} {}", self.args.join(" "))?;
        lines(f, &self.input, 0, FILE_LINES)?;
        if let Some(why) = &self.why {
            writeln!(f, "    it is wrong: {}", printable(why))?;
        }
        let alike = self
            .reference
            .stdout
            .lines()
            .zip(self.program.stdout.lines())
            .take_while(|(a, b)| a == b)
            .count();
        let from = alike.saturating_sub(LINES_BEFORE);
        self.reference.write("reference", from, f)?;
        self.program.write("program", from, f)
    }
}

impl Printed {
    fn write(&self, who: &str, from: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prints = if self.stdout.is_empty() { "prints nothing" } else { "prints" };
        writeln!(f, "    the {who} {}, and {prints}", printable(&self.end))?;
        lines(f, &self.stdout, from, OUTPUT_LINES)?;
        for (name, contents) in &self.files {
            writeln!(f, "    and writes {}", printable(name))?;
            lines(f, contents, 0, OUTPUT_LINES)?;
        }
        if self.end == "exits with status 0" || self.stderr.is_empty() {
            return Ok(());
        }
        writeln!(f, "    and on standard error")?;
        lines(f, &self.stderr, 0, ERROR_LINES)
    }
}

/// So many lines of `text`, beginning after `from`, and a word for what is left out.
fn lines(f: &mut fmt::Formatter<'_>, text: &str, from: usize, most: usize) -> fmt::Result {
    let count = text.lines().count();
    let from = from.min(count.saturating_sub(1));
    if from > 0 {
        writeln!(f, "      ({from} lines before)")?;
    }
    for line in text.lines().skip(from).take(most) {
        writeln!(f, "      {}", printable(line))?;
    }
    let rest = count.saturating_sub(from + most);
    if rest > 0 { writeln!(f, "      ({rest} lines more)") } else { Ok(()) }
}
