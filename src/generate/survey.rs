//! A survey of the mutants: random tests of each kind, and what each of them exposes.
//!
//! How likely a mutant is exposed is counted on random tests alone. Which mutant is exposed along with which is judged on more: on
//! neighbours of tests that expose one too, since a large random test exposes much at once and so tells little apart.

pub mod order;

use crate::catalogue::Mutant;
use crate::domain::{Draft, Generator};
use crate::generate::Arena;
use crate::generate::arena::{Batch, exposed_by, is_valid};
use crate::generate::sample::mixed;
use crate::problem::Failure;
use crate::problem::progress::Progress;
use fastrand::Rng;
use order::Cases;
use subject::wire::{Answer, MutantSet};

/// Cases of a batch, and batches whose results are held at the same time.
const BATCH: usize = 64;
const ROUND: usize = 64;
/// Random neighbours of each test that is a mutant's own.
const NEIGHBOURS: usize = 64;

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How many random tests.
    pub cases: usize,
    /// What they are drawn from.
    pub seed: u64,
}

/// What was counted.
pub struct Tallies {
    /// By kind, the random tests that the reference accepts.
    pub valid: Vec<usize>,
    /// How many tests were tried near those that expose a mutant, and accepted.
    pub near: usize,
    /// What was counted of each mutant.
    pub mutants: Vec<Tally>,
}

/// What was counted of a mutant.
#[derive(Clone, Default)]
pub struct Tally {
    /// By kind, the random tests that expose it.
    pub exposed: Vec<usize>,
    /// The random tests that reach it.
    pub reached: usize,
    /// The area of the smallest test that exposes it.
    pub smallest: Option<usize>,
    /// All accepted tests that expose it, by number.
    pub killers: Cases,
    /// Tests to look around: the smallest and the first that expose it.
    seeds: Vec<Draft>,
}

/// What one test did.
struct Sighting {
    draft: Draft,
    kind: Option<usize>,
    area: usize,
    exposed: MutantSet,
    reached: MutantSet,
}

/// Tries random tests, then neighbours of those that expose a mutant.
///
/// # Errors
/// Where a worker can't be started.
pub fn survey(
    arena: &mut Arena<'_>,
    mutants: &[Mutant],
    options: &Options,
) -> Result<Tallies, Failure> {
    let kinds = arena.generator.kinds().len();
    let tally = Tally { exposed: vec![0; kinds], ..Tally::default() };
    let mut tallies =
        Tallies { valid: vec![0; kinds], near: 0, mutants: vec![tally; mutants.len()] };
    let (generator, rules) = (arena.generator, &arena.assignment.tests);
    let progress = Progress::new("random tests", Some(options.cases as u64));
    try_all(arena, options.cases, &mut tallies, &progress, |case| {
        let mut rng = Rng::with_seed(mixed(options.seed, case as u64));
        (generator.sample_of(case % kinds, rules, &mut rng), Some(case % kinds))
    })?;
    for (tally, mutant) in tallies.mutants.iter_mut().zip(mutants) {
        let witness = mutant.witness.iter();
        tally.seeds.extend(
            witness
                .map(|it| Draft { flags: it.flags.clone(), input: it.input.clone().into_bytes() }),
        );
    }
    let around: Vec<_> = tallies.mutants.iter().flat_map(|tally| tally.seeds.clone()).collect();
    let around = around_all(generator, rules, around, options.seed);
    progress.say("their neighbours");
    try_all(arena, around.len(), &mut tallies, &progress, |case| (around[case].clone(), None))?;
    Ok(tallies)
}

/// Each draft, its neighbours, and what is a step smaller; none twice.
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

/// Runs the cases that `make` makes, and counts.
fn try_all(
    arena: &mut Arena<'_>,
    count: usize,
    tallies: &mut Tallies,
    progress: &Progress,
    make: impl Fn(usize) -> (Draft, Option<usize>) + Sync,
) -> Result<(), Failure> {
    let generator = arena.generator;
    let targets = MutantSet::all(tallies.mutants.len());
    for first in (0..count).step_by(BATCH * ROUND) {
        let left = count - first;
        let start = |batch: usize| first + batch * BATCH;
        let sightings = arena.sweep(
            ROUND.min(left.div_ceil(BATCH)),
            |batch| {
                let cases = start(batch)..count.min(start(batch) + BATCH);
                Batch { drafts: cases.map(|case| make(case).0).collect(), mutants: &targets }
            },
            |batch, drafts, answers| {
                let seen = drafts
                    .into_iter()
                    .zip(&answers)
                    .enumerate()
                    .filter(|(_, (_, answer))| is_valid(answer));
                let sighting = |(at, (draft, answer)): (usize, (Draft, &Answer))| Sighting {
                    kind: make(start(batch) + at).1,
                    area: generator.area(&draft.input),
                    draft,
                    exposed: exposed_by(answer),
                    reached: answer.reached.clone(),
                };
                seen.map(sighting).collect::<Vec<_>>()
            },
        )?;
        sightings.into_iter().flatten().for_each(|sighting| tallies.count(&sighting));
        progress.add(left.min(BATCH * ROUND) as u64);
    }
    Ok(())
}

impl Tallies {
    /// How many accepted tests there are.
    pub fn cases(&self) -> usize {
        self.valid.iter().sum::<usize>() + self.near
    }

    fn count(&mut self, sighting: &Sighting) {
        let number = self.cases();
        match sighting.kind {
            Some(kind) => self.valid[kind] += 1,
            None => self.near += 1,
        }
        for mutant in sighting.exposed.iter() {
            let tally = &mut self.mutants[mutant];
            tally.killers.insert(number);
            if let Some(kind) = sighting.kind {
                tally.exposed[kind] += 1;
            }
            if tally.smallest.is_none_or(|smallest| sighting.area < smallest) {
                tally.smallest = Some(sighting.area);
                // The first stays, the smallest is replaced.
                tally.seeds.truncate(1);
                tally.seeds.push(sighting.draft.clone());
            }
        }
        if sighting.kind.is_some() {
            sighting.reached.iter().for_each(|mutant| self.mutants[mutant].reached += 1);
        }
    }
}
