//! Doing with a file less: the others are changed little by little until they expose what one of them exposes alone.
//!
//! A local search: it may fail where it could be done, so it proves nothing. What it makes are candidates for the selection.

use super::arena::{Arena, Batch, exposed_by};
use super::sample::mixed;
use crate::domain::Draft;
use crate::problem::Failure;
use fastrand::Rng;
use std::cmp::Reverse;
use subject::wire::MutantSet;

/// Changed files of a batch, and batches of a round.
const BATCH: usize = 32;
const ROUND: usize = 12;
/// Changed files of a batch that are looked at closely.
const PROMISING: usize = 6;
/// Rounds after which a file is not done without, and rounds without a gain.
const MOST_ROUNDS: usize = 150;
const IDLE_ROUNDS: usize = 20;
/// How many files are tried to be done without, those that expose the least alone first.
const TRIED: usize = 4;

/// A file, and what it exposes of what is wanted.
type Exposing = (Draft, MutantSet);

/// As few files as it finds that expose all that `files` expose together.
///
/// # Errors
/// Where a worker can't be started.
pub fn absorb(
    arena: &mut Arena<'_>,
    files: Vec<Exposing>,
    seed: u64,
) -> Result<Vec<Exposing>, Failure> {
    let wanted = union(&files);
    let mut files = files;
    'fewer: while files.len() > 1 {
        let mut least: Vec<_> = (0..files.len()).collect();
        least.sort_by_key(|&at| only_here(&files, at).len());
        for &at in least.iter().take(TRIED) {
            let mut others = files.clone();
            others.remove(at);
            if let Some(fewer) =
                take_over(arena, others, &wanted, mixed(seed, (files.len() + at) as u64))?
            {
                files = fewer;
                continue 'fewer;
            }
        }
        break;
    }
    Ok(files)
}

/// Changes `files` until they expose all of `wanted`; `None` where that does not come about.
fn take_over(
    arena: &mut Arena<'_>,
    mut files: Vec<Exposing>,
    wanted: &MutantSet,
    seed: u64,
) -> Result<Option<Vec<Exposing>>, Failure> {
    let (mut fewest_missing, mut last_gain) = (usize::MAX, 0);
    for round in 0..MOST_ROUNDS {
        let missing = wanted.without(&union(&files));
        if missing.is_empty() {
            return Ok(Some(files));
        }
        if missing.len() < fewest_missing {
            (fewest_missing, last_gain) = (missing.len(), round);
        }
        if arena.out_of_time() || round - last_gain > IDLE_ROUNDS {
            break;
        }
        let kept: Vec<_> = (0..files.len()).map(|at| only_here(&files, at)).collect();
        let promising =
            promising(arena, &files, &missing, |at| mixed(seed, (round * ROUND + at) as u64))?;
        let changed = arena.sweep(
            ROUND,
            |at| Batch {
                drafts: promising[at].iter().map(|(draft, _)| draft.clone()).collect(),
                mutants: &kept[at % files.len()],
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
        // One file at a time: what two of them expose alone may change when one does.
        let gain = |at: usize| best[at].as_ref().map(|(_, gained)| gained.len());
        let Some(at) = (0..files.len())
            .filter(|&at| best[at].is_some())
            .max_by_key(|&at| (gain(at), (at + round) % files.len()))
        else {
            continue;
        };
        let draft = best[at].take().expect("it was looked for").0;
        let exposed =
            arena.exposed(std::slice::from_ref(&draft), wanted)?.pop().unwrap_or_default();
        files[at] = (draft, exposed);
    }
    Ok(None)
}

/// Changed files, a batch for one file and then the next, each with what it exposes of `missing`: those that expose the most, and a few
/// more, so that a file drifts where nothing gains. What they still expose of the rest is dear to find out, so few are worth it.
fn promising(
    arena: &mut Arena<'_>,
    files: &[Exposing],
    missing: &MutantSet,
    seed: impl Fn(usize) -> u64 + Sync,
) -> Result<Vec<Vec<Exposing>>, Failure> {
    let (generator, rules) = (arena.generator, &arena.assignment.tests);
    arena.sweep(
        ROUND,
        |at| {
            let mut rng = Rng::with_seed(seed(at));
            let file = &files[at % files.len()].0;
            Batch {
                drafts: (0..BATCH).map(|_| generator.neighbour(file, rules, &mut rng)).collect(),
                mutants: missing,
            }
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

/// What the file `at` exposes and no other does.
pub(super) fn only_here(files: &[Exposing], at: usize) -> MutantSet {
    let elsewhere = files.iter().enumerate().filter(|(other, _)| *other != at);
    files[at].1.without(
        &elsewhere.fold(MutantSet::default(), |all, (_, (_, exposed))| joined(&all, exposed)),
    )
}
