//! The matrix: tests × mutants, with a verdict for each pair.

use super::validators::rejected;
use crate::domain::Flaw;
use subject::wire::MutantSet;
use subject::{End, How, Outcome};

/// What the programs of an assignment did on one case.
#[derive(Clone, Debug)]
pub struct Row {
    /// The reference's outcome.
    pub reference: Outcome,
    /// The mutants that differ, in the order of their indices. No mutant is run on a case that the reference rejects.
    pub exposed: Vec<Difference>,
    /// The mutants that the reference reaches, if the programs can tell. No other mutant can differ.
    pub reached: Option<MutantSet>,
    /// The mutants that never end, because they come back to a state.
    pub(super) endless: MutantSet,
    /// Whether the combined build with no mutant selected did what the reference did.
    pub agrees: bool,
}

/// A mutant that differs from the reference.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The mutant's index.
    pub mutant: usize,
    /// How it differs.
    pub how: How,
    /// What is wrong with its answer, if the outcomes were asked for and the judge can say it.
    pub why: Option<Flaw>,
    /// Its outcome, if it was asked for.
    pub outcome: Option<Outcome>,
}

impl Row {
    /// The row of a case on which `exposed` differ from the reference.
    pub fn new(reference: Outcome, exposed: Vec<Difference>) -> Self {
        Self { reference, exposed, reached: None, endless: MutantSet::default(), agrees: true }
    }

    /// The row of a case that is not valid, for this reason.
    pub(super) fn rejected(why: &str) -> Self {
        Self::new(rejected(why), Vec::new())
    }

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
