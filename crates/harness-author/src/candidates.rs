//! Candidates: small changes of a reference's source that may become mutants.
//!
//! [`rust`] and [`grammar`] find them, [`marked`] writes them into a source, in the [`notation`] of its language, and [`mutated_copy`]
//! makes a copy of the reference with all of them.
//!
//! Changes are found by `syn` in Rust and by the grammars of tree-sitter in C, C++ and Python. All of them are written into a copy, the
//! *mutated copy*, each behind a `bug!` of its own. `run/build/check` tells which do not compile; those are left out until the copy
//! compiles. Loops of the copy count their steps, and where comparing two values has no effect, a candidate is only reached if they
//! differ. From there on, candidates are mutants like those of the catalogue: `enumerate`, `sample` and `reduce` find the smallest case
//! for each, and `gain` ranks them.

mod grammar;
pub mod marked;
pub mod mutated_copy;
mod names;
pub mod notation;
mod rust;

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::Range;

/// A change of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    pub operator: Operator,
    /// The name of the function around it. Empty if there is none.
    pub function: String,
    /// What changes, in the order of the source. It is one part, unless two elements of a list are swapped one by one.
    pub parts: Vec<Part>,
    pub form: Form,
    /// Whether the place is a part of something that what is written there must not mix with, so that an expression needs parentheses
    /// and a statement needs braces.
    pub is_operand: bool,
    /// Whether evaluating the place has no effect, with and without the change. Then the two can be compared.
    pub is_pure: bool,
}

/// A part of a source that changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The part, in bytes, and what it becomes.
    pub range: Range<usize>,
    pub text: String,
    /// The part that the mark of the bug is written around.
    pub place: Range<usize>,
}

impl Part {
    /// The place with its change.
    fn changed(&self, source: &str) -> String {
        let Self { place, range, text } = self;
        [&source[place.start..range.start], text, &source[range.end..place.end]].concat()
    }
}

/// How the mark of a bug changes the place that it is written around.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
    /// The mark chooses between the place with the change, and the place.
    Choose,
    /// The condition is true if the bug is selected.
    Or,
    /// The condition is false if the bug is selected.
    AndNot,
    /// The condition is negated if the bug is selected.
    Differs,
    /// The statement is skipped if the bug is selected.
    Skip,
}

/// What kind of change it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operator {
    /// A comparison includes its bound or does not.
    Boundary,
    /// A condition always or never holds.
    RemovedCondition,
    /// One side of an operator is missing.
    DeletedOperand,
    /// A number is one larger or smaller.
    OffByOne,
    /// Two neighbours in a list are swapped.
    SwappedNeighbours,
    /// A statement that resets or changes something is missing.
    DroppedStatement,
    /// A condition is the opposite.
    NegatedTest,
    /// Another variable, constant, field or variant of the same type is taken.
    OtherVariable,
}

impl Operator {
    /// The operator as a phrase.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Boundary => "boundary",
            Self::RemovedCondition => "removed condition",
            Self::DeletedOperand => "deleted operand",
            Self::OffByOne => "off by one",
            Self::SwappedNeighbours => "swapped neighbours",
            Self::DroppedStatement => "dropped statement",
            Self::NegatedTest => "negated test",
            Self::OtherVariable => "another value of the same type",
        }
    }

    /// The start of the id of a mutant, which states the bug.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Boundary => "misses-a-boundary",
            Self::RemovedCondition => "ignores-a-condition",
            Self::DeletedOperand => "forgets-an-operand",
            Self::OffByOne => "is-off-by-one",
            Self::SwappedNeighbours => "swaps-neighbours",
            Self::DroppedStatement => "skips-a-step",
            Self::NegatedTest => "negates-a-test",
            Self::OtherVariable => "takes-another-value",
        }
    }
}

impl Candidate {
    /// The id of a mutant that does the same: what it does, and in which function.
    pub fn default_id(&self) -> String {
        let (mut words, mut was_lower) = (String::new(), false);
        for letter in self.function.chars() {
            if letter.is_ascii_uppercase() && was_lower {
                words.push('-');
            }
            was_lower = letter.is_ascii_lowercase();
            words.push(if letter.is_ascii_alphanumeric() {
                letter.to_ascii_lowercase()
            } else {
                '-'
            });
        }
        let words: Vec<_> = words.split('-').filter(|word| !word.is_empty()).collect();
        match words.as_slice() {
            [] => self.operator.phrase().to_owned(),
            words => format!("{}-in-{}", self.operator.phrase(), words.join("-")),
        }
    }

    /// All of what changes, from the first part to the last.
    pub fn extent(&self) -> Range<usize> {
        let last = self.parts.last().expect("a candidate changes something");
        self.parts[0].range.start..last.range.end
    }

    /// The lines of the source that change, with the number of the first, and what they become.
    pub fn lines(&self, source: &str) -> (usize, Vec<String>, Vec<String>) {
        let extent = self.extent();
        let start = source[..extent.start].rfind('\n').map_or(0, |at| at + 1);
        let end = source[extent.end..].find('\n').map_or(source.len(), |at| extent.end + at);
        let before = &source[start..end];
        let changes = self.parts.iter().map(|part| (part.range.clone(), part.text.clone()));
        let after = marked::replaced(source, start..end, changes);
        let lines = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            lines.map(str::to_owned).collect()
        };
        let number = source[..start].matches('\n').count() + 1;
        (number, lines(before), lines(&after))
    }
}

/// The candidates of a source, and the places where each of its loops begins a round.
#[derive(Default)]
pub struct Found {
    pub candidates: Vec<Candidate>,
    pub loops: Vec<usize>,
    /// What makes the mark of a bug known in this source, if it is not yet.
    pub import: Option<Import>,
}

impl Found {
    /// Two operators may find the same change.
    fn without_repetitions(mut self) -> Self {
        let mut seen = BTreeSet::new();
        let key =
            |part: &Part| (part.range.start, part.range.end, part.place.start, part.text.clone());
        self.candidates.retain(|it| seen.insert(it.parts.iter().map(key).collect::<Vec<_>>()));
        self
    }
}

/// A line that imports the mark of a bug.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// Where it is written.
    pub at: usize,
    pub text: String,
}
