//! The matrix: tests × mutants, with a verdict for each pair.

use subject::wire::{Difference, MutantSet};
use subject::{End, Outcome};

/// What the programs of an assignment did on one case.
#[derive(Clone, Debug)]
pub struct Row {
    /// The reference's outcome.
    pub reference: Outcome,
    /// The mutants that differ, in the order of their indices. No mutant is run on a case that the reference rejects.
    pub exposed: Vec<Difference>,
    /// The mutants that the reference reaches, if the programs can tell. No other mutant can differ.
    pub reached: Option<MutantSet>,
    /// Whether the combined build with no mutant selected did what the reference did.
    pub agrees: bool,
}

impl Row {
    /// Whether the reference accepts the case.
    pub fn is_valid(&self) -> bool {
        self.reference.end == End::Exit(0)
    }

    /// The indices of the mutants that differ.
    pub fn exposed_mutants(&self) -> MutantSet {
        self.exposed.iter().map(|difference| difference.mutant).collect()
    }

    /// How the mutant with this index differs, if it does.
    pub fn difference(&self, mutant: usize) -> Option<&Difference> {
        self.exposed.iter().find(|difference| difference.mutant == mutant)
    }
}
