//! What the suites of a class expose: mutants, deviations and programs. Pure.
//!
//! A deviation is known on plain cases only, so that the plain form of a test decides whether it exposes one.

use super::deviations::Deviation;
use super::{Corpus, Trial};
use harness::domain::Generator;
use harness::suite::{Suite, Test};
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
    /// The indices of the deviations.
    pub deviations: BTreeSet<usize>,
    /// The indices of the programs that differ on one of its tests.
    pub programs: BTreeSet<usize>,
}

/// What each of `suites` exposes. Their tests are in the corpus.
pub fn exposed(
    corpus: &Corpus,
    generator: &dyn Generator,
    suites: &[Suite],
    deviations: &[Deviation],
    trials: &[Option<&Trial>],
) -> Vec<Exposed> {
    let numbers: BTreeMap<_, _> =
        corpus.cases.iter().enumerate().map(|(number, it)| (&it.draft, number)).collect();
    let of_suite = |suite: &Suite| {
        let drafts: Vec<_> = suite.tests.iter().map(Test::draft).collect();
        let tests: Vec<_> = drafts.iter().filter_map(|draft| numbers.get(draft)).collect();
        let plain: Vec<_> = drafts
            .iter()
            .filter(|draft| numbers.contains_key(draft))
            .filter_map(|draft| numbers.get(&generator.plain(draft)))
            .collect();
        let deviations = deviations.iter().enumerate();
        let deviations =
            deviations.filter(|(_, it)| plain.iter().any(|test| it.signature.contains_key(test)));
        let differs = |trial: Option<&Trial>| {
            let shows = |test: &&usize| trial.is_some_and(|it| it.shown.contains_key(*test));
            tests.iter().any(shows)
        };
        let programs = trials.iter().enumerate().filter(|(_, trial)| differs(**trial));
        Exposed {
            name: suite.name.clone(),
            valid_tests: tests.len(),
            mutants: tests
                .iter()
                .flat_map(|test| corpus.cases[**test].mutants.keys())
                .copied()
                .collect(),
            deviations: deviations.map(|(at, _)| at).collect(),
            programs: programs.map(|(at, _)| at).collect(),
        }
    };
    suites.iter().map(of_suite).collect()
}
