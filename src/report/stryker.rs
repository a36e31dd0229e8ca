//! `--format stryker`: a mutation-testing report, version 2, which opens in the viewer `mutation-testing-elements`.
//!
//! It shows the source of the reference with each mutant at its `bug!`. The suites of a class count as one: a mutant is killed if any
//! suite exposes it.

use super::writer::{About, Writer};
use crate::course::{Points, Scoring};
use crate::domain::How;
use crate::result::{MutantReport, Status, SuiteReport};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// A source file that contains mutants.
pub struct Source {
    /// Relative to the course, with `/`.
    pub path: String,
    /// The programming language.
    pub language: &'static str,
    /// The contents of the file.
    pub text: String,
    pub places: Vec<MutantSpan>,
}

/// The place of a mutant in a file.
pub struct MutantSpan {
    /// The id of the mutant.
    pub mutant: String,
    /// The part of the assignment that the bug is in.
    pub topic: String,
    pub start: Position,
    /// The position after its last character.
    pub end: Position,
    pub replacement: Option<&'static str>,
}

/// A line and a column, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

/// Collects which tests reach and expose each mutant, and writes the document at the end.
pub struct Stryker<W: Write> {
    out: W,
    /// The sources of each assignment, by the assignment's id.
    sources: BTreeMap<String, Vec<Source>>,
    assignment: String,
    seen: Vec<MutantRun>,
    document: Document,
}

/// The tests that reach and expose a mutant.
struct MutantRun {
    id: String,
    summary: String,
    killed_by: Vec<(String, How)>,
    covered_by: Vec<String>,
    /// Whether it is unknown which mutants one of the tests reaches.
    may_be_covered: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    schema_version: &'static str,
    thresholds: Thresholds,
    framework: Framework,
    files: BTreeMap<String, File>,
    test_files: BTreeMap<String, TestFile>,
}

#[derive(Serialize)]
struct Thresholds {
    high: u32,
    low: u32,
}

#[derive(Serialize)]
struct Framework {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct File {
    language: &'static str,
    source: String,
    mutants: Vec<Mutant>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Mutant {
    id: String,
    mutator_name: String,
    description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    replacement: Option<&'static str>,
    location: Location,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_reason: Option<String>,
    killed_by: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    covered_by: Option<Vec<String>>,
}

#[derive(Serialize)]
struct Location {
    start: Position,
    end: Position,
}

#[derive(Default, Serialize)]
struct TestFile {
    tests: Vec<Test>,
}

#[derive(Serialize)]
struct Test {
    id: String,
    name: String,
}

impl<W: Write> Stryker<W> {
    /// A writer of reports on the mutants in `sources`, which are by the assignment's id.
    pub fn new(out: W, sources: BTreeMap<String, Vec<Source>>) -> Self {
        let document = Document {
            schema_version: "2.0",
            thresholds: Thresholds { high: 0, low: 0 },
            framework: Framework {
                name: env!("CARGO_PKG_NAME"),
                version: env!("CARGO_PKG_VERSION"),
            },
            files: BTreeMap::new(),
            test_files: BTreeMap::new(),
        };
        Self { out, sources, assignment: String::new(), seen: Vec::new(), document }
    }
}

impl<W: Write> Writer for Stryker<W> {
    fn assignment(&mut self, about: &About<'_>) -> io::Result<()> {
        self.assignment.clone_from(&about.assignment.id);
        let seen = |mutant: &MutantReport| MutantRun {
            id: mutant.id.clone(),
            summary: mutant.summary.clone(),
            killed_by: Vec::new(),
            covered_by: Vec::new(),
            may_be_covered: false,
        };
        self.seen = about.mutants.iter().map(seen).collect();
        if self.document.thresholds.high == 0 {
            self.document.thresholds = thresholds(&about.assignment.scoring, about.mutants);
        }
        Ok(())
    }

    fn suite(&mut self, suite: &SuiteReport) -> io::Result<()> {
        let file = format!("{}/{}", self.assignment, suite.name);
        let id = |test: &str| format!("{file}/{test}");
        let mut tests = Vec::new();
        for test in suite.tests.iter().filter(|test| test.status == Status::Valid) {
            tests.push(Test { id: id(&test.file), name: test.file.clone() });
            for (index, seen) in self.seen.iter_mut().enumerate() {
                match &test.reached {
                    Some(reached) if reached.contains(index) => {
                        seen.covered_by.push(id(&test.file));
                    }
                    Some(_) => {}
                    None => seen.may_be_covered = true,
                }
            }
        }
        for seen in &mut self.seen {
            let exposures = suite.exposed_by.get(&seen.id).into_iter().flatten();
            seen.killed_by.extend(exposures.map(|exposure| (id(&exposure.file), exposure.how)));
        }
        self.document.test_files.entry(file).or_default().tests.extend(tests);
        Ok(())
    }

    fn end_assignment(&mut self) -> io::Result<()> {
        let mut seen: BTreeMap<_, _> =
            self.seen.drain(..).map(|seen| (seen.id.clone(), seen)).collect();
        for source in self.sources.remove(&self.assignment).unwrap_or_default() {
            let mutants: Vec<_> = source
                .places
                .into_iter()
                .filter_map(|place| {
                    seen.remove(&place.mutant).map(|seen| mutant(place, seen, &self.assignment))
                })
                .collect();
            // Two assignments may share a source file.
            let file = File { language: source.language, source: source.text, mutants: Vec::new() };
            self.document.files.entry(source.path).or_insert(file).mutants.extend(mutants);
        }
        Ok(())
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, &self.document)?;
        writeln!(self.out)?;
        self.out.flush()
    }
}

fn mutant(place: MutantSpan, seen: MutantRun, assignment: &str) -> Mutant {
    let status = seen.status();
    let reason = seen.killed_by.first().map(|(test, how)| format!("{test}: {}", how.word()));
    let is_covered_known = !seen.may_be_covered;
    Mutant {
        id: format!("{assignment}/{}", seen.id),
        mutator_name: place.topic,
        description: format!("{}: {}", seen.id, seen.summary),
        replacement: place.replacement,
        location: Location { start: place.start, end: place.end },
        status,
        status_reason: reason,
        killed_by: seen.killed_by.into_iter().map(|(test, _)| test).collect(),
        covered_by: is_covered_known.then_some(seen.covered_by),
    }
}

impl MutantRun {
    fn status(&self) -> &'static str {
        if !self.killed_by.is_empty() {
            let all_time_out = self.killed_by.iter().all(|(_, how)| *how == How::Timeout);
            return if all_time_out { "Timeout" } else { "Killed" };
        }
        if self.covered_by.is_empty() && !self.may_be_covered { "NoCoverage" } else { "Survived" }
    }
}

/// The thresholds of the scoring, in percent of all that counts.
fn thresholds(scoring: &Scoring, mutants: &[MutantReport]) -> Thresholds {
    let mut known = BTreeSet::new();
    let mut all = Vec::new();
    for mutant in mutants {
        let is_first = mutant.behaviour.as_ref().is_none_or(|name| known.insert(name));
        if is_first || scoring.by.is_mutants() {
            all.push(if scoring.thresholds.are_bugs() { Points::ONE } else { mutant.points });
        }
    }
    let all: Points = all.into_iter().sum();
    let all = if all.is_zero() { Points::ONE } else { all };
    let share = |needed: Points| (needed.number() / all.number() * 100.0).round().min(100.0) as u32;
    Thresholds { high: share(scoring.full), low: share(scoring.start) }
}
