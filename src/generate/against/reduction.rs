//! Making the cases smaller on which a program differs, while it still differs in the same way.

use super::Kind;
use crate::domain::Draft;
use crate::generate::duel::{self, Difference, Duel, Meeting};
use crate::problem::Failure;
use std::collections::{BTreeMap, BTreeSet};
use subject::How;

/// Steps that are tried at the same time, and where each may take long.
const CHUNK: usize = 8;
const SLOW_CHUNK: usize = 2;

/// A case, and how the two differ on it.
#[derive(Clone)]
pub(super) struct Sighting {
    pub(super) draft: Draft,
    pub(super) difference: Difference,
}

/// The sighting of each kind, as small as it goes. A kind that does not show again is not among them. No area is below `least`.
pub(super) fn reduce_all(
    duel: &mut Duel<'_>,
    kinds: &[(Kind, Sighting)],
    least: usize,
) -> Result<BTreeMap<Kind, Sighting>, Failure> {
    let mut reduced: BTreeMap<Kind, Sighting> = BTreeMap::new();
    let mut inputs = BTreeSet::new();
    for (kind, sighting) in kinds {
        let smaller = from_another(duel, sighting, &inputs)?;
        if let Some(smallest) = reduce(duel, smaller.as_ref().unwrap_or(sighting), least)? {
            inputs
                .insert((duel.generator.area(&smallest.draft.input), smallest.draft.input.clone()));
            reduced.insert(kind.clone(), smallest);
        }
    }
    // What shows one kind often shows another: now each is tried with the inputs of those that came later, too.
    for sighting in reduced.values_mut() {
        if let Some(smaller) = from_another(duel, sighting, &inputs)?
            && let Some(smallest) = reduce(duel, &smaller, least)?
        {
            *sighting = smallest;
        }
    }
    Ok(reduced)
}

/// The smallest of `inputs` on which the program differs as in `sighting`, with the same flags, if it is smaller.
fn from_another(
    duel: &mut Duel<'_>,
    sighting: &Sighting,
    inputs: &BTreeSet<(usize, Vec<u8>)>,
) -> Result<Option<Sighting>, Failure> {
    let Sighting { draft, difference } = sighting;
    let area = duel.generator.area(&draft.input);
    let smaller = inputs.iter().take_while(|(smaller, _)| *smaller < area);
    let drafts: Vec<_> = smaller
        .map(|(_, input)| Draft { flags: draft.flags.clone(), input: input.clone() })
        .collect();
    let meetings = duel.meet_in_haste(&drafts)?;
    let found =
        drafts.into_iter().zip(meetings).find(|(_, meeting)| duel::is(meeting, difference.how));
    Ok(found.and_then(|(draft, meeting)| sighted(draft, meeting, difference.how)))
}

/// The sighting made as small as goes, or as it was where the smaller one does not show again. None where neither does.
fn reduce(
    duel: &mut Duel<'_>,
    sighting: &Sighting,
    least: usize,
) -> Result<Option<Sighting>, Failure> {
    let how = sighting.difference.how;
    if how == How::Timeout && duel.generator.area(&sighting.draft.input) <= least {
        // It was waited for once, and a plainer map is not worth more of that.
        return Ok(Some(sighting.clone()));
    }
    let smallest = smallest(duel, sighting.draft.clone(), how)?;
    if how == How::Timeout && (smallest == sighting.draft || duel.out_of_time()) {
        return Ok(Some(sighting.clone()));
    }
    for draft in [smallest, sighting.draft.clone()] {
        let meeting = duel.meet_with_patience(&draft)?;
        if let Some(sighting) = sighted(draft, meeting, how) {
            return Ok(Some(sighting));
        }
    }
    Ok(None)
}

fn sighted(draft: Draft, meeting: Meeting, how: How) -> Option<Sighting> {
    match meeting {
        Meeting::Differ(difference) if difference.how == how => {
            Some(Sighting { draft, difference: *difference })
        }
        _ => None,
    }
}

/// The draft from which no single step leads to a smaller one on which the program differs in the same way.
fn smallest(duel: &mut Duel<'_>, draft: Draft, how: How) -> Result<Draft, Failure> {
    let mut smallest = draft;
    // Where the last step was found the next one is likely.
    let mut from = 0;
    while let Some((at, step)) = next_step(duel, &smallest, how, from)? {
        smallest = step;
        from = at;
    }
    Ok(smallest)
}

/// The first step that works, with its number, beginning with number `from` and going round once.
fn next_step(
    duel: &mut Duel<'_>,
    draft: &Draft,
    how: How,
    from: usize,
) -> Result<Option<(usize, Draft)>, Failure> {
    let mut steps: Vec<_> = duel.generator.smaller(draft).into_iter().enumerate().collect();
    let from = from.min(steps.len());
    steps.rotate_left(from);
    let works = |meeting: &Meeting| {
        duel::is(meeting, how) || how == How::Timeout && matches!(meeting, Meeting::Slow)
    };
    for chunk in steps.chunks(if how == How::Timeout { SLOW_CHUNK } else { CHUNK }) {
        if duel.out_of_time() {
            return Ok(None);
        }
        let drafts: Vec<_> = chunk.iter().map(|(_, draft)| draft.clone()).collect();
        if let Some(at) = duel.meet_in_haste(&drafts)?.iter().position(works) {
            return Ok(chunk.get(at).cloned());
        }
    }
    Ok(None)
}
