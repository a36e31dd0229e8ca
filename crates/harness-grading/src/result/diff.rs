//! Compares two outputs side by side: which lines differ, and which characters in them. Pure.

use crate::diagnostic::printable;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::ops::Range;

/// The most lines to compare after the common ones at the start. Nobody reads further.
const MOST_LINES: usize = 1000;
/// The most characters of a line to show, and how many of them come before the first difference in a longer line.
const MOST_CHARACTERS: usize = 400;
const CHARACTERS_BEFORE: usize = 40;

/// How many rows before the first difference are kept where rows are cut.
const ROWS_BEFORE: usize = 5;

/// Two outputs, line by line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Diff {
    /// The lines of both, each beside its counterpart.
    pub rows: Vec<Row>,
    /// The number of further lines, which are not in `rows`.
    pub more_lines: usize,
}

/// A line and its counterpart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Whether both are the same.
    pub same: bool,
    /// The reference's line, unless only the mutant has one here.
    pub reference: Option<Line>,
    /// The mutant's line, unless only the reference has one here.
    pub mutant: Option<Line>,
}

/// A line of one of the outputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The line number, from 1.
    pub number: usize,
    /// The text, with characters escaped that a terminal does not show.
    pub text: String,
    /// The ranges of characters that differ, counted from 0.
    pub marks: Vec<Range<usize>>,
}

impl Diff {
    pub fn new(reference: &[u8], mutant: &[u8]) -> Self {
        let shared = lines(reference).zip(lines(mutant)).take_while(|(one, other)| one == other);
        let start = shared.count();
        // What is not compared is only counted, because a hostile program prints millions of lines.
        let compared = |output| -> (Vec<String>, usize) {
            let mut lines = lines(output);
            (lines.by_ref().take(start + MOST_LINES).map(text).collect(), lines.count())
        };
        let ((reference, more), (mutant, other_more)) = (compared(reference), compared(mutant));
        let (left, right) = (&reference[start..], &mutant[start..]);
        let mut rows: Vec<_> =
            (0..start).map(|at| row(&reference, &mutant, Some(at), Some(at))).collect();
        let pairs = pairs(left, right).into_iter();
        let shifted = |at: Option<usize>| at.map(|at| start + at);
        rows.extend(pairs.map(|(a, b)| row(&reference, &mutant, shifted(a), shifted(b))));
        Self { rows, more_lines: more.max(other_more) }
    }

    /// Cuts the rows to about this many bytes of a document: those around the first difference stay. Gives the bytes that they take.
    pub fn cut(&mut self, most: usize) -> usize {
        let sizes: Vec<_> = self.rows.iter().map(Row::bytes).collect();
        let all = sizes.iter().sum();
        if all <= most {
            return all;
        }
        let first = self.rows.iter().position(|row| !row.same).unwrap_or(0);
        let start = first.saturating_sub(ROWS_BEFORE);
        let ends = sizes[start..].iter().scan(0, |sum, size| {
            *sum += size;
            Some(*sum)
        });
        let kept: Vec<_> = ends.take_while(|end| *end <= most).collect();
        self.more_lines += sizes.len() - start - kept.len();
        self.rows.truncate(start + kept.len());
        self.rows.drain(..start);
        kept.last().copied().unwrap_or(0)
    }

    /// The number of lines and the number of characters that differ.
    pub fn size(&self) -> (usize, usize) {
        let differing = || self.rows.iter().filter(|row| !row.same);
        let marked = |line: &Line| line.marks.iter().map(ExactSizeIterator::len).sum::<usize>();
        let characters =
            differing().flat_map(|row| [&row.reference, &row.mutant]).flatten().map(marked).sum();
        (differing().count() + self.more_lines, characters)
    }
}

impl Row {
    /// About how many bytes it takes in a document.
    fn bytes(&self) -> usize {
        let line = |line: &Line| line.text.len() + 100 * line.marks.len();
        250 + [&self.reference, &self.mutant].into_iter().flatten().map(line).sum::<usize>()
    }
}

