//! Finds tests that expose mutants: enumerates small cases, samples large ones, reduces each find, and selects the fewest.
//!
//! The result is the same for the same seed. Work is divided into rounds, and what one round learns is used only in the next, so that
//! neither the number of jobs nor their speed changes the result. Only an exhausted budget can.

pub mod against;
mod budget;
pub mod comparer;
mod confirm;
pub mod dispute;
pub mod enumerate;
pub mod evaluator;
mod fill;
pub mod lenient;
mod literals;
mod merge;
pub mod reduce;
mod repeats;
pub mod sample;
pub mod seeds;
pub mod select;
pub mod survey;

pub use evaluator::Evaluator;

use crate::catalogue::Mutant;
use crate::course::Assignment;
use crate::diagnostic::{Failure, Problem};
use crate::domain::{Draft, Generator};
use crate::suite::{self, Suite};
use enumerate::{Certificate, Enumerated, Reach};
use lenient::Lenient;
use reduce::Reduced;
use select::Quality;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use subject::MutantSet;

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The seed of random cases.
    pub seed: u64,
    /// Every case up to this size is tried.
    pub size: usize,
    /// The largest number of files that may be selected.
    pub max_files: usize,
    /// Whether to select no more files than expose everything.
    pub fewest: bool,
}

/// A case that exposes a mutant, reduced as far as possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Find {
    pub draft: Draft,
    pub certificate: Certificate,
}

/// A test of the suite that was found.
pub struct Test {
    pub draft: Draft,
    /// The targets that it exposes.
    pub exposes: MutantSet,
    /// Whether it only exposes targets again, in other ways.
    pub again: bool,
}

/// The result of a search.
pub struct Found {
    /// The smallest case that was found for each mutant.
    pub finds: BTreeMap<usize, Find>,
    /// The mutants that nothing exposed.
    pub missed: MutantSet,
    /// The mutants of which some runs on small cases were cut or left out. If they are missed, that proves nothing.
    pub unsettled: MutantSet,
    /// The mutants that were exposed only in a form that the document does not promise.
    pub lenient: BTreeMap<usize, Lenient>,
    /// The mutants that a case exposed, but for which no time was left to confirm it in a process.
    pub unconfirmed: MutantSet,
    /// The selected cases, and then those that use the files that are left.
    pub tests: Vec<Test>,
    pub quality: select::Quality,
    pub reach: Reach,
    /// The number of cases that were tried.
    pub cases: u64,
    /// Whether the budget was exhausted first.
    pub out_of_time: bool,
}

/// What makes inputs of `assignment`.
///
/// # Errors
/// If the domain makes no inputs.
pub fn generator(assignment: &Assignment) -> Result<&dyn Generator, Failure> {
    let id = &assignment.id;
    let Some(generator) = assignment.generator() else {
        let message =
            format!("the domain `{}` of `{id}` cannot make inputs", assignment.domain.name());
        let hint = "describe the inputs in a shape, such as `inputs.yaml`, and set `domain: shape` and `input: inputs.yaml`: see docs/shapes.md";
        return Err(Failure::usage(Problem::new(message).hint(hint)));
    };
    Ok(generator)
}

/// Those of `targets` that a suite does not expose.
///
/// # Errors
/// If the machine fails, or the course is broken.
pub fn missed_by(
    evaluator: &mut Evaluator<'_>,
    suite: &Suite,
    targets: &MutantSet,
) -> Result<MutantSet, Failure> {
    let drafts: Vec<_> = suite.tests.iter().map(suite::Test::draft).collect();
    let rows = evaluator.rows(&drafts)?;
    Ok(rows.iter().fold(targets.clone(), |missed, row| missed.without(&row.exposed_mutants())))
}

/// Searches for cases that expose `targets`. Processes confirm each find, and each test as far as engines are not believed.
///
/// # Errors
/// If a worker cannot be started, or the course is broken.
pub fn generate(
    evaluator: &mut Evaluator<'_>,
    targets: &MutantSet,
    options: &Options,
) -> Result<Found, Failure> {
    let (mut found, is_cut) = search(evaluator, targets, options)?;
    confirm::confirm(evaluator, targets, &mut found, options.max_files)?;
    found.out_of_time |= is_cut;
    Ok(found)
}

