//! A survey of the mutants: how often random tests of each kind expose them, and which mutants are exposed together.
//!
//! The frequency is counted on random tests alone. Which mutants are exposed together is also judged on neighbours of tests that expose
//! a mutant, because a large random test exposes many mutants at once and so distinguishes few.

pub mod order;
pub mod suites;

use crate::catalogue::Witness;
use crate::diagnostic::Failure;
use crate::diagnostic::progress::Progress;
use crate::domain::{Draft, Generator};
use crate::generate::Evaluator;
use crate::generate::evaluator::{Batch, exposed_by, is_valid};
use crate::generate::seeds::mixed;
use fastrand::Rng;
use order::Cases;
use subject::wire::{Answer, MutantSet};

/// Cases of a batch, and batches whose results are held at the same time.
const BATCH: usize = 64;
const ROUND: usize = 64;
/// Random neighbours of each test that exposes a mutant.
const NEIGHBOURS: usize = 64;

/// How many tests to try.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The number of random tests.
    pub cases: usize,
    /// The seed of random tests.
    pub seed: u64,
}

/// The counts of a survey.
pub struct Tallies {
    /// The number of random tests that the reference accepts, by kind.
    pub valid: Vec<usize>,
    /// The number of accepted tests among the neighbours of tests that expose a mutant.
    pub near: usize,
    /// The counts of each mutant.
    pub mutants: Vec<Tally>,
}

/// The counts of a mutant.
#[derive(Clone, Default)]
pub struct Tally {
    /// The number of random tests that expose it, by kind.
    pub exposed: Vec<usize>,
    /// The number of random tests that reach it, if the program tells.
    pub reached: Option<usize>,
    /// The size of the smallest test that exposes it.
    pub smallest: Option<usize>,
    /// The numbers of all accepted tests that expose it.
    pub killers: Cases,
    /// Tests whose neighbours are tried: the first and the smallest that expose it.
    seeds: Vec<Draft>,
}

/// What one test reached and exposed.
struct Observation {
    draft: Draft,
    kind: Option<usize>,
    size: usize,
    exposed: MutantSet,
    reached: MutantSet,
}

/// Tries random tests, then neighbours of the tests that expose a mutant.
///
/// # Errors
/// If a worker cannot be started.
pub fn survey(evaluator: &mut Evaluator<'_>, options: &Options) -> Result<Tallies, Failure> {
    let kinds = evaluator.generator.kinds().len();
    let reached = evaluator.programs.knows_reached().then_some(0);
    let tally = Tally { exposed: vec![0; kinds], reached, ..Tally::default() };
    let mut tallies =
        Tallies { valid: vec![0; kinds], near: 0, mutants: vec![tally; evaluator.mutants.len()] };
    let (generator, rules) = (evaluator.generator, &evaluator.assignment.tests);
    let progress = Progress::new("random tests", Some(options.cases as u64));
    try_all(evaluator, options.cases, &mut tallies, &progress, |case| {
        let mut rng = Rng::with_seed(mixed(options.seed, case as u64));
        (generator.sample_of(case % kinds, rules, &mut rng), Some(case % kinds))
    })?;
    for (tally, mutant) in tallies.mutants.iter_mut().zip(&evaluator.mutants) {
        tally.seeds.extend(mutant.witness.iter().map(Witness::draft));
    }
    let around: Vec<_> = tallies.mutants.iter().flat_map(|tally| tally.seeds.clone()).collect();
    let around = around_all(generator, rules, around, options.seed);
    progress.say("their neighbours");
    try_all(evaluator, around.len(), &mut tallies, &progress, |case| (around[case].clone(), None))?;
    Ok(tallies)
}

/// Each draft, its neighbours, and the drafts that are one step smaller, without duplicates.
fn around_all(
    generator: &dyn Generator,
    rules: &crate::domain::TestRules,
    mut seeds: Vec<Draft>,
    seed: u64,
) -> Vec<Draft> {
    seeds.sort();
    seeds.dedup();
    let mut rng = Rng::with_seed(mixed(seed, u64::MAX));
    let mut all = Vec::new();
    for draft in &seeds {
        all.extend(generator.smaller(draft));
        all.extend((0..NEIGHBOURS).map(|_| generator.neighbour(draft, rules, &mut rng)));
    }
    all.append(&mut seeds);
    all.sort();
    all.dedup();
    all
}

/// Runs and counts the cases that `make` makes.
fn try_all(
    evaluator: &mut Evaluator<'_>,
    count: usize,
    tallies: &mut Tallies,
    progress: &Progress,
    make: impl Fn(usize) -> (Draft, Option<usize>) + Sync,
) -> Result<(), Failure> {
    let (generator, assignment) = (evaluator.generator, evaluator.assignment);
    let targets = MutantSet::all(tallies.mutants.len());
    for first in (0..count).step_by(BATCH * ROUND) {
        let left = count - first;
        let start = |batch: usize| first + batch * BATCH;
        let observations = evaluator.sweep(
            ROUND.min(left.div_ceil(BATCH)),
            |batch| {
                let cases = start(batch)..count.min(start(batch) + BATCH);
                Batch::new(cases.map(|case| make(case).0).collect(), &targets)
            },
            |batch, drafts, answers| {
                let seen = drafts
                    .into_iter()
                    .zip(&answers)
                    .enumerate()
                    .filter(|(_, (draft, answer))| is_valid(assignment, draft, answer));
                let observation = |(at, (draft, answer)): (usize, (Draft, &Answer))| Observation {
                    kind: make(start(batch) + at).1,
                    size: generator.size(&draft.input),
                    draft,
                    exposed: exposed_by(answer),
                    reached: answer.reached.clone(),
                };
                seen.map(observation).collect::<Vec<_>>()
            },
        )?;
        observations.into_iter().flatten().for_each(|observation| tallies.count(&observation));
        progress.add(left.min(BATCH * ROUND) as u64);
    }
    Ok(())
}

impl Tallies {
    /// The number of accepted tests.
    pub fn cases(&self) -> usize {
        self.valid.iter().sum::<usize>() + self.near
    }

    fn count(&mut self, observation: &Observation) {
        let number = self.cases();
        match observation.kind {
            Some(kind) => self.valid[kind] += 1,
            None => self.near += 1,
        }
        for mutant in observation.exposed.iter() {
            let tally = &mut self.mutants[mutant];
            tally.killers.insert(number);
            if let Some(kind) = observation.kind {
                tally.exposed[kind] += 1;
            }
            if tally.smallest.is_none_or(|smallest| observation.size < smallest) {
                tally.smallest = Some(observation.size);
                // Keeps the first, and replaces the smallest.
                tally.seeds.truncate(1);
                tally.seeds.push(observation.draft.clone());
            }
        }
        if observation.kind.is_some() {
            for mutant in observation.reached.iter() {
                self.mutants[mutant].reached.iter_mut().for_each(|count| *count += 1);
            }
        }
    }
}
