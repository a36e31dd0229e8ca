//! Two outputs side by side where there is room, else one above the other: what differs in inverted colours, or with carets beneath.

use super::{FAINT, INDENT, Page};
use crate::result::diff::{Line, Row};
use crate::result::explained::OutputDiff;
use anstyle::{AnsiColor, Style};
use std::fmt::{self, Write};
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// Lines that are the same, before and after those that differ.
const CONTEXT: usize = 2;
/// Rows of one output that are shown.
const MOST_ROWS: usize = 60;

const REFERENCE: Style = AnsiColor::Green.on_default();
const MUTANT: Style = AnsiColor::Red.on_default();

impl Page {
    pub(super) fn output(self, out: &mut impl Write, output: &OutputDiff) -> fmt::Result {
        if let Some(file) = &output.file {
            writeln!(out, "{INDENT}in the file {file}")?;
        }
        let shown = shown(&output.diff.rows);
        let left = self.left_column(&shown);
        self.heading(out, left)?;
        for part in &shown {
            match (part, left) {
                (Shown::Row(row), Some(left)) => self.beside(out, row, left)?,
                (Shown::Row(row), None) => self.above(out, row)?,
                (Shown::Same(lines), _) => {
                    self.note(out, &format!("{} the same", counted(*lines)))?;
                }
                (Shown::Rest(lines), _) => {
                    self.note(out, &format!("and {} more", counted(*lines)))?;
                }
            }
        }
        match output.diff.more_lines {
            0 => Ok(()),
            more => self.note(out, &format!("and {} that were not compared", counted(more))),
        }
    }

    /// The width of the left column, if both columns and the sign between them have room.
    fn left_column(self, shown: &[Shown<'_>]) -> Option<usize> {
        let rows = || {
            shown
                .iter()
                .filter_map(|shown| if let Shown::Row(row) = shown { Some(*row) } else { None })
        };
        let left = rows()
            .map(|row| width(row.reference.as_ref()))
            .max()
            .unwrap_or(0)
            .max("reference".len());
        let right =
            rows().map(|row| width(row.mutant.as_ref())).max().unwrap_or(0).max("mutant".len());
        (INDENT.len() + left + " | ".len() + right <= self.width).then_some(left)
    }

    fn heading(self, out: &mut impl Write, left: Option<usize>) -> fmt::Result {
        let Some(left) = left else {
            return writeln!(
                out,
                "{INDENT}{}  {}",
                self.styled(REFERENCE, "- reference"),
                self.styled(MUTANT, "+ mutant")
            );
        };
        let gap = " ".repeat(left - "reference".len() + " | ".len());
        writeln!(
            out,
            "{INDENT}{}{gap}{}",
            self.styled(REFERENCE, "reference"),
            self.styled(MUTANT, "mutant")
        )
    }

    fn note(self, out: &mut impl Write, text: &str) -> fmt::Result {
        writeln!(out, "{INDENT}{}", self.styled(FAINT, &format!("… {text} …")))
    }

    /// A row as `diff --side-by-side` writes it.
    fn beside(self, out: &mut impl Write, row: &Row, left: usize) -> fmt::Result {
        let sign = match (&row.reference, &row.mutant) {
            _ if row.same => ' ',
            (Some(_), None) => '<',
            (None, Some(_)) => '>',
            _ => '|',
        };
        let text = |line: &Option<Line>, style| {
            line.as_ref().map_or(String::new(), |line| self.line(line, row.same, style))
        };
        let (reference, mutant) = (text(&row.reference, REFERENCE), text(&row.mutant, MUTANT));
        let gap = " ".repeat(left - width(row.reference.as_ref()));
        writeln!(out, "{}", format!("{INDENT}{reference}{gap} {sign} {mutant}").trim_end())?;
        let carets = |line: &Option<Line>| line.as_ref().map_or(String::new(), carets);
        let (reference, mutant) = (carets(&row.reference), carets(&row.mutant));
        if self.colored || reference.is_empty() && mutant.is_empty() {
            return Ok(());
        }
        writeln!(out, "{}", format!("{INDENT}{reference:<left$}   {mutant}").trim_end())
    }

    /// The lines of a row as `diff --unified` writes them.
    fn above(self, out: &mut impl Write, row: &Row) -> fmt::Result {
        if let (true, Some(line)) = (row.same, &row.reference) {
            return writeln!(out, "{INDENT}  {}", line.text);
        }
        for (sign, line, style) in [("-", &row.reference, REFERENCE), ("+", &row.mutant, MUTANT)] {
            let Some(line) = line else { continue };
            writeln!(
                out,
                "{INDENT}{} {}",
                self.styled(style, sign),
                self.line(line, false, style)
            )?;
            let carets = carets(line);
            // Beneath a line that the terminal breaks, they would point at nothing.
            if !self.colored
                && !carets.is_empty()
                && INDENT.len() + "- ".len() + line.text.width() <= self.width
            {
                writeln!(out, "{INDENT}  {carets}")?;
            }
        }
        Ok(())
    }

    /// A line, with the characters that differ inverted.
    fn line(self, line: &Line, same: bool, style: Style) -> String {
        if same || !self.colored {
            return line.text.clone();
        }
        let mut pieces = String::new();
        let mut at = 0;
        for mark in &line.marks {
            pieces.push_str(&self.styled(style, &part(&line.text, at..mark.start)));
            pieces.push_str(&self.styled(style.invert(), &part(&line.text, mark.clone())));
            at = mark.end;
        }
        pieces + &self.styled(style, &part(&line.text, at..usize::MAX))
    }
}

fn width(line: Option<&Line>) -> usize {
    line.map_or(0, |line| line.text.width())
}

fn part(text: &str, range: Range<usize>) -> String {
    text.chars().skip(range.start).take(range.end - range.start).collect()
}

/// A caret beneath each column that differs.
fn carets(line: &Line) -> String {
    let mut carets = String::new();
    for mark in &line.marks {
        let start = part(&line.text, 0..mark.start).width();
        carets.push_str(&" ".repeat(start.saturating_sub(carets.len())));
        carets.push_str(&"^".repeat(part(&line.text, mark.clone()).width()));
    }
    carets
}

/// What is shown of the rows.
enum Shown<'a> {
    Row(&'a Row),
    /// Rows left out: their lines are the same.
    Same(usize),
    /// Rows left out at the end: enough was shown.
    Rest(usize),
}

/// The rows that differ, and a few around them.
fn shown(rows: &[Row]) -> Vec<Shown<'_>> {
    let near = |at: usize| {
        rows[at.saturating_sub(CONTEXT)..rows.len().min(at + CONTEXT + 1)]
            .iter()
            .any(|row| !row.same)
    };
    let mut shown = Vec::new();
    let mut at = 0;
    while at < rows.len() {
        if shown.len() >= MOST_ROWS {
            shown.push(Shown::Rest(rows.len() - at));
            break;
        }
        match (at..rows.len()).take_while(|&at| !near(at)).count() {
            // To say that one line is left out takes a line too.
            0 | 1 => {
                shown.push(Shown::Row(&rows[at]));
                at += 1;
            }
            far => {
                shown.push(Shown::Same(far));
                at += far;
            }
        }
    }
    shown
}

