//! Makes cases smaller while the program still differs in the same way.

use super::Behaviour;
use crate::domain::Draft;
use crate::generate::comparer::{self, Comparer, Comparison, Discrepancy};
use crate::problem::Failure;
use std::collections::{BTreeMap, BTreeSet};
use subject::How;

/// Steps that are tried at the same time, and if each may be slow.
const CHUNK: usize = 8;
const SLOW_CHUNK: usize = 2;

/// A case on which the two differ.
#[derive(Clone)]
pub(super) struct Counterexample {
    pub(super) draft: Draft,
    pub(super) difference: Discrepancy,
}

/// Reduces the counterexample of each behaviour. A behaviour that does not show again is left out. No area is below `least`.
pub(super) fn reduce_all(
    comparer: &mut Comparer<'_>,
    behaviours: &[(Behaviour, Counterexample)],
    least: usize,
) -> Result<BTreeMap<Behaviour, Counterexample>, Failure> {
    let mut reduced: BTreeMap<Behaviour, Counterexample> = BTreeMap::new();
    let mut inputs = BTreeSet::new();
    for (behaviour, counterexample) in behaviours {
        let smaller = from_another(comparer, counterexample, &inputs)?;
        if let Some(smallest) = reduce(comparer, smaller.as_ref().unwrap_or(counterexample), least)?
        {
            inputs.insert((
                comparer.generator.area(&smallest.draft.input),
                smallest.draft.input.clone(),
            ));
            reduced.insert(behaviour.clone(), smallest);
        }
    }
    // An input that shows one behaviour often shows another, so each behaviour is also tried with the inputs of the later ones.
    for counterexample in reduced.values_mut() {
        if let Some(smaller) = from_another(comparer, counterexample, &inputs)?
            && let Some(smallest) = reduce(comparer, &smaller, least)?
        {
            *counterexample = smallest;
        }
    }
    Ok(reduced)
}

/// The smallest of `inputs` on which the program differs as in `counterexample`, with the same flags, if it is smaller.
fn from_another(
    comparer: &mut Comparer<'_>,
    counterexample: &Counterexample,
    inputs: &BTreeSet<(usize, Vec<u8>)>,
) -> Result<Option<Counterexample>, Failure> {
    let Counterexample { draft, difference } = counterexample;
    let area = comparer.generator.area(&draft.input);
    let smaller = inputs.iter().take_while(|(smaller, _)| *smaller < area);
    let drafts: Vec<_> = smaller
        .map(|(_, input)| Draft { flags: draft.flags.clone(), input: input.clone() })
        .collect();
    let comparisons = comparer.compare_quickly(&drafts)?;
    let found = drafts
        .into_iter()
        .zip(comparisons)
        .find(|(_, comparison)| comparer::is(comparison, difference.how));
    Ok(found.and_then(|(draft, comparison)| counterexample_of(draft, comparison, difference.how)))
}

/// Reduces the counterexample. If the program does not differ again on the smaller one, gives the original, or `None` if it does not
/// differ on that either.
fn reduce(
    comparer: &mut Comparer<'_>,
    counterexample: &Counterexample,
    least: usize,
) -> Result<Option<Counterexample>, Failure> {
    let how = counterexample.difference.how;
    if how == How::Timeout && comparer.generator.area(&counterexample.draft.input) <= least {
        // The program got all of its time once. A simpler input of this size is not worth doing that again.
        return Ok(Some(counterexample.clone()));
    }
    let smallest = smallest(comparer, counterexample.draft.clone(), how)?;
    if how == How::Timeout && (smallest == counterexample.draft || comparer.out_of_time()) {
        return Ok(Some(counterexample.clone()));
    }
    for draft in [smallest, counterexample.draft.clone()] {
        let comparison = comparer.compare_patiently(&draft)?;
        if let Some(counterexample) = counterexample_of(draft, comparison, how) {
            return Ok(Some(counterexample));
        }
    }
    Ok(None)
}

fn counterexample_of(draft: Draft, comparison: Comparison, how: How) -> Option<Counterexample> {
    match comparison {
        Comparison::Differ(difference) if difference.how == how => {
            Some(Counterexample { draft, difference: *difference })
        }
        _ => None,
    }
}

/// Takes steps to smaller drafts on which the program differs in the same way, until no step works.
fn smallest(comparer: &mut Comparer<'_>, draft: Draft, how: How) -> Result<Draft, Failure> {
    let mut smallest = draft;
    // The next step is likely to be near the last one.
    let mut from = 0;
    while let Some((at, step)) = next_step(comparer, &smallest, how, from)? {
        smallest = step;
        from = at;
    }
    Ok(smallest)
}

/// The first step that works, with its number. The search begins with the step `from`, and the first step follows the last.
fn next_step(
    comparer: &mut Comparer<'_>,
    draft: &Draft,
    how: How,
    from: usize,
) -> Result<Option<(usize, Draft)>, Failure> {
    let mut steps: Vec<_> = comparer.generator.smaller(draft).into_iter().enumerate().collect();
    let from = from.min(steps.len());
    steps.rotate_left(from);
    let works = |comparison: &Comparison| {
        comparer::is(comparison, how)
            || how == How::Timeout && matches!(comparison, Comparison::Slow)
    };
    for chunk in steps.chunks(if how == How::Timeout { SLOW_CHUNK } else { CHUNK }) {
        if comparer.out_of_time() {
            return Ok(None);
        }
        let drafts: Vec<_> = chunk.iter().map(|(_, draft)| draft.clone()).collect();
        if let Some(at) = comparer.compare_quickly(&drafts)?.iter().position(works) {
            return Ok(chunk.get(at).cloned());
        }
    }
    Ok(None)
}
