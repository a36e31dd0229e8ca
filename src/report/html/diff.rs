//! Two outputs beside each other, as a table. `dialog.js` makes the same of the data of a cell.

use super::rendered;
use crate::report::words::counted;
use crate::result::diff::{self, Line};
use crate::result::explained::OutputDiff;
use crate::result::fold::Part;
use askama::Template;

#[derive(Template)]
#[template(path = "diff.html")]
struct Table<'a> {
    file: Option<&'a str>,
    /// What the other program is called.
    other: &'a str,
    rows: Vec<Row>,
}

enum Row {
    /// How many lines are left out.
    Skipped(String),
    Line {
        differs: bool,
        sides: [Option<Side>; 2],
    },
}

struct Side {
    number: usize,
    /// The pieces of the line, each with whether it is marked.
    pieces: Vec<(bool, String)>,
}

/// The reference's output beside that of the program that the page calls `other`.
pub(super) fn table(output: &OutputDiff, other: &str) -> String {
    let (mut rows, mut more) = (Vec::new(), output.diff.more_lines);
    for part in output.diff.parts() {
        match part {
            Part::Row(row) => rows.push(Row::of(row)),
            Part::Equal(count) => rows.push(Row::Skipped(counted(count, "equal line"))),
            Part::Rest(count) => more += count,
        }
    }
    if more > 0 {
        rows.push(Row::Skipped(counted(more, "more line")));
    }
    rendered(&Table { file: output.file.as_deref(), other, rows })
}

impl Row {
    fn of(row: &diff::Row) -> Self {
        let sides = [&row.reference, &row.mutant].map(|line| line.as_ref().map(Side::of));
        Self::Line { differs: !row.same, sides }
    }
}

impl Side {
    fn of(line: &Line) -> Self {
        let characters: Vec<char> = line.text.chars().collect();
        let piece = |start: usize, end: usize| {
            characters[start.min(characters.len())..end.min(characters.len())].iter().collect()
        };
        let (mut pieces, mut at) = (Vec::new(), 0);
        for mark in &line.marks {
            pieces.push((false, piece(at, mark.start.max(at))));
            pieces.push((true, piece(mark.start, mark.end)));
            at = mark.end;
        }
        pieces.push((false, piece(at, characters.len().max(at))));
        pieces.retain(|(_, text): &(bool, String)| !text.is_empty());
        Self { number: line.number, pieces }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::diff::Diff;

    #[test]
    fn what_differs_is_marked_and_text_never_becomes_markup() {
        let diff = Diff::new(b"a<b>c\n", b"a<i>c\nmore\n");
        let html = table(&OutputDiff { file: None, diff }, "Program");
        assert!(
            html.contains("a&#60;<mark>b</mark>&#62;c") && html.contains("<mark>i</mark>"),
            "{html}"
        );
        assert!(html.contains("class=\"absent\"") && html.contains("Standard output"), "{html}");
    }
}
