//! Selects the files of a suite from the cases that were found.

use super::enumerate::Certificate;
use super::select::{self, Quality};
use super::{Evaluator, Find, Options, fill, merge, reduce};
use crate::diagnostic::Failure;
use crate::domain::{Draft, Generator};
use std::collections::{BTreeMap, BTreeSet};
use subject::MutantSet;

/// The files that were selected, with what each exposes.
pub(super) struct Selected {
    pub(super) files: Vec<(Draft, MutantSet)>,
    /// All that they could be selected from.
    pub(super) candidates: Vec<(Draft, MutantSet)>,
    pub(super) quality: Quality,
}

/// Selects the fewest files that expose what `finds` do, from these and `candidates`, and makes them smaller.
pub(super) fn select(
    evaluator: &mut Evaluator<'_>,
    finds: &BTreeMap<usize, Find>,
    mut candidates: Vec<(Draft, MutantSet)>,
    targets: &MutantSet,
    options: &Options,
) -> Result<Selected, Failure> {
    evaluator.say("selecting the fewest files");
    candidates.extend(exposed_by_finds(evaluator, finds, targets)?);
    let exposed: MutantSet = finds.keys().copied().collect();
    let points: Vec<_> = evaluator.mutants.iter().map(|mutant| mutant.points).collect();
    let mut selection = select::select(&candidates, &exposed, &points, options.max_files, &|| {
        evaluator.out_of_time()
    });
    // With fewer files, more are left to expose each mutant again.
    let aim = merge::Aim::of(options);
    if aim.is_missed_by(&selection) {
        evaluator.say("trying to use fewer files");
        let files = selection.chosen.iter().map(|&at| candidates[at].clone()).collect();
        candidates.extend(merge::merge(evaluator, files, aim, options.seed)?);
        selection = select::select(&candidates, &exposed, &points, options.max_files, &|| {
            evaluator.out_of_time()
        });
    }
    evaluator.say("reducing the selected files");
    let mut files = reduce::reduce_together(
        evaluator,
        selection.chosen.iter().map(|&at| candidates[at].clone()).collect(),
        if options.fewest { 1 } else { fill::FIRST },
    )?;
    // What no time was left to reduce only saves files.
    if evaluator.out_of_time() {
        files = with_finds_for_unreduced(files, finds, options.max_files);
    }
    let fewest = selection.chosen.len();
    let is_more = files.len() > fewest;
    let quality = if is_more { Quality::AtLeast(fewest) } else { selection.quality };
    Ok(Selected { files, candidates, quality })
}

/// The cases of `finds`, each with what it exposes of `targets`, or only with its own mutant if no time is left.
fn exposed_by_finds(
    evaluator: &mut Evaluator<'_>,
    finds: &BTreeMap<usize, Find>,
    targets: &MutantSet,
) -> Result<Vec<(Draft, MutantSet)>, Failure> {
    if evaluator.out_of_time() {
        let alone =
            |(&mutant, find): (&usize, &Find)| (find.draft.clone(), MutantSet::from_iter([mutant]));
        return Ok(finds.iter().map(alone).collect());
    }
    let drafts = finds.values().map(|find| find.draft.clone()).collect();
    let mut exposures = exposures(evaluator, drafts, targets)?;
    for (draft, exposed) in &mut exposures {
        // A search does not wait for every slow mutant.
        let known = finds.iter().filter(|(_, find)| find.draft == *draft);
        known.for_each(|(&mutant, _)| exposed.insert(mutant));
    }
    Ok(exposures)
}

/// Takes reduced finds instead of each selected case that is not, if they expose what no other case does and there are files for them.
fn with_finds_for_unreduced(
    mut selected: Vec<(Draft, MutantSet)>,
    finds: &BTreeMap<usize, Find>,
    most: usize,
) -> Vec<(Draft, MutantSet)> {
    let is_reduced = |find: &&Find| find.certificate != Certificate::Cut;
    let reduced: BTreeSet<_> = finds.values().filter(is_reduced).map(|it| &it.draft).collect();
    // What is added comes last, so that the places before it stay.
    for at in (0..selected.len()).rev() {
        if reduced.contains(&selected[at].0) {
            continue;
        }
        let others = selected.iter().enumerate().filter(|(other, _)| *other != at);
        let needed = others.fold(selected[at].1.clone(), |left, (_, (_, it))| left.without(it));
        let mut instead: BTreeMap<&Draft, MutantSet> = BTreeMap::new();
        for mutant in needed.iter() {
            if let Some(find) = finds.get(&mutant).filter(is_reduced) {
                instead.entry(&find.draft).or_default().insert(mutant);
            }
        }
        let count: usize = instead.values().map(MutantSet::len).sum();
        if count == needed.len() && selected.len() - 1 + instead.len() <= most {
            selected.remove(at);
            selected.extend(instead.into_iter().map(|(draft, exposes)| (draft.clone(), exposes)));
        }
    }
    selected
}

/// The selected cases that are smaller than the finds of mutants that they expose, by mutants. A list of inputs with mistakes has only
/// those near a few others.
pub(super) fn smaller(
    finds: &BTreeMap<usize, Find>,
    selected: &[(Draft, MutantSet)],
    generator: &dyn Generator,
) -> BTreeMap<usize, Draft> {
    let size = |draft: &Draft| generator.size(&draft.input);
    let mut smaller: BTreeMap<usize, Draft> = BTreeMap::new();
    for (draft, exposes) in selected {
        for mutant in exposes.iter() {
            let known = smaller.get(&mutant).or_else(|| Some(&finds.get(&mutant)?.draft));
            if known.is_some_and(|known| size(draft) < size(known)) {
                smaller.insert(mutant, draft.clone());
            }
        }
    }
    smaller
}

/// Each of `drafts` with the targets that it exposes. Slow drafts run only on the targets that no other one exposes.
fn exposures(
    evaluator: &mut Evaluator<'_>,
    drafts: Vec<Draft>,
    targets: &MutantSet,
) -> Result<Vec<(Draft, MutantSet)>, Failure> {
    let exposed = evaluator.exposed_soon(&drafts, targets)?;
    let (slow, fast): (Vec<_>, Vec<_>) =
        drafts.into_iter().zip(exposed).partition(|(_, exposed)| exposed.is_empty());
    let mut left = targets.clone();
    fast.iter().for_each(|(_, exposed)| left = left.without(exposed));
    let slow: Vec<_> = slow.into_iter().map(|(draft, _)| draft).collect();
    let exposed = evaluator.exposed(&slow, &left)?;
    Ok(fast.into_iter().chain(slow.into_iter().zip(exposed)).collect())
}
