//! Finds a small case for each mutant.

use super::enumerate::{self, Certificate, Enumerated};
use super::lenient::{self, Lenient};
use super::reduce::{self, Reduced};
use super::{Evaluator, Find, Options, sample};
use crate::catalogue::Mutant;
use crate::course::Assignment;
use crate::diagnostic::Failure;
use crate::domain::Draft;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use subject::MutantSet;

/// Small cases that expose mutants, and what found them.
pub(super) struct Finds {
    pub(super) finds: BTreeMap<usize, Find>,
    /// The mutants that show only in forms that the document does not promise.
    pub(super) lenient: BTreeMap<usize, Lenient>,
    /// The other targets.
    pub(super) promised: MutantSet,
    pub(super) enumerated: Enumerated,
    pub(super) sampled: sample::Sampled,
}

/// Looks for a small case for each of `targets`: in the list of small cases, in what is given, and among random ones.
pub(super) fn find(
    evaluator: &mut Evaluator<'_>,
    targets: &MutantSet,
    options: &Options,
) -> Result<Finds, Failure> {
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
    let mut lenient = lenient::lenient(evaluator, &targets.without(&found), options.seed)?;
    let set_aside: MutantSet = lenient.keys().copied().collect();
    let promised = targets.without(&set_aside);
    let given = given(evaluator, &promised);
    if !given.is_empty() {
        evaluator.note_find();
    }
    // Data has what a shape does not tell, such as words, even where other cases expose the same.
    let data: BTreeSet<_> = given.values().chain(&evaluator.corpus).cloned().collect();
    let known = sample::Known { small, data: data.into_iter().collect() };
    let rounds = if options.fewest { sample::Rounds::MANY } else { sample::Rounds::FEW };
    let mut sampled = sample::sample(evaluator, &promised, known, &found, rounds, options.seed)?;
    let mut killers = mem::take(&mut sampled.killers);
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
    lenient.retain(|mutant, _| !finds.contains_key(mutant));
    Ok(Finds { finds, lenient, promised, enumerated, sampled })
}

/// For each mutant, its case made smaller.
pub(super) fn reduced(
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

/// The witnesses of those of `mutants` that are programs of their own. Such a witness often comes from data that somebody has collected,
/// and is large. That of any other mutant was found by a search like this one. A file that is no test is left out: `verify` names it.
fn given(evaluator: &Evaluator<'_>, mutants: &MutantSet) -> BTreeMap<usize, Draft> {
    let witness = |mutant: usize| {
        let Mutant { program, witness, .. } = &evaluator.mutants[mutant];
        program.as_ref().and(witness.as_ref()).map(|witness| (mutant, witness.draft()))
    };
    let Assignment { domain, refusals, tests, .. } = evaluator.assignment;
    let fits = |(_, draft): &(usize, Draft)| {
        refusals.are_tests() || domain.check(&draft.input, &tests.limits).is_ok()
    };
    mutants.iter().filter_map(witness).filter(fits).collect()
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
