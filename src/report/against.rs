//! The differences that `generate --against` found, as text and as JSON.

use super::generated::{Generated, smallness};
use super::screen::{STRONG, Screen};
use super::words::counted;
use crate::domain::How;
use crate::problem::printable;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use subject::{End, Outcome};

/// The result of comparing a program with the reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Against {
    /// The program's command line, word by word.
    pub program: Vec<String>,
    /// One case for each way in which the program differs from the reference, smallest first.
    pub differences: Vec<ProgramDifference>,
    /// Ways that have no file, because the largest number of files is reached.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<Way>,
    /// Ways that did not appear when the same case was run again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsteady: Vec<Way>,
    /// The number of small cases that were tried, in order of size.
    pub small_cases: u64,
    /// The number of random cases that were tried.
    pub random_cases: u64,
    /// The number of these cases on which the program differs.
    pub differing_cases: u64,
    /// The number of these cases on which the program was slow and was stopped.
    pub slow_cases: u64,
    /// Whether the program differs on all of these cases.
    pub on_every_case: bool,
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

/// A case on which the program differs from the reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProgramDifference {
    /// The name of the test's file.
    pub file: String,
    /// The flags in the file's name.
    pub flags: String,
    /// The contents of the file.
    pub input: String,
    /// The arguments of both programs.
    pub args: Vec<String>,
    /// The area of the map.
    pub area: usize,
    /// Whether every smaller case was tried, so that this is a smallest one.
    pub certified: bool,
    /// How the outcomes differ.
    pub how: How,
    /// What exactly is wrong, if the domain can tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The number of tried cases on which the program differs in this way.
    pub cases: u64,
    /// What the reference did.
    pub reference: Printed,
    /// What the program did.
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

impl From<&Outcome> for Printed {
    fn from(outcome: &Outcome) -> Self {
        let end = match &outcome.end {
            End::Exit(status) => format!("exits with status {status}"),
            End::Crash(how) => format!("crashes ({how})"),
            End::Timeout => "does not finish in time".to_owned(),
            End::Memory => "runs out of memory".to_owned(),
            End::OutputLimit => "prints more than the course allows".to_owned(),
        };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let files =
            outcome.files.iter().map(|(name, contents)| (name.clone(), text(contents))).collect();
        Self { end, stdout: text(&outcome.stdout), stderr: text(&outcome.stderr), files }
    }
}

/// The most lines of an output, a file and an error message that the text shows.
const OUTPUT_LINES: usize = 12;
const FILE_LINES: usize = 40;
const ERROR_LINES: usize = 3;
/// The most equal lines before the first difference that the text shows.
const LINES_BEFORE: usize = 3;

impl Against {
    pub(super) fn write(
        &self,
        report: &Generated,
        out: &mut String,
        screen: Screen,
    ) -> fmt::Result {
        let (name, cases) = (printable(&self.program.join(" ")), report.cases);
        let how_many = match (self.differing_cases, self.on_every_case) {
            (0, _) => format!("none of {cases}"),
            (_, true) => format!("every one of {cases}"),
            (differing, false) => format!("{differing} of {cases}"),
        };
        let assignment = &report.assignment;
        let text = format!("{assignment}: `{name}` differs from the reference on {how_many} cases");
        screen.prose(out, &text)?;
        if self.on_every_case && self.differing_cases > 0 {
            let hint = "hint: is it this assignment's program? it gets the arguments and the input \
                shown below";
            screen.prose(out, hint)?;
        }
        if let Some(folder) = &report.folder {
            writeln!(out)?;
            let files = counted(report.files.len(), "test");
            screen.prose(out, &format!("Wrote {files} to {folder}, {}", report.selection))?;
        }
        self.differences
            .iter()
            .try_for_each(|difference| difference.write(assignment, out, screen))?;
        write_ways(out, "More differences, without a file", &self.left_out)?;
        write_ways(
            out,
            "Seen once, but not when the same test was run again: the program is not deterministic",
            &self.unsteady,
        )?;
        self.write_effort(report, out, screen)
    }

    fn write_effort(&self, report: &Generated, out: &mut String, screen: Screen) -> fmt::Result {
        let (random, small) = (self.random_cases, self.small_cases);
        writeln!(out, "\nTried: {random} random cases, and {small} small ones in order of size")?;
        if report.enumerated_area > 0 {
            let (area, alphabet) = (report.enumerated_area, &report.alphabet);
            screen.prose(out, &format!("These are all cases up to area {area}: {alphabet}"))?;
        }
        if self.slow_cases > 0 {
            writeln!(out, "On {} more cases, the program was too slow", self.slow_cases)?;
        }
        Ok(())
    }
}

fn write_ways(out: &mut String, what: &str, ways: &[Way]) -> fmt::Result {
    if !ways.is_empty() {
        writeln!(out, "\n{what}")?;
    }
    ways.iter()
        .try_for_each(|way| writeln!(out, "  {} with the flags {}", way.how.word(), way.flags))
}

impl ProgramDifference {
    fn write(&self, assignment: &str, out: &mut String, screen: Screen) -> fmt::Result {
        let seen = format!("seen on {}", counted(self.cases as usize, "case"));
        let (how, size) = (self.how.word(), smallness(self.certified));
        writeln!(out)?;
        let facts = format!("{how}; {seen}; area {}, {size}", self.area);
        screen.field(out, &format!("  {}  ", screen.styled(STRONG, &self.file)), &facts)?;
        screen.field(out, "    ", &format!("{assignment} {}", self.args.join(" ")))?;
        lines(out, screen, &self.input, 0, FILE_LINES)?;
        if let Some(why) = &self.why {
            screen.field(out, "    wrong: ", &printable(why))?;
        }
        let same = self
            .reference
            .stdout
            .lines()
            .zip(self.program.stdout.lines())
            .take_while(|(a, b)| a == b)
            .count();
        let from = same.saturating_sub(LINES_BEFORE);
        self.reference.write("reference", from, out, screen)?;
        self.program.write("program", from, out, screen)
    }
}

impl Printed {
    fn write(&self, who: &str, from: usize, out: &mut String, screen: Screen) -> fmt::Result {
        let prints = if self.stdout.is_empty() { "prints nothing" } else { "prints" };
        writeln!(out, "    the {who} {}, and {prints}", printable(&self.end))?;
        lines(out, screen, &self.stdout, from, OUTPUT_LINES)?;
        for (name, contents) in &self.files {
            screen.field(out, "    and writes ", &printable(name))?;
            lines(out, screen, contents, 0, OUTPUT_LINES)?;
        }
        if self.end == "exits with status 0" || self.stderr.is_empty() {
            return Ok(());
        }
        writeln!(out, "    and on standard error")?;
        lines(out, screen, &self.stderr, 0, ERROR_LINES)
    }
}

/// Writes at most `most` lines of `text` after the first `from`, and how many are left out.
fn lines(out: &mut String, screen: Screen, text: &str, from: usize, most: usize) -> fmt::Result {
    let count = text.lines().count();
    let from = from.min(count.saturating_sub(1));
    if from > 0 {
        writeln!(out, "      ({from} lines before)")?;
    }
    for line in text.lines().skip(from).take(most) {
        screen.cut(out, &format!("      {}", printable(line)))?;
    }
    let rest = count.saturating_sub(from + most);
    if rest > 0 { writeln!(out, "      ({rest} more lines)") } else { Ok(()) }
}
