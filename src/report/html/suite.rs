//! A suite on the page: its score, the matrix of its tests and the mutants, drawings of its tests, and rejected files.

use super::bug::Bug;
use super::cells::Cells;
use super::ledger::{Graded, Valid};
use super::sketch::Sketch;
use super::{Open, in_script, percent, rendered};
use crate::course::{Level, Points};
use crate::domain::How;
use crate::report::words::{number, scored};
use crate::result::score::{Score, Worth};
use askama::Template;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Template)]
#[template(path = "suite.html")]
struct SuitePage<'a> {
    section: usize,
    noun: &'static str,
    title: &'a str,
    suite: &'a Graded,
    score: Option<ScoreBar>,
    /// The matrix, if the reader may see which mutants are exposed.
    matrix: Option<Matrix<'a>>,
    tests: Vec<TestCard<'a>>,
    /// The mutants whose details the reader may see.
    bugs: &'a [Bug],
    is_class: bool,
    /// The number of valid tests and of suites: the bugs' counts are parts of these.
    tests_in_all: usize,
    suites_in_all: usize,
    data: String,
}

/// A score, and the distance to each threshold.
pub(super) struct ScoreBar {
    pub(super) points: String,
    pub(super) max_points: String,
    pub(super) exposed: u32,
    pub(super) mutants: u32,
    /// The word for what counts.
    pub(super) noun: &'static str,
    pub(super) percent: f64,
    /// What the exposed bugs are worth, if thresholds count points.
    pub(super) worth: Option<Worth>,
    pub(super) thresholds: Vec<Threshold>,
}

pub(super) struct Threshold {
    pub(super) what: &'static str,
    pub(super) needed: Points,
    pub(super) percent: f64,
    pub(super) missing: Points,
}

/// The matrix: a row for each mutant, and a column for each test.
pub(super) struct Matrix<'a> {
    pub(super) tests: Vec<Column<'a>>,
    pub(super) rows: Vec<MatrixRow<'a>>,
    pub(super) legend: Vec<&'static Look>,
    pub(super) exposed: usize,
    pub(super) missed: usize,
}

pub(super) struct Column<'a> {
    pub(super) file: &'a str,
    /// The file's name without the parts that all tests' names share.
    pub(super) short: &'a str,
    pub(super) exposes: usize,
}

pub(super) struct MatrixRow<'a> {
    pub(super) bug: &'a Bug,
    pub(super) cells: Vec<Option<&'static Look>>,
    /// The shade of the count, from 0 (exposed by no test) to 4 (by the most).
    pub(super) heat: usize,
}

struct TestCard<'a> {
    test: &'a Valid,
    sketch: Option<&'a Sketch>,
    /// The number of mutants that only this test exposes.
    alone: usize,
}

/// The data for the page's script.
#[derive(Serialize)]
struct Data<'a> {
    tests: BTreeMap<&'a str, &'a str>,
    bugs: BTreeMap<usize, &'a str>,
    cells: &'a Cells,
}

/// The part of the page about a suite. Empty if there is no suite.
pub(super) fn html(open: &Open, bugs: &[Bug]) -> String {
    let Some(suite) = open.suites.first() else { return String::new() };
    let knows_exposed = open.level >= Level::Exposed;
    let has_details = bugs.iter().any(|bug| bug.notes.is_some());
    let tests_of = |mutant: usize| open.ledger.killers[mutant].len();
    let card = |test| card(test, open.sketches.get(&test.file), &tests_of);
    let data = if has_details {
        let tests =
            suite.tests.iter().map(|test| (test.file.as_str(), test.command.as_str())).collect();
        let ids = bugs.iter().map(|bug| (bug.mutant, bug.id.as_str())).collect();
        in_script(&Data { tests, bugs: ids, cells: &open.cells })
    } else {
        String::new()
    };
    rendered(&SuitePage {
        section: open.number,
        noun: open.noun,
        title: &open.title,
        suite,
        score: suite.score.as_ref().map(|score| ScoreBar::new(score, open.noun)),
        matrix: knows_exposed.then(|| Matrix::new(suite, bugs)),
        tests: suite.tests.iter().map(card).collect(),
        tests_in_all: suite.tests.len(),
        suites_in_all: 1,
        is_class: false,
        bugs: if has_details { bugs } else { &[] },
        data,
    })
}

