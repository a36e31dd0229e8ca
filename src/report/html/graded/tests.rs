//! The student's tests in a report: their score, the rejected ones, and the matrix if the reader may see it. The page of a suite shows
//! the same parts.

use super::super::bug::{self, Bug};
use super::super::ledger::{self, Ledger};
use super::super::rendered;
use super::super::suite::{Matrix, ScoreBar};
use super::About;
use crate::course::Level;
use crate::result::graded::SubmissionReport;
use askama::Template;

/// What a submission's page calls a mutant.
const NOUN: &str = "bug";

#[derive(Template)]
#[template(path = "graded/tests.html")]
struct Tests<'a> {
    section: &'a str,
    noun: &'static str,
    suite: &'a ledger::Graded,
    score: Option<ScoreBar>,
    matrix: Option<Matrix<'a>>,
    /// The cells of this matrix open nothing.
    data: &'static str,
}

/// The part of a section about the tests. Empty if they could not be run.
pub(super) fn html(report: &SubmissionReport, about: &About<'_>) -> String {
    let Some(suite) = &report.tests else { return String::new() };
    let (level, ids) = if about.mutants.is_empty() {
        (Level::Exposed, suite.exposed_by.keys().cloned().collect())
    } else {
        (Level::All, about.mutants.iter().map(|mutant| mutant.id.clone()).collect())
    };
    let mut ledger = Ledger::new(ids);
    let mut commands = report.groups.iter().flat_map(|group| &group.cases).map(|it| &it.command);
    let program = commands.find_map(|command| command.first());
    let suite = ledger.add(suite, program.map_or("", String::as_str));
    let bugs: Vec<Bug> = bug::bugs(&ledger, None, level, about.id);
    let matrix = (!bugs.is_empty() && !suite.tests.is_empty()).then(|| Matrix::new(&suite, &bugs));
    rendered(&Tests {
        section: about.id,
        noun: NOUN,
        score: suite.score.as_ref().map(|score| ScoreBar::new(score, NOUN)),
        matrix,
        suite: &suite,
        data: "",
    })
}
