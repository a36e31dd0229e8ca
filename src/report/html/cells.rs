//! What is behind the cells of the matrix: both outputs as a diff, and the mutant's answer drawn. Read by `dialog.js`.
//!
//! What is the same is held once: a mutant's outcome is often another's, and drawings of one test share nearly all their lines.

use super::Sighting;
use super::sketch::Answer;
use crate::domain::Domain;
use crate::explain;
use crate::report::diff::{self, Diff, Line};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use subject::wire::Difference;
use subject::{How, Outcome};

/// Rows of a diff that are shown, and how many that are the same around those that differ.
const MOST_ROWS: usize = 60;
const AROUND: usize = 2;

/// The cells of an assignment.
#[derive(Serialize)]
pub(super) struct Cells {
    /// By file, then by mutant: the place of what there is to say in `seen`.
    at: BTreeMap<String, BTreeMap<usize, usize>>,
    seen: Vec<Seen>,
    /// The lines of all drawings, and each drawing as the numbers of its lines.
    lines: Vec<String>,
    drawings: Vec<Vec<usize>>,
    #[serde(skip)]
    places: Places,
    #[serde(skip)]
    bytes_left: usize,
}

/// Where what was seen before is kept.
#[derive(Default)]
struct Places {
    seen: HashMap<String, usize>,
    lines: HashMap<String, usize>,
    drawings: HashMap<Vec<usize>, usize>,
}

/// What a mutant did on a test.
#[derive(Serialize)]
struct Seen {
    how: &'static str,
    reference_end: String,
    mutant_end: String,
    says: String,
    first: Option<String>,
    /// What is wrong with its answer.
    flaws: Vec<String>,
    outputs: Vec<Output>,
    drawing: Option<usize>,
    /// Whether outputs and drawing were left out for want of room.
    cut: bool,
}

/// An output that differs.
#[derive(Serialize)]
struct Output {
    file: Option<String>,
    rows: Vec<Row>,
    more: usize,
}

/// A row of a diff. A line is its number, its text and what differs in it.
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
    /// Cells whose contents take no more than so many bytes.
    pub(super) fn new(bytes_left: usize) -> Self {
        Self {
            at: BTreeMap::new(),
            seen: Vec::new(),
            lines: Vec::new(),
            drawings: Vec::new(),
            places: Places::default(),
            bytes_left,
        }
    }

    /// How many bytes there still may be.
    pub(super) fn bytes_left(&self) -> usize {
        self.bytes_left
    }

    /// Adds what a mutant did on a test.
    pub(super) fn add(&mut self, domain: &dyn Domain, sighting: &Sighting, reference: &Outcome, difference: &Difference) {
        let Some(outcome) = &difference.outcome else { return };
        let told = explain::difference(domain, reference, difference.how, outcome);
        // A mutant that fails has no answer.
        let has_answer = difference.how == How::Output;
        let answer = if has_answer { Answer::new(domain, &sighting.draft, outcome) } else { Answer::default() };
        let outputs = told.outputs.into_iter().map(|output| Output::new(output.file, &output.diff)).collect();
        let mut seen = Seen {
            how: told.how.word(),
            reference_end: told.reference_end,
            mutant_end: told.mutant_end,
            says: told.mutant_says,
            first: told.first,
            flaws: answer.flaws,
            outputs,
            drawing: answer.svg.and_then(|svg| self.drawing(&svg)),
            cut: false,
        };
        if serialized(&seen).len() > self.bytes_left {
            (seen.outputs, seen.drawing, seen.cut) = (Vec::new(), None, true);
        }
        let key = serialized(&seen);
        let (next, bytes) = (self.seen.len(), key.len());
        let at = *self.places.seen.entry(key).or_insert(next);
        if at == next {
            self.bytes_left = self.bytes_left.saturating_sub(bytes);
            self.seen.push(seen);
        }
        self.at.entry(sighting.file.clone()).or_default().insert(difference.mutant, at);
    }

    /// The number of a drawing, if there is room for it.
    fn drawing(&mut self, svg: &str) -> Option<usize> {
        // A number and its comma take four bytes, about.
        let bytes = |line: &str| if self.places.lines.contains_key(line) { 4 } else { line.len() + 8 };
        let bytes: usize = svg.lines().map(bytes).sum();
        self.bytes_left = self.bytes_left.checked_sub(bytes).filter(|left| *left > 0)?;
        let mut drawing = Vec::new();
        for line in svg.lines() {
            let next = self.lines.len();
            let at = *self.places.lines.entry(line.to_owned()).or_insert(next);
            if at == next {
                self.lines.push(line.to_owned());
            }
            drawing.push(at);
        }
        let next = self.drawings.len();
        let at = *self.places.drawings.entry(drawing.clone()).or_insert(next);
        if at == next {
            self.drawings.push(drawing);
        }
        Some(at)
    }
}

fn serialized(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("every key is a text")
}

impl Output {
    fn new(file: Option<String>, diff: &Diff) -> Self {
        let is_near = |at: usize| {
            let around = at.saturating_sub(AROUND)..diff.rows.len().min(at + AROUND + 1);
            diff.rows[around].iter().any(|row| !row.same)
        };
        let mut rows = Vec::new();
        let (mut next, mut shown) = (0, 0);
        for (at, row) in diff.rows.iter().enumerate().filter(|&(at, _)| is_near(at)) {
            if shown == MOST_ROWS {
                return Self { file, rows, more: diff.rows.len() - next + diff.more_lines };
            }
            rows.extend((at > next).then_some(Row::Skipped(at - next)));
            rows.push(Row::new(row));
            (next, shown) = (at + 1, shown + 1);
        }
        let left = diff.rows.len() - next;
        rows.extend((left > 0).then_some(Row::Skipped(left)));
        Self { file, rows, more: diff.more_lines }
    }
}

impl Row {
    fn new(row: &diff::Row) -> Self {
        let side = |line: &Line| Side(line.number, line.text.clone(), line.marks.iter().map(ends).collect());
        match (&row.reference, &row.mutant) {
            (Some(reference), Some(mutant)) if row.same => Self::Same(reference.number, mutant.number, reference.text.clone()),
            (reference, mutant) => Self::Differs(reference.as_ref().map(side), mutant.as_ref().map(side)),
        }
    }
}

fn ends(range: &Range<usize>) -> (usize, usize) {
    (range.start, range.end)
}
