//! What a cell of the matrix opens: both outputs as a diff, and a drawing of the mutant's answer. `dialog.js` reads this.
//!
//! Equal values are stored once: mutants often have equal outcomes, and drawings of one test share nearly all their lines.

use super::sketch::{Answer, Sketch};
use crate::domain::Domain;
use crate::result::Difference;
use crate::result::diff::{self, Diff, Line};
use crate::result::drawn::DrawnTest;
use crate::result::explain;
use crate::result::fold::Part;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use subject::{How, Outcome};

/// The cells of an assignment.
#[derive(Serialize)]
pub(super) struct Cells {
    /// By file, then by mutant: the number of the outcome in `seen`.
    at: BTreeMap<String, BTreeMap<usize, usize>>,
    seen: Interned<CellOutcome>,
    /// The lines of all drawings, and each drawing as the numbers of its lines.
    lines: Interned<String>,
    drawings: Interned<Vec<usize>>,
    #[serde(skip)]
    bytes_left: usize,
}

/// Distinct values, each with a number.
#[derive(Serialize)]
#[serde(transparent)]
struct Interned<T> {
    values: Vec<T>,
    #[serde(skip)]
    numbers: HashMap<String, usize>,
}

/// What a mutant did on a test.
#[derive(Serialize)]
struct CellOutcome {
    how: &'static str,
    reference_end: String,
    mutant_end: String,
    says: String,
    first: Option<String>,
    /// What is wrong with the mutant's answer.
    flaws: Vec<String>,
    outputs: Vec<Output>,
    drawing: Option<usize>,
    /// Whether the outputs and the drawing were left out because the page is full.
    cut: bool,
}

/// An output that differs.
#[derive(Serialize)]
struct Output {
    file: Option<String>,
    rows: Vec<Row>,
    more: usize,
}

/// A row of a diff. Each line has its number, its text, and the ranges that differ.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Row {
    Same(usize, usize, String),
    Differs(Option<Side>, Option<Side>),
    Skipped(usize),
}

#[derive(Serialize)]
struct Side(usize, String, Vec<(usize, usize)>);

impl Cells {
    /// Cells whose contents may take this many bytes.
    pub(super) fn new(bytes_left: usize) -> Self {
        Self {
            at: BTreeMap::new(),
            seen: Interned::new(),
            lines: Interned::new(),
            drawings: Interned::new(),
            bytes_left,
        }
    }

    /// The number of bytes that may still be used.
    pub(super) fn bytes_left(&self) -> usize {
        self.bytes_left
    }

    /// Adds the outcome of a mutant on a test, which has this sketch.
    pub(super) fn add(
        &mut self,
        domain: &dyn Domain,
        test: &DrawnTest<'_>,
        sketch: &Sketch,
        reference: &Outcome,
        difference: &Difference,
    ) {
        let Some(outcome) = &difference.outcome else { return };
        let Some(told) = explain::difference(domain, reference, difference) else { return };
        // A mutant that fails has no answer.
        let has_answer = difference.how == How::Output;
        let answer =
            if has_answer { Answer::new(domain, &test.draft, outcome) } else { Answer::default() };
        // If a test is too large to be drawn, so is every answer to it.
        let svg = sketch.svg.as_ref().and_then(|_| answer.svg());
        let outputs =
            told.outputs.into_iter().map(|output| Output::new(output.file, &output.diff)).collect();
        let mut seen = CellOutcome {
            how: told.how.word(),
            reference_end: told.reference_end,
            mutant_end: told.mutant_end,
            says: told.mutant_says,
            first: told.first,
            flaws: if answer.flaws.is_empty() {
                told.why.into_iter().collect()
            } else {
                answer.flaws
            },
            outputs,
            drawing: svg.and_then(|svg| self.drawing(&svg)),
            cut: false,
        };
        if serialized(&seen).len() > self.bytes_left {
            (seen.outputs, seen.drawing, seen.cut) = (Vec::new(), None, true);
        }
        let (number, bytes) = self.seen.add(seen);
        self.bytes_left = self.bytes_left.saturating_sub(bytes);
        self.at.entry(test.file.to_owned()).or_default().insert(difference.mutant, number);
    }

    /// Stores a drawing, if it fits, and gives its number.
    fn drawing(&mut self, svg: &str) -> Option<usize> {
        if svg.len() > self.bytes_left {
            return None;
        }
        let (mut drawing, mut bytes) = (Vec::new(), 0);
        for line in svg.lines() {
            let (number, added) = self.lines.add(line.to_owned());
            drawing.push(number);
            bytes += added;
        }
        let (number, added) = self.drawings.add(drawing);
        self.bytes_left = self.bytes_left.saturating_sub(bytes + added);
        Some(number)
    }
}

