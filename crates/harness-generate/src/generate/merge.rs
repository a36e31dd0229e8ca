//! Makes a file unnecessary: changes the other files step by step until they expose what only that file exposes.
//!
//! This is a local search. Its failure proves nothing. The files that it makes are candidates for the selection.

use super::evaluator::{Batch, Evaluator, exposed_by};
use super::seeds::mixed;
use super::select::{Quality, Selection};
use super::{Options, fill};
use crate::diagnostic::Failure;
use crate::domain::Draft;
use fastrand::Rng;
use std::cmp::Reverse;
use subject::wire::MutantSet;

/// The most changed files in a batch, and the number of batches in a round.
const BATCH: u64 = 32;
const ROUND: usize = 12;
/// The steps of the reference for a batch, in which a file that takes many has few changes, so that it does not take the time of the
/// others. With fewer steps than `FEW`, a file may change into one that takes so many.
const STEPS: u64 = BATCH * FEW;
const FEW: u64 = 4_000;
/// The number of changed files of a batch that are also run on the other mutants.
const PROMISING: usize = 6;
/// The search without a file ends after this many rounds.
const MOST_ROUNDS: usize = 150;

/// A file, and the targets that it exposes.
type Exposing = (Draft, MutantSet);

/// What to search for, and for how long.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim {
    /// So few files that fewer are of no use.
    files: usize,
    /// The search without a file ends after this many rounds without a gain.
    idle_rounds: usize,
    /// The number of files that the search tries to remove, beginning with those that expose the fewest mutants alone.
    tried: usize,
}

impl Aim {
    /// As few files as possible.
    const FEWEST: Self = Self { files: 1, idle_rounds: 20, tried: 4 };

    /// What a search with these options needs: no more files than expose everything, or room to expose each mutant again. Then one file
    /// fewer is of no use.
    pub(super) fn of(options: &Options) -> Self {
        if options.fewest {
            return Self::FEWEST;
        }
        // Most gains come soon, and any file will do, so each is tried for a short time.
        Self { files: (options.max_files / fill::FIRST).max(1), idle_rounds: 3, tried: usize::MAX }
    }

    /// Whether a selection has more files than that, and no other of these candidates has fewer.
    pub(super) fn is_missed_by(self, selection: &Selection) -> bool {
        selection.chosen.len() > self.files && selection.quality == Quality::ProvenFewest
    }
}

/// The fewest files it finds, down to those of `aim`, that together expose what `files` expose.
///
/// # Errors
/// If a worker cannot be started.
pub(super) fn merge(
    evaluator: &mut Evaluator<'_>,
    files: Vec<Exposing>,
    aim: Aim,
    seed: u64,
) -> Result<Vec<Exposing>, Failure> {
    let wanted = union(&files);
    let mut files = files;
    'fewer: while files.len() > aim.files {
        let mut left: Vec<_> = (0..files.len()).collect();
        for _ in 0..aim.tried.min(files.len()) {
            // One of those that expose the fewest mutants alone comes last.
            left.sort_by_key(|&at| (Reverse(only_here(&files, at).len()), at));
            let Some(at) = left.pop() else { break };
            let mut others = files.clone();
            others.remove(at);
            let seed = mixed(seed, (files.len() + at) as u64);
            if take_over(evaluator, &mut others, &wanted, aim.idle_rounds, seed)? {
                files = others;
                continue 'fewer;
            }
            // What the others have taken over, this file need no longer expose while another one is left out.
            others.insert(at, files.swap_remove(at));
            files = others;
        }
        break;
    }
    Ok(files)
}

