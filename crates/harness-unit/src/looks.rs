//! What a suite looks at: a case that exposes only one of two disguises of a mutant looks at the program.

use crate::columns::{Column, Tried};
use std::collections::BTreeSet;

/// So many mutants that one case looks at are no chance, such as what is left in memory.
const MANY: usize = 2;

/// The mutants, by their numbers, that the cases of a suite look at.
#[derive(Default)]
pub(crate) struct Looks {
    mutants: BTreeSet<usize>,
}

impl Looks {
    /// Adds what the case with a number looks at, of these mutants. Says whether that is more than chance.
    pub(crate) fn add(&mut self, columns: &[&Column], case: usize) -> bool {
        let is_look = |tried: &Tried| tried.is_steady && !tried.is_alike;
        let is_looked_at =
            |column: &Column| column.as_ref().is_ok_and(|tried| is_look(&tried[case]));
        let looked_at = columns.iter().enumerate().filter(|(_, column)| is_looked_at(column));
        let looked_at: Vec<_> = looked_at.map(|(mutant, _)| mutant).collect();
        self.mutants.extend(&looked_at);
        looked_at.len() >= MANY
    }

    /// Whether the suite looks at most of so many mutants. Then what its cases expose is a guess, even where it exposes both disguises.
    pub(crate) fn are_most(&self, mutants: usize) -> bool {
        self.mutants.len() > MANY && 2 * self.mutants.len() > mutants
    }
}