/// The lines of an output. A missing final newline counts as a line, as in `diff`.
fn lines(output: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (whole, missing) = match output.strip_suffix(b"\n") {
        Some(whole) => (whole, None),
        None => (output, Some(&b"\\ No newline at end of file"[..])),
    };
    let lines = whole.split(|&byte| byte == b'\n').chain(missing);
    lines.take(if output.is_empty() { 0 } else { usize::MAX })
}

/// The text of a line. Characters that a terminal does not show are escaped, and so are bytes that are not UTF-8.
fn text(line: &[u8]) -> String {
    let mut text = String::new();
    for chunk in line.utf8_chunks() {
        text.push_str(&printable(chunk.valid()));
        text.push_str(&chunk.invalid().escape_ascii().to_string());
    }
    text
}

/// The part of a line to show, from character `start` on.
fn window(line: &str, start: usize) -> String {
    let mut rest = line.chars().skip(start);
    let shown: String = rest.by_ref().take(MOST_CHARACTERS).collect();
    format!(
        "{}{shown}{}",
        if start > 0 { "…" } else { "" },
        if rest.next().is_some() { "…" } else { "" }
    )
}

type Pair = (Option<usize>, Option<usize>);

/// Which lines are beside each other: the first beside the first and so on if no other way is better (maps), otherwise as a diff
/// aligns them (lists with a missing line).
fn pairs(left: &[String], right: &[String]) -> Vec<Pair> {
    let aligned = aligned(left, right);
    if left.len() == right.len() {
        let differing =
            |pairs: &[Pair]| pairs.iter().filter(|pair| !is_same(left, right, **pair)).count();
        let in_order: Vec<_> = (0..left.len()).map(|at| (Some(at), Some(at))).collect();
        if differing(&in_order) <= differing(&aligned) {
            return in_order;
        }
    }
    aligned
}

fn is_same(left: &[String], right: &[String], pair: Pair) -> bool {
    matches!(pair, (Some(a), Some(b)) if left[a] == right[b])
}

fn aligned(left: &[String], right: &[String]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for change in capture_diff_slices(Algorithm::Myers, left, right) {
        let (left, right) = (change.old_range(), change.new_range());
        for at in 0..left.len().max(right.len()) {
            pairs.push((left.clone().nth(at), right.clone().nth(at)));
        }
    }
    pairs
}

fn row(left: &[String], right: &[String], a: Option<usize>, b: Option<usize>) -> Row {
    let (reference, mutant) = (a.map(|at| left[at].as_str()), b.map(|at| right[at].as_str()));
    let same = reference == mutant;
    let is_long =
        |line: Option<&str>| line.is_some_and(|line| line.chars().nth(MOST_CHARACTERS).is_some());
    let start = match (reference, mutant) {
        (Some(reference), Some(mutant))
            if !same && (is_long(Some(reference)) || is_long(Some(mutant))) =>
        {
            let shared = reference.chars().zip(mutant.chars()).take_while(|(a, b)| a == b).count();
            shared.saturating_sub(CHARACTERS_BEFORE)
        }
        _ => 0,
    };
    let (reference, mutant) =
        (reference.map(|line| window(line, start)), mutant.map(|line| window(line, start)));
    let (left_marks, right_marks) = match (&reference, &mutant) {
        (Some(reference), Some(mutant)) if !same => marks(reference, mutant),
        _ => (Vec::new(), Vec::new()),
    };
    let line = |at: Option<usize>, text: Option<String>, marks| {
        Some(Line { number: at? + 1, text: text?, marks })
    };
    Row { same, reference: line(a, reference, left_marks), mutant: line(b, mutant, right_marks) }
}

/// The characters that differ: place by place in lines of the same length, otherwise as a diff finds them.
fn marks(left: &str, right: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    if left.len() == right.len() {
        let marks = ranges((0..left.len()).filter(|&at| left[at] != right[at]));
        return (marks.clone(), marks);
    }
    let changes = capture_diff_slices(Algorithm::Myers, &left, &right);
    let changes = || changes.iter().filter(|change| !matches!(change, DiffOp::Equal { .. }));
    (ranges(changes().flat_map(DiffOp::old_range)), ranges(changes().flat_map(DiffOp::new_range)))
}