/// Changes `files` until they expose all of `wanted`. Says whether they do.
fn take_over(
    evaluator: &mut Evaluator<'_>,
    files: &mut [Exposing],
    wanted: &MutantSet,
    idle_rounds: usize,
    seed: u64,
) -> Result<bool, Failure> {
    let (mut fewest_missing, mut last_gain) = (usize::MAX, 0);
    let mut steps = steps(evaluator, files)?;
    for round in 0..MOST_ROUNDS {
        let missing = wanted.without(&union(files));
        if missing.is_empty() {
            return Ok(true);
        }
        if missing.len() < fewest_missing {
            (fewest_missing, last_gain) = (missing.len(), round);
        }
        if evaluator.out_of_time() || round - last_gain > idle_rounds {
            break;
        }
        let kept: Vec<_> = (0..files.len()).map(|at| only_here(files, at)).collect();
        let promising = promising(evaluator, (files, &steps), &missing, round, seed)?;
        let changed = evaluator.sweep(
            ROUND,
            |at| {
                let drafts = promising[at].iter().map(|(draft, _)| draft.clone()).collect();
                Batch::new(drafts, &kept[at % files.len()])
            },
            |at, _, answers| {
                let kept = &kept[at % files.len()];
                let keeps = promising[at]
                    .iter()
                    .zip(&answers)
                    .filter(|(_, answer)| kept.is_subset(&exposed_by(answer)));
                keeps.map(|(change, _)| change.clone()).max_by_key(|(_, gained)| gained.len())
            },
        )?;
        let mut best: Vec<Option<Exposing>> = vec![None; files.len()];
        for (at, change) in changed.into_iter().enumerate() {
            let slot = &mut best[at % files.len()];
            let gain = |change: &Option<Exposing>| change.as_ref().map(|(_, gained)| gained.len());
            if gain(&change) > gain(slot) {
                *slot = change;
            }
        }
        // One file at a time: a change of one file changes what the others expose alone.
        let gain = |at: usize| best[at].as_ref().map(|(_, gained)| gained.len());
        let Some(at) = (0..files.len())
            .filter(|&at| best[at].is_some())
            .max_by_key(|&at| (gain(at), (at + round) % files.len()))
        else {
            continue;
        };
        let draft = best[at].take().expect("it was looked for").0;
        let (exposed, taken) = exposed(evaluator, &draft, wanted)?;
        (files[at], steps[at]) = ((draft, exposed), taken);
    }
    Ok(false)
}

/// The steps of the reference on each file.
fn steps(evaluator: &mut Evaluator<'_>, files: &[Exposing]) -> Result<Vec<u64>, Failure> {
    evaluator.steps(&files.iter().map(|(draft, _)| draft.clone()).collect::<Vec<_>>())
}

/// The mutants of `wanted` that a draft exposes, and the steps of the reference. Cores share the mutants.
fn exposed(
    evaluator: &mut Evaluator<'_>,
    draft: &Draft,
    wanted: &MutantSet,
) -> Result<(MutantSet, u64), Failure> {
    const PARTS: usize = 2;
    let part = |at: usize| wanted.iter().skip(at).step_by(PARTS).collect();
    let parts: [MutantSet; PARTS] = std::array::from_fn(part);
    let answers = evaluator.sweep(
        PARTS,
        |at| Batch::new(vec![draft.clone()], &parts[at]),
        |_, _, answers| answers.first().map(|answer| (exposed_by(answer), answer.steps)),
    )?;
    let both = |all: (MutantSet, u64), part: (MutantSet, u64)| {
        (joined(&all.0, &part.0), all.1.max(part.1))
    };
    Ok(answers.into_iter().flatten().fold((MutantSet::default(), 0), both))
}

/// Changed files with the mutants of `missing` that each exposes, in one batch for each file in turn. The files come with the steps of the
/// reference. The changed ones are those that expose the most, and a few more, so that a file changes even if there is no gain. They are
/// few, because running the other mutants is expensive.
fn promising(
    evaluator: &mut Evaluator<'_>,
    (files, steps): (&[Exposing], &[u64]),
    missing: &MutantSet,
    round: usize,
    seed: u64,
) -> Result<Vec<Vec<Exposing>>, Failure> {
    let (generator, rules) = (evaluator.generator, &evaluator.assignment.tests);
    evaluator.sweep(
        ROUND,
        |at| {
            let mut rng = Rng::with_seed(mixed(seed, (round * ROUND + at) as u64));
            let (file, steps) = (&files[at % files.len()].0, steps[at % files.len()]);
            // A neighbour can take much longer.
            let most_steps = steps.saturating_mul(2).max(FEW);
            let number = (round * ROUND.div_ceil(files.len()) + at / files.len()) as u64;
            let until = |number: u64| number * STEPS / most_steps;
            let count = until(number + 1) - until(number);
            let near = |_| generator.neighbour(file, rules, &mut rng);
            Batch { most_steps, ..Batch::new((0..count).map(near).collect(), missing) }
        },
        |_, drafts, answers| {
            let mut changes: Vec<_> =
                drafts.into_iter().zip(answers.iter().map(exposed_by)).collect();
            changes.sort_by_key(|(_, gained)| Reverse(gained.len()));
            changes.truncate(PROMISING);
            changes
        },
    )
}

fn union(files: &[Exposing]) -> MutantSet {
    files.iter().fold(MutantSet::default(), |all, (_, exposed)| joined(&all, exposed))
}

fn joined(a: &MutantSet, b: &MutantSet) -> MutantSet {
    let mut joined = a.clone();
    joined.add_all(b);
    joined
}

/// What only the file `at` exposes.
fn only_here(files: &[Exposing], at: usize) -> MutantSet {
    let elsewhere = files.iter().enumerate().filter(|(other, _)| *other != at);
    files[at].1.without(
        &elsewhere.fold(MutantSet::default(), |all, (_, (_, exposed))| joined(&all, exposed)),
    )
}