/// What is found before a process confirms it, and whether time for random cases ran out. There may be enough left for the rest.
fn search(
    evaluator: &mut Evaluator<'_>,
    targets: &MutantSet,
    options: &Options,
) -> Result<(Found, bool), Failure> {
    let mut enumerated = enumerate::enumerate(evaluator, targets, options.size)?;
    let listed = mem::take(&mut enumerated.found);
    let small: Vec<_> = listed.values().cloned().collect();
    let found: MutantSet = listed.keys().copied().collect();
    // Smaller cases than the first one that exposes an unsettled mutant may expose it as well.
    let (unsettled, settled): (BTreeMap<_, _>, BTreeMap<_, _>) =
        listed.into_iter().partition(|(mutant, _)| enumerated.unsettled.contains(*mutant));
    let certified = |draft| Find { draft, certificate: Certificate::Certified };
    let mut finds: BTreeMap<_, _> =
        settled.into_iter().map(|(mutant, draft)| (mutant, certified(draft))).collect();
    let all_targets = targets;
    let mut lenient = lenient::lenient(evaluator, &targets.without(&found), options.seed)?;
    let set_aside: MutantSet = lenient.keys().copied().collect();
    let targets = &targets.without(&set_aside);
    let given = given(evaluator, targets);
    if !given.is_empty() {
        evaluator.note_find();
    }
    // Data has what a shape does not tell, such as words, even where other cases expose the same.
    let data: BTreeSet<_> = given.values().chain(&evaluator.corpus).cloned().collect();
    let known = sample::Known { small, data: data.into_iter().collect() };
    let rounds = if options.fewest { sample::Rounds::MANY } else { sample::Rounds::FEW };
    let sampled = sample::sample(evaluator, targets, known, &found, rounds, options.seed)?;
    let mut killers = sampled.killers;
    killers.extend(unsettled);
    for (mutant, draft) in given.into_iter().filter(|(mutant, _)| !found.contains(*mutant)) {
        let killer = killers.entry(mutant).or_insert_with(|| draft.clone());
        if draft.input.len() < killer.input.len() {
            *killer = draft;
        }
    }
    killers.extend(exposing_again(evaluator, &sampled.broad, &set_aside)?);
    killers.retain(|mutant, _| !finds.contains_key(mutant));
    finds.extend(reduced(evaluator, &killers, &enumerated)?);
    simplify(evaluator, &mut finds)?;
    evaluator.say("selecting the fewest files");
    let mut candidates = sampled.candidates;
    candidates.extend(if evaluator.out_of_time() {
        let alone =
            |(&mutant, find): (&usize, &Find)| (find.draft.clone(), MutantSet::from_iter([mutant]));
        finds.iter().map(alone).collect()
    } else {
        let drafts = finds.values().map(|find| find.draft.clone()).collect();
        let mut exposures = exposures(evaluator, drafts, all_targets)?;
        for (draft, exposed) in &mut exposures {
            // A search does not wait for every slow mutant.
            let known = finds.iter().filter(|(_, find)| find.draft == *draft);
            known.for_each(|(&mutant, _)| exposed.insert(mutant));
        }
        exposures
    });
    let exposed: MutantSet = finds.keys().copied().collect();
    let points: Vec<_> = evaluator.mutants.iter().map(|mutant| mutant.points).collect();
    lenient.retain(|mutant, _| !exposed.contains(*mutant));
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
    let selected = reduce::reduce_together(
        evaluator,
        selection.chosen.iter().map(|&at| candidates[at].clone()).collect(),
        if options.fewest { 1 } else { fill::FIRST },
    )?;
    // What no time was left to reduce only saves files.
    let selected = if evaluator.out_of_time() {
        with_finds_for_unreduced(selected, &finds, options.max_files)
    } else {
        selected
    };
    let fewest = selection.chosen.len();
    let is_more = selected.len() > fewest;
    let quality = if is_more { Quality::AtLeast(fewest) } else { selection.quality };
    let smaller = smaller(&finds, &selected, evaluator.generator);
    finds.extend(reduced(evaluator, &smaller, &enumerated)?);
    evaluator.say("filling up");
    let files: Vec<_> = selected.iter().map(|(draft, _)| draft.clone()).collect();
    let left = if options.fewest { 0 } else { options.max_files.saturating_sub(files.len()) };
    let suite = fill::Suite { files: &files, known: &candidates, tried: sampled.broad, left };
    let again = fill::fill(evaluator, suite, targets, options.seed)?;
    let selected = selected.into_iter().map(|(draft, exposes)| (draft, exposes, false));
    let again = again.into_iter().map(|draft| (draft, MutantSet::default(), true));
    let tests = selected.chain(again);
    let found = Found {
        missed: all_targets.without(&exposed).without(&lenient.keys().copied().collect()),
        lenient,
        finds,
        unconfirmed: MutantSet::default(),
        tests: tests.map(|(draft, exposes, again)| Test { draft, exposes, again }).collect(),
        quality,
        reach: enumerated.reach,
        unsettled: enumerated.unsettled,
        cases: enumerated.cases + sampled.cases,
        out_of_time: enumerated.is_cut || evaluator.out_of_time(),
    };
    Ok((found, sampled.is_cut))
}

