//! How hard the mutants are for a class: the number of suites that expose each.

use crate::result::{MutantReport, SuiteReport};
use std::collections::BTreeMap;

/// The number of suites that expose each mutant, by id.
#[derive(Default)]
pub(super) struct Difficulty(BTreeMap<String, usize>);

impl Difficulty {
    /// Counts the mutants that a suite exposes.
    pub(super) fn add(&mut self, suite: &SuiteReport) {
        for id in suite.exposed_by.keys() {
            *self.0.entry(id.clone()).or_default() += 1;
        }
    }

    /// The mutants, hardest first, each with the number of suites that expose it.
    pub(super) fn in_order<'a>(
        &self,
        mutants: &'a [MutantReport],
    ) -> Vec<(usize, &'a MutantReport)> {
        let count = |mutant: &MutantReport| self.0.get(&mutant.id).copied().unwrap_or(0);
        let mut mutants: Vec<_> = mutants.iter().map(|mutant| (count(mutant), mutant)).collect();
        mutants.sort_by_key(|(count, mutant)| (*count, mutant.id.clone()));
        mutants
    }
}
