//! Finding tests that expose mutants: enumerate what is small, sample what is large, reduce each find, select the fewest.
//!
//! Everything here is deterministic for a seed: work is cut into rounds, and what one round learns is used only in the next, so that
//! neither the number of lanes nor their speed changes what is found. Only running out of time can.

pub mod absorb;
pub mod against;
pub mod arena;
pub mod duel;
pub mod enumerate;
pub mod reduce;
pub mod sample;
pub mod select;
pub mod survey;

pub use arena::Arena;

use crate::domain::Draft;
use crate::problem::Failure;
use std::collections::BTreeMap;
use subject::MutantSet;

/// What is looked for, and how far.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What random cases are drawn from.
    pub seed: u64,
    /// Up to which area every case is tried.
    pub area: usize,
    /// How many files may be selected.
    pub max_files: usize,
}

/// A case that exposes a mutant, as small as it could be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Find {
    /// The case.
    pub draft: Draft,
    /// Whether every smaller case was tried.
    pub certified: bool,
}

/// What was found.
pub struct Found {
    /// The smallest case that was found for each mutant.
    pub finds: BTreeMap<usize, Find>,
    /// The mutants that nothing exposed.
    pub missed: MutantSet,
    /// The selected cases, and the targets that each exposes.
    pub selected: Vec<(Draft, MutantSet)>,
    /// How good the selection is.
    pub quality: select::Quality,
    /// The largest area up to which every case was tried.
    pub area: usize,
    /// How many cases were tried.
    pub cases: u64,
    /// Whether time ran out first.
    pub out_of_time: bool,
}

/// Looks for cases that expose `targets`. `points` are those of all mutants, by index.
///
/// # Errors
/// Where a worker can't be started.
pub fn generate(
    arena: &mut Arena<'_>,
    targets: &MutantSet,
    points: &[u32],
    options: &Options,
) -> Result<Found, Failure> {
    let enumerated =
        enumerate::enumerate(arena, targets, options.area, enumerate::Stop::WhenAllAreFound)?;
    let mut finds: BTreeMap<_, _> = enumerated
        .found
        .into_iter()
        .map(|(mutant, draft)| (mutant, Find { draft, certified: true }))
        .collect();
    let small: Vec<_> = finds.values().map(|find| find.draft.clone()).collect();
    let sampled = sample::sample(arena, targets, &small, options.seed)?;
    arena.say("reducing");
    let large: Vec<_> = sampled
        .killers
        .iter()
        .filter(|(mutant, _)| !finds.contains_key(mutant))
        .map(|(&mutant, draft)| (draft.clone(), MutantSet::from_iter([mutant])))
        .collect();
    for (mutants, draft) in
        large.iter().map(|(_, mutants)| mutants).zip(reduce::reduce_all(arena, &large)?)
    {
        finds.extend(
            mutants.iter().map(|mutant| (mutant, Find { draft: draft.clone(), certified: false })),
        );
    }
    arena.say("selecting the fewest files");
    let mut candidates = sampled.candidates;
    candidates.extend(exposures(
        arena,
        finds.values().map(|find| find.draft.clone()).collect(),
        targets,
    )?);
    let exposed: MutantSet = finds.keys().copied().collect();
    let mut selection =
        select::select(&candidates, &exposed, points, options.max_files, &|| arena.out_of_time());
    if selection.quality == select::Quality::ProvenFewest {
        arena.say("trying to do with fewer files");
        let files = selection.chosen.iter().map(|&at| candidates[at].clone()).collect();
        candidates.extend(absorb::absorb(arena, files, options.seed)?);
        selection = select::select(&candidates, &exposed, points, options.max_files, &|| {
            arena.out_of_time()
        });
    }
    arena.say("reducing the selected files");
    let selected = reduce::reduce_together(
        arena,
        selection.chosen.iter().map(|&at| candidates[at].clone()).collect(),
    )?;
    Ok(Found {
        missed: targets.without(&exposed),
        finds,
        selected,
        quality: selection.quality,
        area: enumerated.area,
        cases: enumerated.cases + sampled.cases,
        out_of_time: enumerated.is_cut || arena.out_of_time(),
    })
}

/// Each of `drafts` with the targets that it exposes.
fn exposures(
    arena: &mut Arena<'_>,
    drafts: Vec<Draft>,
    targets: &MutantSet,
) -> Result<Vec<(Draft, MutantSet)>, Failure> {
    let exposed = arena.exposed(&drafts, targets)?;
    Ok(drafts.into_iter().zip(exposed).collect())
}