fn counted(lines: usize) -> String {
    if lines == 1 { "1 line".to_owned() } else { format!("{lines} lines") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::diff::Diff;

    fn check(width: usize, colored: bool, reference: &str, mutant: &str) -> String {
        let output =
            OutputDiff { file: None, diff: Diff::new(reference.as_bytes(), mutant.as_bytes()) };
        let mut out = String::new();
        Page { width, colored }.output(&mut out, &output).unwrap();
        out
    }

    #[test]
    fn outputs_stand_side_by_side_where_there_is_room() {
        let expected = "    reference   mutant\n    (1, 2)    | (2, 1)\n     ^  ^        ^  ^\n    same        same\n";
        assert_eq!(check(40, false, "(1, 2)\nsame\n", "(2, 1)\nsame\n"), expected);
    }

    #[test]
    fn outputs_that_are_too_wide_stand_one_above_the_other() {
        let expected = "    - reference  + mutant\n    - (1, 2)\n       ^  ^\n    + (2, 1)\n       ^  ^\n      same\n";
        assert_eq!(check(20, false, "(1, 2)\nsame\n", "(2, 1)\nsame\n"), expected);
    }

    #[test]
    fn wide_characters_keep_the_columns_straight() {
        let expected = "    reference   mutant\n    木a       | 木b\n      ^           ^\n";
        assert_eq!(check(40, false, "木a\n", "木b\n"), expected);
    }

    #[test]
    fn in_colour_the_characters_are_inverted_and_no_caret_is_needed() {
        let out = check(40, true, "ab\n", "ac\n");
        assert!(!out.contains('^') && out.contains("\u{1b}[7m\u{1b}[32mb"), "{out:?}");
    }

    #[test]
    fn what_is_the_same_far_from_any_difference_is_left_out() {
        let start = (0..10).fold(String::new(), |text, n| format!("{text}{n}\n"));
        let out = check(40, false, &format!("{start}x\n"), &format!("{start}y\n"));
        assert_eq!(out.lines().nth(1), Some("    … 8 lines the same …"));
        assert_eq!(out.lines().count(), 6);
    }

    #[test]
    fn a_long_difference_is_cut() {
        let out = check(40, false, "", &"x\n".repeat(5000));
        assert!(
            out.ends_with(
                "    … and 940 lines more …\n    … and 4000 lines that were not compared …\n"
            ),
            "{out}"
        );
    }
}
