//! `--format csv`: a gradebook with a row for each student and assignment.
//!
//! A spreadsheet would evaluate a name that starts like a formula, so such a name is written as text.

use super::format::{About, Format};
use super::words::number;
use crate::course::Course;
use crate::result::SuiteReport;
use crate::result::score::Score;
use std::io::{self, Write};

const COLUMNS: [&str; 9] = [
    "student",
    "assignment",
    "points",
    "max_points",
    "bugs_exposed",
    "bugs",
    "extra_submission",
    "valid_tests",
    "rejected_tests",
];

/// Writes a row for each suite.
pub struct Csv<W: Write> {
    out: csv::Writer<W>,
    assignment: String,
}

impl<W: Write> Csv<W> {
    pub fn new(out: W) -> Self {
        Self { out: csv::Writer::from_writer(out), assignment: String::new() }
    }
}

impl<W: Write> Format for Csv<W> {
    fn begin(&mut self, _: &Course) -> io::Result<()> {
        Ok(self.out.write_record(COLUMNS)?)
    }

    fn assignment(&mut self, about: &About<'_>) -> io::Result<()> {
        self.assignment.clone_from(&about.assignment.id);
        Ok(())
    }

    fn suite(&mut self, suite: &SuiteReport) -> io::Result<()> {
        let [points, max_points, exposed, bugs, extra] =
            suite.score.as_ref().map(score).unwrap_or_default();
        let (valid, rejected) =
            (suite.valid_tests().to_string(), suite.rejected_files().to_string());
        let (student, assignment) = (as_text(&suite.name), as_text(&self.assignment));
        Ok(self.out.write_record([
            student, assignment, points, max_points, exposed, bugs, extra, valid, rejected,
        ])?)
    }

    fn end_assignment(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        self.out.flush()
    }
}

fn score(score: &Score) -> [String; 5] {
    let extra = match score.extra_submission {
        Some(needed) if score.exposed >= needed => "yes",
        Some(_) => "no",
        None => "",
    };
    let (exposed, bugs) = (score.exposed.to_string(), score.mutants.to_string());
    [number(score.points), number(score.max_points), exposed, bugs, extra.to_owned()]
}

/// A cell that a spreadsheet reads as text: what looks like a formula gets a quote in front.
pub(super) fn as_text(cell: &str) -> String {
    let is_formula =
        |c: char| matches!(c, '=' | '+' | '-' | '@' | '|' | '%' | '＝' | '＋' | '－' | '＠');
    // Some programs strip blanks or a quote before they look for a formula.
    let begins = cell
        .trim_start_matches(|c: char| c.is_whitespace() || c == '\'' || c == '"')
        .chars()
        .next();
    if begins.is_some_and(is_formula) { format!("'{cell}") } else { cell.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_begins_like_a_formula_is_text() {
        for name in ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "'=1", "＝1", "\"=1"] {
            assert_eq!(as_text(name), format!("'{name}"));
        }
        for name in ["ann", "o'neill", "a=b", ""] {
            assert_eq!(as_text(name), name);
        }
    }
}
