//! Makes cases smaller while the program still differs in the same way.

use super::Reduction;
use super::deviation::{Known, alike};
use crate::diagnostic::Failure;
use crate::domain::Draft;
use crate::generate::comparer::{Comparer, Comparison, Discrepancy, Later, Waited};
use crate::generate::repeats::digest;
use std::collections::HashSet;
use subject::How;

/// Steps that are tried at the same time, and if each may be slow.
const CHUNK: usize = 8;
const SLOW_CHUNK: usize = 2;

/// A case that was reduced, and what both did on it.
pub(super) struct Reduced {
    pub(super) draft: Draft,
    pub(super) difference: Discrepancy,
    pub(super) reduction: Reduction,
    /// What a process does that has exceeded its limit.
    pub(super) later: Option<Later>,
}

/// What must stay as it is while a case becomes smaller.
#[derive(Clone, Copy)]
pub(super) struct Kept<'a> {
    pub(super) how: How,
    /// The deviations of which none may account for the difference.
    pub(super) known: &'a Known,
    /// The mutant that does the same as the program, if one was chosen.
    pub(super) alike: Option<usize>,
}

/// Reduces `draft` while the program differs as it must. If it does not differ again on the smaller one, gives `draft` itself, or `None`
/// if it does not differ on that either.
pub(super) fn reduce(
    comparer: &mut Comparer<'_>,
    draft: &Draft,
    kept: Kept<'_>,
) -> Result<Option<Reduced>, Failure> {
    let how = kept.how;
    let (smallest, is_complete) = smallest(comparer, draft, kept)?;
    let is_smaller = smallest != *draft;
    let reduction = match (is_complete, is_smaller) {
        (true, _) => Reduction::Complete,
        (false, true) => Reduction::Partial,
        (false, false) => Reduction::OutOfTime,
    };
    let whole = is_smaller.then(|| (draft.clone(), Reduction::Unconfirmed));
    for (draft, reduction) in [(smallest, reduction)].into_iter().chain(whole) {
        if let Some(reduced) = tried_again(comparer, draft, how, reduction)? {
            return Ok(Some(reduced));
        }
    }
    Ok(None)
}

/// What the program does on a reduced draft if it gets all of its time. `None` if that does not differ in the way `how`.
fn tried_again(
    comparer: &mut Comparer<'_>,
    draft: Draft,
    how: How,
    reduction: Reduction,
) -> Result<Option<Reduced>, Failure> {
    if how == How::Timeout {
        let waited = comparer.wait_for(&draft)?;
        return Ok(waited.map(|Waited { difference, later }| Reduced {
            draft,
            difference,
            reduction,
            later: Some(later),
        }));
    }
    Ok(match comparer.compare_patiently(&draft)? {
        Comparison::Differ(difference) if difference.how == how => {
            Some(Reduced { draft, difference: *difference, reduction, later: None })
        }
        _ => None,
    })
}

/// Takes steps to smaller drafts until none works. Also gives whether all were tried before the time ran out.
fn smallest(
    comparer: &mut Comparer<'_>,
    draft: &Draft,
    kept: Kept<'_>,
) -> Result<(Draft, bool), Failure> {
    let mut smallest = draft.clone();
    // The next step is likely to be near the last one.
    let mut from = 0;
    loop {
        match next_step(comparer, &smallest, kept, from)? {
            Step::Works(at, step) => (from, smallest) = (at, step),
            Step::NoneWorks => return Ok((smallest, true)),
            Step::OutOfTime => return Ok((smallest, false)),
        }
    }
}

enum Step {
    /// The number of the step, and the smaller draft.
    Works(usize, Draft),
    NoneWorks,
    OutOfTime,
}

/// The first step that works. The search begins with the step `from`, and the first step follows the last.
fn next_step(
    comparer: &mut Comparer<'_>,
    draft: &Draft,
    kept: Kept<'_>,
    from: usize,
) -> Result<Step, Failure> {
    // All steps of a large draft at the same time would need a lot of memory.
    let generator = comparer.generator;
    let steps = generator.steps(draft);
    let mut numbers = (from..steps.count).chain(0..from.min(steps.count));
    let mut tried = HashSet::new();
    let is_slow = kept.how == How::Timeout;
    loop {
        let in_time = numbers.by_ref().take_while(|_| !comparer.out_of_time());
        let new = in_time.filter_map(|at| Some((at, comparer.step(&steps, at)?)));
        let new = new.filter(|(_, draft)| tried.insert(digest(draft)));
        let chunk: Vec<_> = new.take(if is_slow { SLOW_CHUNK } else { CHUNK }).collect();
        if comparer.out_of_time() {
            return Ok(Step::OutOfTime);
        }
        if chunk.is_empty() {
            return Ok(Step::NoneWorks);
        }
        let drafts: Vec<_> = chunk.iter().map(|(_, draft)| draft.clone()).collect();
        let comparisons = if is_slow {
            comparer.compare_briefly(&drafts)?
        } else {
            comparer.compare_quickly(&drafts)?
        };
        let are_new = kept.known.are_new(comparer, &drafts, &comparisons, kept.how)?;
        for at in (0..drafts.len()).filter(|&at| are_new[at]) {
            if is_alike(comparer, &drafts[at], &comparisons[at], kept.alike)? {
                let (at, draft) = chunk[at].clone();
                return Ok(Step::Works(at, draft));
            }
        }
    }
}

/// Whether the program does what `mutant` does, if there is one.
fn is_alike(
    comparer: &mut Comparer<'_>,
    draft: &Draft,
    comparison: &Comparison,
    mutant: Option<usize>,
) -> Result<bool, Failure> {
    match (mutant, comparison) {
        (None, _) => Ok(true),
        (Some(mutant), Comparison::Differ(difference)) => {
            Ok(alike(comparer, draft, difference)?.contains(mutant))
        }
        (Some(_), _) => Ok(false),
    }
}
