//! `--format csv`: a gradebook with a row for each student and assignment.
//!
//! A spreadsheet would evaluate a name that starts like a formula, so such a name is written as text.

use super::words::{notes, number};
use super::writer::{About, Writer};
use crate::course::Course;
use crate::result::score::Score;
use crate::result::{LeftOut, SuiteReport};
use std::io::{self, Write};

const COLUMNS: [&str; 10] = [
    "student",
    "assignment",
    "points",
    "max_points",
    "bugs_exposed",
    "bugs",
    "extra_submission",
    "valid_tests",
    "rejected_tests",
    "note",
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

impl<W: Write> Csv<W> {
    /// The gradebook of a run that failed: a row for each reason.
    pub(super) fn failed(mut self, reasons: &[String]) -> io::Result<()> {
        self.out.write_record(COLUMNS)?;
        for reason in reasons {
            self.out.write_record(in_note(["", ""], format!("not scored: {reason}")))?;
        }
        self.out.flush()
    }
}

/// A row that says something of a name in an assignment, and has no numbers.
fn in_note([name, assignment]: [&str; 2], note: String) -> [String; COLUMNS.len()] {
    let mut row = [const { String::new() }; COLUMNS.len()];
    (row[0], row[1]) = (as_text(name), as_text(assignment));
    row[COLUMNS.len() - 1] = note;
    row
}

impl<W: Write> Writer for Csv<W> {
    fn begin(&mut self, _: &Course) -> io::Result<()> {
        Ok(self.out.write_record(COLUMNS)?)
    }

    fn assignment(&mut self, about: &About<'_>) -> io::Result<()> {
        self.assignment.clone_from(&about.assignment.id);
        about.left_out.iter().try_for_each(|LeftOut { name, what }| {
            let row = in_note([name, &self.assignment], format!("not a suite: {what}"));
            Ok(self.out.write_record(row)?)
        })
    }

    fn suite(&mut self, suite: &SuiteReport) -> io::Result<()> {
        let [points, max_points, exposed, bugs, extra] =
            suite.score.as_ref().map(score).unwrap_or_default();
        let (valid, rejected) =
            (suite.valid_tests().to_string(), suite.rejected_tests().to_string());
        let (student, assignment) = (as_text(&suite.name), as_text(&self.assignment));
        let note = as_text(&notes(suite).join("; "));
        Ok(self.out.write_record([
            student, assignment, points, max_points, exposed, bugs, extra, valid, rejected, note,
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
        Some(_) if score.earns_extra_submission() => "yes",
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