fn card<'a>(
    test: &'a Valid,
    sketch: Option<&'a Sketch>,
    tests_of: &impl Fn(usize) -> usize,
) -> TestCard<'a> {
    let alone = test.exposes.iter().filter(|&&(mutant, _)| tests_of(mutant) == 1).count();
    TestCard { test, sketch, alone }
}

impl ScoreBar {
    pub(super) fn new(score: &Score, noun: &'static str) -> Self {
        let (reached, all) = (score.reached(), score.most().number());
        let threshold = |what, needed: Points| {
            let percent = percent(needed.number(), all).min(100.0);
            Threshold { what, needed, percent, missing: reached.missing_to(needed) }
        };
        let mut thresholds = vec![threshold("to start earning points", score.start)];
        thresholds.extend(
            score.extra_submission.map(|extra| threshold("for an extra submission", extra)),
        );
        thresholds.push(threshold("for full points", score.full));
        thresholds.sort_by_key(|threshold| threshold.needed);
        Self {
            points: number(score.points),
            max_points: number(score.max_points),
            exposed: score.exposed,
            mutants: score.mutants,
            noun: scored(score.by, noun),
            percent: percent(reached.number(), all),
            worth: score.worth,
            thresholds,
        }
    }
}

impl<'a> Matrix<'a> {
    pub(super) fn new(suite: &'a Graded, bugs: &'a [Bug]) -> Self {
        let mut rows: Vec<MatrixRow<'a>> = Vec::new();
        for bug in bugs {
            let cell = |test: &Valid| {
                test.exposes
                    .iter()
                    .find(|(mutant, _)| *mutant == bug.mutant)
                    .and_then(|&(_, how)| look(how))
            };
            let heat =
                if bug.tests == 0 { 0 } else { 1 + 3 * (bug.tests - 1) / suite.tests.len().max(1) };
            rows.push(MatrixRow { bug, cells: suite.tests.iter().map(cell).collect(), heat });
        }
        let seen = || rows.iter().flat_map(|row| &row.cells).flatten();
        let legend = LOOKS.iter().filter(|look| seen().any(|seen| seen.how == look.how)).collect();
        let all_in = file_of_all(&suite.tests);
        let tests = suite.tests.iter().map(|test| Column {
            file: &test.file,
            short: short(&test.file[all_in..]),
            exposes: test.exposes.len(),
        });
        let missed = rows.iter().filter(|row| row.bug.tests == 0).count();
        Self { tests: tests.collect(), legend, exposed: rows.len() - missed, missed, rows }
    }
}

/// How a cell looks. It has a mark, because colour alone does not suffice.
pub(super) struct Look {
    pub(super) how: How,
    pub(super) mark: &'static str,
    pub(super) what: &'static str,
}

static LOOKS: [Look; 8] = [
    Look { how: How::Output, mark: "≠", what: "other output" },
    Look { how: How::Exit, mark: "x", what: "other exit status" },
    Look { how: How::Crash, mark: "!", what: "crash" },
    Look { how: How::Timeout, mark: "∞", what: "does not finish" },
    Look { how: How::Memory, mark: "M", what: "out of memory" },
    Look { how: How::OutputLimit, mark: "L", what: "too much output" },
    Look { how: How::Accepts, mark: "✓", what: "accepts what must be refused" },
    Look { how: How::Message, mark: "“", what: "other message" },
];

fn look(how: How) -> Option<&'static Look> {
    LOOKS.iter().find(|look| look.how == how)
}

/// How long the name of the file is in which all test cases are, with the colon after it.
fn file_of_all(tests: &[Valid]) -> usize {
    let file = |test: &Valid| test.file.find(':').map(|at| test.file[..=at].to_owned());
    let first = tests.first().and_then(file);
    let is_of_all = |name: &String| tests.iter().all(|test| test.file.starts_with(name.as_str()));
    first.filter(is_of_all).map_or(0, |name| name.len())
}

/// `1-qm` of `test-1-qm.txt`.
fn short(file: &str) -> &str {
    file.strip_prefix("test-").and_then(|rest| rest.strip_suffix(".txt")).unwrap_or(file)
}