/// Turns ascending numbers into ranges.
fn ranges(numbers: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some(last) if last.end == number => last.end += 1,
            _ => ranges.push(number..number + 1),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::fold::Part;

    /// The rows as in `diff -y`, with the marked characters in brackets.
    fn check(reference: &str, mutant: &str) -> Vec<String> {
        let show = |line: &Option<Line>| line.as_ref().map(shown).unwrap_or_default();
        let diff = Diff::new(reference.as_bytes(), mutant.as_bytes());
        diff.rows
            .iter()
            .map(|row| {
                format!(
                    "{}{}{}",
                    show(&row.reference),
                    if row.same { "=" } else { "|" },
                    show(&row.mutant)
                )
            })
            .collect()
    }

    fn shown(line: &Line) -> String {
        let mark = |at: usize| line.marks.iter().any(|mark| mark.contains(&at));
        let mark = |(at, c): (usize, char)| if mark(at) { format!("[{c}]") } else { c.to_string() };
        line.text.chars().enumerate().map(mark).collect()
    }

    #[test]
    fn lines_of_the_same_length_are_compared_place_by_place() {
        assert_eq!(check("a\n.+.\n", "a\n..+\n"), ["a=a", ".[+][.]|.[.][+]"]);
    }

    #[test]
    fn a_missing_line_leaves_a_gap() {
        assert_eq!(check("a\nb\nc\n", "a\nc\n"), ["a=a", "b|", "c=c"]);
    }

    #[test]
    fn rows_of_a_map_are_compared_in_order() {
        assert_eq!(
            check("..\n##\n..\n", "##\n..\n..\n"),
            ["[.][.]|[#][#]", "[#][#]|[.][.]", "..=.."]
        );
    }

    #[test]
    fn lines_of_different_lengths_are_aligned() {
        assert_eq!(check("(a, (9, 0))\n", "(a, (10, 0))\n"), ["(a, ([9], 0))|(a, ([1][0], 0))"]);
    }

    #[test]
    fn a_missing_newline_and_invalid_utf_8_are_shown() {
        assert_eq!(check("a\n", "a"), ["a=a", "|\\ No newline at end of file"]);
        assert_eq!(check("", ""), Vec::<String>::new());
        let diff = Diff::new(b"\xff\n", b"\xfe\n");
        assert_eq!(diff.rows[0].reference.as_ref().unwrap().text, "\\xff");
        assert!(!diff.rows[0].same);
    }

    #[test]
    fn a_long_line_is_cut_to_the_part_that_differs() {
        let start = "a".repeat(1000);
        let row = Diff::new(format!("{start}b\n").as_bytes(), format!("{start}c\n").as_bytes())
            .rows
            .remove(0);
        let line = row.reference.unwrap();
        assert!(!row.same && line.text.ends_with("ab") && line.text.len() < 100, "{}", line.text);
        assert_eq!(line.marks, vec![41..42]);
    }

    #[test]
    fn what_is_around_the_first_difference_stays_of_a_diff_that_is_cut() {
        let text = |last: &str| format!("{}{last}\n{}", "same\n".repeat(900), "x\n".repeat(900));
        let mut diff = Diff::new(text("b").as_bytes(), text("c").as_bytes());
        let all = diff.rows.len();
        assert!(diff.cut(10_000) <= 10_000 && diff.rows.len() < 40, "{}", diff.rows.len());
        assert_eq!(diff.rows[ROWS_BEFORE].reference.as_ref().unwrap().text, "b");
        let before = 900 - ROWS_BEFORE;
        assert_eq!(diff.more_lines, all - before - diff.rows.len());
        assert!(matches!(diff.parts()[0], Part::Equal(equal) if equal == before));
        let mut small = Diff::new(b"a\n", b"b\n");
        let whole = small.clone();
        small.cut(10_000);
        assert_eq!(small, whole);
    }

    #[test]
    fn a_very_long_output_is_cut() {
        let diff = Diff::new(b"", &b"x\n".repeat(100_000));
        assert_eq!((diff.rows.len(), diff.more_lines), (MOST_LINES, 100_000 - MOST_LINES));
    }
}
