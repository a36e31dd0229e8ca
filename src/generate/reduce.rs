//! Making cases smaller while they still expose what they are for.

use super::absorb::only_here;
use super::arena::Arena;
use crate::domain::Draft;
use crate::problem::Failure;
use subject::wire::MutantSet;

/// Steps that are tried at the same time: an early one mostly works.
const CHUNK: usize = 32;

/// The draft from which no single step goes further: each step leads to a smaller case that is valid and exposes all of `needed`.
///
/// # Errors
/// Where a worker can't be started.
pub fn reduce(arena: &mut Arena<'_>, draft: Draft, needed: &MutantSet) -> Result<Draft, Failure> {
    let mut smallest = draft;
    // Where the last step was found the next one is likely; what failed before is tried again only once the round is done.
    let mut from = 0;
    while let Some((at, step)) = next_step(arena, &smallest, needed, from)? {
        smallest = step;
        from = at;
    }
    Ok(smallest)
}

/// Each draft reduced as far as it still exposes its mutants.
///
/// # Errors
/// Where a worker can't be started.
pub fn reduce_all(arena: &mut Arena<'_>, drafts: &[(Draft, MutantSet)]) -> Result<Vec<Draft>, Failure> {
    drafts.iter().map(|(draft, needed)| reduce(arena, draft.clone(), needed)).collect()
}

/// Several drafts, reduced as far as they still expose together what they exposed together; each comes with what it exposes.
///
/// Each mutant is kept by one draft, the one that exposes it and has the most to keep already, so that the others can shrink more.
///
/// # Errors
/// Where a worker can't be started.
pub fn reduce_together(arena: &mut Arena<'_>, drafts: Vec<(Draft, MutantSet)>) -> Result<Vec<(Draft, MutantSet)>, Failure> {
    let mut all = MutantSet::default();
    drafts.iter().for_each(|(_, exposed)| all.add_all(exposed));
    let mut needed: Vec<MutantSet> = (0..drafts.len()).map(|at| only_here(&drafts, at)).collect();
    let kept = needed.iter().fold(MutantSet::default(), |mut kept, set| {
        kept.add_all(set);
        kept
    });
    for mutant in all.without(&kept).iter() {
        let keeper = (0..drafts.len()).filter(|&at| drafts[at].1.contains(mutant)).max_by_key(|&at| needed[at].len());
        if let Some(at) = keeper {
            needed[at].insert(mutant);
        }
    }
    let mut reduced = Vec::new();
    for ((draft, _), needed) in drafts.into_iter().zip(&needed) {
        reduced.push(reduce(arena, draft, needed)?);
    }
    let exposed = arena.exposed(&reduced, &all)?;
    Ok(reduced.into_iter().zip(exposed).collect())
}

/// The first step that works, with its number, beginning with number `from` and going round once.
fn next_step(arena: &mut Arena<'_>, draft: &Draft, needed: &MutantSet, from: usize) -> Result<Option<(usize, Draft)>, Failure> {
    let mut steps: Vec<_> = arena.generator.smaller(draft).into_iter().enumerate().collect();
    let from = from.min(steps.len());
    steps.rotate_left(from);
    for chunk in steps.chunks(CHUNK) {
        if arena.out_of_time() {
            return Ok(None);
        }
        let drafts: Vec<_> = chunk.iter().map(|(_, draft)| draft.clone()).collect();
        let exposed = arena.exposed(&drafts, needed)?;
        if let Some(at) = exposed.iter().position(|exposed| needed.is_subset(exposed)) {
            return Ok(chunk.get(at).cloned());
        }
    }
    Ok(None)
}
