//! Two outputs side by side, or as a unified diff if the terminal is too narrow. Differing characters are inverted, or marked with
//! carets if there is no colour.

use super::super::screen::{BAD, FAINT, GOOD, Screen, chunks};
use super::super::words::counted;
use super::INDENT;
use crate::result::diff::{Line, Row};
use crate::result::explained::OutputDiff;
use crate::result::fold::Part;
use anstyle::Style;
use std::fmt::{self, Write};
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

const REFERENCE: Style = GOOD;
const MUTANT: Style = BAD;

/// `name` is what the program beside the reference is called.
pub(super) fn write(
    out: &mut String,
    output: &OutputDiff,
    name: &'static str,
    screen: Screen,
) -> fmt::Result {
    if let Some(file) = &output.file {
        screen.field(out, &format!("{INDENT}in the file "), file)?;
    }
    let parts = output.diff.parts();
    let columns = Columns::new(&parts, name, screen);
    columns.heading(out)?;
    for part in &parts {
        match (part, columns.left) {
            (Part::Row(row), Some(left)) => columns.beside(out, row, left)?,
            (Part::Row(row), None) => columns.above(out, row)?,
            (Part::Equal(count), _) => columns.note(out, &format!("{} equal", lines(*count)))?,
            (Part::Rest(count), _) => columns.note(out, &format!("and {} more", lines(*count)))?,
        }
    }
    match output.diff.more_lines {
        0 => Ok(()),
        more => columns.note(out, &format!("and {} that are not shown", lines(more))),
    }
}

/// The layout of the two outputs.
struct Columns {
    screen: Screen,
    /// The heading of the right column.
    name: &'static str,
    /// The width of the left column, if both columns and the sign between them fit.
    left: Option<usize>,
}

impl Columns {
    fn new(parts: &[Part<'_>], name: &'static str, screen: Screen) -> Self {
        let rows = || {
            parts
                .iter()
                .filter_map(|part| if let Part::Row(row) = part { Some(*row) } else { None })
        };
        let left = rows().map(|row| width(row.reference.as_ref())).max().unwrap_or(0);
        let right = rows().map(|row| width(row.mutant.as_ref())).max().unwrap_or(0);
        let (left, right) = (left.max("reference".len()), right.max(name.len()));
        let has_room = INDENT.len() + left + " | ".len() + right <= screen.width();
        Self { screen, name, left: has_room.then_some(left) }
    }

    fn heading(&self, out: &mut String) -> fmt::Result {
        let Some(left) = self.left else {
            return writeln!(
                out,
                "{INDENT}{}  {}",
                self.screen.styled(REFERENCE, "- reference"),
                self.screen.styled(MUTANT, &format!("+ {}", self.name))
            );
        };
        let gap = " ".repeat(left - "reference".len() + " | ".len());
        writeln!(
            out,
            "{INDENT}{}{gap}{}",
            self.screen.styled(REFERENCE, "reference"),
            self.screen.styled(MUTANT, self.name)
        )
    }

    fn note(&self, out: &mut String, text: &str) -> fmt::Result {
        writeln!(out, "{INDENT}{}", self.screen.styled(FAINT, &format!("… {text} …")))
    }

    /// Writes a row as `diff --side-by-side` does.
    fn beside(&self, out: &mut String, row: &Row, left: usize) -> fmt::Result {
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
        if self.screen.colored || reference.is_empty() && mutant.is_empty() {
            return Ok(());
        }
        writeln!(out, "{}", format!("{INDENT}{reference:<left$}   {mutant}").trim_end())
    }

    /// Writes the lines of a row as `diff --unified` does.
    fn above(&self, out: &mut String, row: &Row) -> fmt::Result {
        if let (true, Some(line)) = (row.same, &row.reference) {
            return self.screen.cut(out, &format!("{INDENT}  {}", line.text));
        }
        for (sign, line, style) in [("-", &row.reference, REFERENCE), ("+", &row.mutant, MUTANT)] {
            let Some(line) = line else { continue };
            for line in pieces(line, self.screen.width() - INDENT.len() - "- ".len()) {
                let text = self.line(&line, false, style);
                writeln!(out, "{INDENT}{} {text}", self.screen.styled(style, sign))?;
                let carets = carets(&line);
                if !self.screen.colored && !carets.is_empty() {
                    writeln!(out, "{INDENT}  {carets}")?;
                }
            }
        }
        Ok(())
    }

    /// A line with the differing characters inverted.
    fn line(&self, line: &Line, same: bool, style: Style) -> String {
        if same || !self.screen.colored {
            return line.text.clone();
        }
        let mut pieces = String::new();
        let mut at = 0;
        for mark in &line.marks {
            pieces.push_str(&self.screen.styled(style, &part(&line.text, at..mark.start)));
            pieces.push_str(&self.screen.styled(style.invert(), &part(&line.text, mark.clone())));
            at = mark.end;
        }
        pieces + &self.screen.styled(style, &part(&line.text, at..usize::MAX))
    }
}

fn width(line: Option<&Line>) -> usize {
    line.map_or(0, |line| line.text.width())
}

fn part(text: &str, range: Range<usize>) -> String {
    text.chars().skip(range.start).take(range.end - range.start).collect()
}

/// A line cut into pieces of at most `columns` columns.
fn pieces(line: &Line, columns: usize) -> Vec<Line> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for text in chunks(&line.text, columns.max(2)) {
        let end = start + text.chars().count();
        let inside = |mark: &Range<usize>| {
            mark.start.max(start) - start..mark.end.min(end).max(start) - start
        };
        let marks =
            line.marks.iter().filter(|mark| mark.start < end && mark.end > start).map(inside);
        pieces.push(Line { number: line.number, marks: marks.collect(), text });
        start = end;
    }
    pieces
}

/// A line with a caret below each column that differs.
fn carets(line: &Line) -> String {
    let mut carets = String::new();
    for mark in &line.marks {
        let start = part(&line.text, 0..mark.start).width();
        carets.push_str(&" ".repeat(start.saturating_sub(carets.len())));
        carets.push_str(&"^".repeat(part(&line.text, mark.clone()).width()));
    }
    carets
}

fn lines(count: usize) -> String {
    counted(count, "line")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::diff::Diff;

    fn check(width: usize, colored: bool, reference: &str, mutant: &str) -> String {
        let output =
            OutputDiff { file: None, diff: Diff::new(reference.as_bytes(), mutant.as_bytes()) };
        let mut out = String::new();
        write(&mut out, &output, "mutant", Screen { columns: Some(width), colored }).unwrap();
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
    fn a_line_that_is_too_wide_is_broken_and_keeps_its_carets() {
        let expected = "    - reference  + mutant\n    - abcdef\n    - ghi1\n         ^\n    + abcdef\n    + ghi2\n         ^\n";
        assert_eq!(check(12, false, "abcdefghi1\n", "abcdefghi2\n"), expected);
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
        assert_eq!(out.lines().nth(1), Some("    … 8 lines equal …"));
        assert_eq!(out.lines().count(), 6);
    }

    #[test]
    fn a_long_difference_is_cut() {
        let out = check(40, false, "", &"x\n".repeat(5000));
        assert!(
            out.ends_with(
                "    … and 940 lines more …\n    … and 4000 lines that are not shown …\n"
            ),
            "{out}"
        );
    }
}