impl<T: Serialize> Interned<T> {
    fn new() -> Self {
        Self { values: Vec::new(), numbers: HashMap::new() }
    }

    /// Stores a value, and gives its number and the number of bytes that it adds.
    fn add(&mut self, value: T) -> (usize, usize) {
        let (next, key) = (self.values.len(), serialized(&value));
        let bytes = key.len() + 1;
        let number = *self.numbers.entry(key).or_insert(next);
        if number < next {
            return (number, 0);
        }
        self.values.push(value);
        (number, bytes)
    }
}

fn serialized(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("every key is a string")
}

impl Output {
    fn new(file: Option<String>, diff: &Diff) -> Self {
        let (mut rows, mut more) = (Vec::new(), diff.more_lines);
        for part in diff.parts() {
            match part {
                Part::Row(row) => rows.push(Row::new(row)),
                Part::Equal(count) => rows.push(Row::Skipped(count)),
                Part::Rest(count) => more += count,
            }
        }
        Self { file, rows, more }
    }
}

impl Row {
    fn new(row: &diff::Row) -> Self {
        let side = |line: &Line| {
            Side(line.number, line.text.clone(), line.marks.iter().map(ends).collect())
        };
        match (&row.reference, &row.mutant) {
            (Some(reference), Some(mutant)) if row.same => {
                Self::Same(reference.number, mutant.number, reference.text.clone())
            }
            (reference, mutant) => {
                Self::Differs(reference.as_ref().map(side), mutant.as_ref().map(side))
            }
        }
    }
}

fn ends(range: &Range<usize>) -> (usize, usize) {
    (range.start, range.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{self, Draft};
    use crate::result::fold::MOST_ROWS;
    use subject::End;

    fn rows(reference: &str, mutant: &str) -> (String, usize) {
        let output = Output::new(None, &Diff::new(reference.as_bytes(), mutant.as_bytes()));
        let row = |row: &Row| match row {
            Row::Same(..) => "=".to_owned(),
            Row::Differs(..) => "|".to_owned(),
            Row::Skipped(lines) => format!("{lines}"),
        };
        (output.rows.iter().map(row).collect(), output.more)
    }

    #[test]
    fn a_diff_shows_the_lines_around_those_that_differ() {
        assert_eq!(
            rows("a\nb\nc\nd\ne\nf\ng\nh\ni\n", "a\nb\nc\nd\nX\nf\ng\nh\ni\n"),
            ("2==|==2".to_owned(), 0)
        );
        assert_eq!(rows("a\n", "b\n"), ("|".to_owned(), 0));
    }

    #[test]
    fn a_long_diff_is_cut_and_says_how_much_is_not_shown() {
        let (shown, more) = rows("", &"x\n".repeat(100));
        assert_eq!((shown.len(), more), (MOST_ROWS, 100 - MOST_ROWS));
    }

    #[test]
    fn equal_outcomes_are_stored_once_and_outputs_beyond_the_limit_are_left_out() {
        let outcome = |text: &str| Outcome {
            end: End::Exit(0),
            stdout: text.into(),
            stderr: Vec::new(),
            files: BTreeMap::new(),
        };
        let domain = domain::named("text").unwrap();
        let draft = Draft { flags: String::new(), input: Vec::new() };
        let test = DrawnTest { file: "test-1.txt", draft, outcomes: None };
        let sketch = Sketch::of_input(&*domain, &test.draft);
        let (mut cells, reference) = (Cells::new(1000), outcome(""));
        for (mutant, text) in [(0, "a\n"), (1, "a\n"), (2, "b\n"), (3, &*"c\n".repeat(1000))] {
            let (how, outcome) = (How::Output, Some(outcome(text)));
            let difference = Difference { mutant, how, why: None, outcome };
            cells.add(&*domain, &test, &sketch, &reference, &difference);
        }
        assert_eq!(cells.at["test-1.txt"], BTreeMap::from([(0, 0), (1, 0), (2, 1), (3, 2)]));
        assert_eq!(
            cells.seen.values.iter().map(|seen| seen.cut).collect::<Vec<_>>(),
            [false, false, true]
        );
        assert!(cells.bytes_left() < 1000);
    }
}
