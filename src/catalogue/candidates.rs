//! Candidates: small changes of a reference's source that may become mutants.
//!
//! Each language finds its own candidates, and [`marked`] writes them into the source.

pub mod marked;
mod rust;
pub mod workshop;

use std::ops::Range;

/// A change of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub operator: Operator,
    /// The name of the function around it. Empty if there is none.
    pub function: String,
    /// The part that changes, in bytes, and what it becomes.
    pub range: Range<usize>,
    pub text: String,
    /// The part that the mark of the bug is written around.
    pub place: Range<usize>,
    pub form: Form,
    /// Whether the place is an operand, so that what is written there needs parentheses.
    pub is_operand: bool,
}

/// How the mark of a bug changes the place that it is written around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operator {
    Boundary,
    RemovedCondition,
    DeletedOperand,
    OffByOne,
    SwappedNeighbours,
    DroppedStatement,
    NegatedTest,
    OtherVariable,
}

impl Operator {
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

/// The candidates of a source, and the places where each of its loops begins a round.
#[derive(Default)]
pub struct Found {
    pub candidates: Vec<Candidate>,
    pub loops: Vec<usize>,
}

