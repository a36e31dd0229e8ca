//! What the suites of a class expose: mutants, behaviours and programs. Pure.

use super::behaviours::Behaviour;
use super::{Corpus, Trial};
use crate::suite::{Suite, Test};
use std::collections::{BTreeMap, BTreeSet};

/// What a suite exposes.
#[derive(Clone, Debug)]
pub struct Exposed {
    /// The name of its folder.
    pub name: String,
    /// The number of tests that the reference accepts.
    pub valid_tests: usize,
    /// The indices of the mutants.
    pub mutants: BTreeSet<usize>,
    /// The indices of the behaviours.
    pub behaviours: BTreeSet<usize>,
    /// The indices of the programs that differ on one of its tests.
    pub programs: BTreeSet<usize>,
}

/// What each of `suites` exposes. Their tests are in the corpus.
pub fn exposed(
    corpus: &Corpus,
    suites: &[Suite],
    behaviours: &[Behaviour],
    trials: &[Option<&Trial>],
) -> Vec<Exposed> {
    let numbers: BTreeMap<_, _> =
        corpus.cases.iter().enumerate().map(|(number, it)| (&it.draft, number)).collect();
    let of_suite = |suite: &Suite| {
        let drafts: Vec<_> = suite.tests.iter().map(Test::draft).collect();
        let tests: Vec<_> = drafts.iter().filter_map(|draft| numbers.get(draft)).collect();
        let shows = |has: &dyn Fn(&usize) -> bool| tests.iter().any(|test| has(test));
        let behaviours = behaviours.iter().enumerate();
        let behaviours = behaviours.filter(|(_, it)| shows(&|test| it.trace.contains_key(test)));
        let programs = trials.iter().enumerate().filter(|(_, trial)| {
            shows(&|test| trial.is_some_and(|trial| trial.shown.contains_key(test)))
        });
        Exposed {
            name: suite.name.clone(),
            valid_tests: tests.len(),
            mutants: tests
                .iter()
                .flat_map(|test| corpus.cases[**test].mutants.keys())
                .copied()
                .collect(),
            behaviours: behaviours.map(|(at, _)| at).collect(),
            programs: programs.map(|(at, _)| at).collect(),
        }
    };
    suites.iter().map(of_suite).collect()
}