/// For each mutant, its case made smaller.
fn reduced(
    evaluator: &mut Evaluator<'_>,
    killers: &BTreeMap<usize, Draft>,
    enumerated: &Enumerated,
) -> Result<BTreeMap<usize, Find>, Failure> {
    evaluator.say("reducing");
    let alone =
        |(&mutant, draft): (&usize, &Draft)| (draft.clone(), MutantSet::from_iter([mutant]));
    let reduced = reduce::reduce_all(evaluator, &killers.iter().map(alone).collect::<Vec<_>>())?;
    let find = |(&mutant, Reduced { draft, is_cut })| {
        let size = evaluator.generator.size(&draft.input);
        (mutant, Find { draft, certificate: enumerated.certificate(mutant, size, is_cut) })
    };
    Ok(killers.keys().zip(reduced).map(find).collect())
}

/// Makes the listed finds simpler, such as by lower numbers. No step makes one larger, and nothing smaller exposes its mutant.
fn simplify(
    evaluator: &mut Evaluator<'_>,
    finds: &mut BTreeMap<usize, Find>,
) -> Result<(), Failure> {
    let is_listed = |(_, find): &(&usize, &mut Find)| find.certificate == Certificate::Certified;
    let mut listed: Vec<_> = finds.iter_mut().filter(is_listed).collect();
    let alone = |(mutant, find): &(&usize, &mut Find)| {
        (find.draft.clone(), MutantSet::from_iter([**mutant]))
    };
    let drafts: Vec<_> = listed.iter().map(alone).collect();
    let simplified = reduce::reduce_all(evaluator, &drafts)?;
    for ((_, find), reduced) in listed.iter_mut().zip(simplified) {
        find.draft = reduced.draft;
    }
    Ok(())
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
fn smaller(
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

/// The witnesses of those of `mutants` that are programs of their own. Such a witness often comes from data that somebody has collected,
/// and is large. That of any other mutant was found by a search like this one.
fn given(evaluator: &Evaluator<'_>, mutants: &MutantSet) -> BTreeMap<usize, Draft> {
    let witness = |mutant: usize| {
        let Mutant { program, witness, .. } = &evaluator.mutants[mutant];
        program.as_ref().and(witness.as_ref()).map(|witness| (mutant, witness.draft()))
    };
    mutants.iter().filter_map(witness).collect()
}

/// For each of `mutants` that a case in `broad` exposes, the first one that does.
fn exposing_again(
    evaluator: &mut Evaluator<'_>,
    broad: &sample::Broad,
    mutants: &MutantSet,
) -> Result<BTreeMap<usize, Draft>, Failure> {
    let mut found = BTreeMap::new();
    if mutants.is_empty() || evaluator.out_of_time() {
        return Ok(found);
    }
    let drafts: Vec<_> = broad.exposing.iter().map(|(draft, _)| draft.clone()).collect();
    for (draft, exposed) in drafts.iter().zip(evaluator.exposed_soon(&drafts, mutants)?) {
        for mutant in exposed.iter() {
            found.entry(mutant).or_insert_with(|| draft.clone());
        }
    }
    Ok(found)
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
