//! What a suite looks at. A case looks at a mutant if it exposes only one of the mutant and its disguise, or fails on the reference in the
//! same disguise.

use crate::columns::{Column, Tried};
use std::collections::BTreeSet;

/// So many mutants that one case looks at are no chance, such as what is left in memory.
const MANY: usize = 2;

/// The mutants, by their numbers, that the cases of a suite look at.
#[derive(Default)]
pub(crate) struct Looks {
    mutants: BTreeSet<usize>,
    /// Those in whose disguise the reference fails too, which is never chance.
    with_decoys: BTreeSet<usize>,
}

impl Looks {
    /// Adds what the case with a number looks at, of these mutants. Says whether that is more than chance.
    pub(crate) fn add(&mut self, columns: &[&Column], case: usize) -> bool {
        let looks = |is_look: fn(&Tried) -> bool| {
            let is_look = |tried: &Tried| tried.is_steady && is_look(tried);
            let columns = columns.iter().enumerate();
            let looked_at =
                columns.filter(|(_, column)| column.as_ref().is_ok_and(|it| is_look(&it[case])));
            looked_at.map(|(mutant, _)| mutant).collect::<Vec<_>>()
        };
        let with_decoys = looks(|tried| !tried.passes_on_decoy);
        let looked_at = looks(|tried| !tried.is_alike || !tried.passes_on_decoy);
        self.mutants.extend(&looked_at);
        self.with_decoys.extend(&with_decoys);
        looked_at.len() >= MANY || !with_decoys.is_empty()
    }

    /// Whether what the cases of the suite expose is a guess, even where they do not fail on a decoy: they look at most of so many mutants,
    /// or fail on more than a few decoys.
    pub(crate) fn are_guesses(&self, mutants: usize) -> bool {
        let is_most = self.mutants.len() > MANY && 2 * self.mutants.len() > mutants;
        is_most || self.with_decoys.len() > MANY
    }
}
