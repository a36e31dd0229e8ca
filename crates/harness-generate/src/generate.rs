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
mod files;
mod fill;
mod finds;
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

use crate::course::Assignment;
use crate::diagnostic::{Failure, Problem};
use crate::domain::{Draft, Generator};
use crate::suite::{self, Suite};
use enumerate::{Certificate, Reach};
use files::Selected;
use finds::Finds;
use lenient::Lenient;
use std::collections::BTreeMap;
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
    let Finds { mut finds, lenient, promised, enumerated, sampled } =
        finds::find(evaluator, targets, options)?;
    let Selected { files: selected, candidates, quality } =
        files::select(evaluator, &finds, sampled.candidates, targets, options)?;
    let smaller = files::smaller(&finds, &selected, evaluator.generator);
    finds.extend(finds::reduced(evaluator, &smaller, &enumerated)?);
    evaluator.say("filling up");
    let files: Vec<_> = selected.iter().map(|(draft, _)| draft.clone()).collect();
    let left = if options.fewest { 0 } else { options.max_files.saturating_sub(files.len()) };
    let suite = fill::Suite { files: &files, known: &candidates, tried: sampled.broad, left };
    let again = fill::fill(evaluator, suite, &promised, options.seed)?;
    let selected = selected.into_iter().map(|(draft, exposes)| (draft, exposes, false));
    let again = again.into_iter().map(|draft| (draft, MutantSet::default(), true));
    let tests = selected.chain(again);
    let known = finds.keys().chain(lenient.keys()).copied().collect();
    let found = Found {
        missed: targets.without(&known),
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
