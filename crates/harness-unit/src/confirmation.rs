//! Runs cases on mutants, and what fails there once more, so that what a test does by chance, or because of what ran before it, exposes
//! nothing.

use crate::built::Built;
use crate::columns::{Column, TestCase, Tried};
use crate::diagnostic::{Failure, Problem};
use crate::rooms::Rooms;
use crate::running::Pair;
use crate::variant::Variant;
use crate::variants::Variants;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use subject::End;

/// A new sandbox takes about as long as so many cases.
const FEW: usize = 5;

/// How often a case runs on a mutant in its disguise, and on a decoy beside it: usually, and if a case of the file did not do the same each
/// time. Their order is random. A test that guesses which is which is right once in 6, and then once in 70.
const ROUNDS: [usize; 2] = [2, 4];

/// One of so many mutants is confirmed in its disguise if that takes long.
const SOME: u32 = 3;

/// How the cases of a file run on mutants.
pub(crate) struct Confirmation<'a> {
    variants: &'a Variants,
    /// Its rooms are for confirming: nothing has run in them.
    built: Built<'a>,
    /// Where variants run first, one after the other.
    shared: Rooms,
    cases: &'a [&'a TestCase],
    /// The order of the cases, the same on each mutant, so that fewer sequences must run on the reference.
    order: &'a [usize],
    /// Which of the cases that run again passed on the reference.
    passed: Mutex<BTreeMap<Sequence, Vec<bool>>>,
    /// The cases of which a mutant was confirmed in its disguise.
    in_disguise: Mutex<BTreeSet<usize>>,
    /// Whether a case failed on only one of two disguises.
    looks: AtomicBool,
    /// Whether a case did not do the same each time.
    varies: AtomicBool,
    /// The mutants that were confirmed without, to save the time of compiling tests for their disguises.
    as_they_are: Mutex<Vec<usize>>,
}

/// Why a mutant cannot be confirmed.
enum Stop {
    Machine(Failure),
    /// The tests do not compile with a program, or their time is over.
    Tests(Problem),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Machine(failure)
    }
}

/// The cases that run in a sandbox, and those that run there again.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Sequence {
    before: Vec<usize>,
    again: Vec<usize>,
}

impl<'a> Confirmation<'a> {
    pub(crate) fn new(
        variants: &'a Variants,
        built: Built<'a>,
        cases: &'a [&'a TestCase],
        order: &'a [usize],
    ) -> Self {
        Self {
            variants,
            built,
            shared: Rooms::default(),
            cases,
            order,
            passed: Mutex::default(),
            in_disguise: Mutex::default(),
            looks: AtomicBool::new(false),
            varies: AtomicBool::new(false),
            as_they_are: Mutex::default(),
        }
    }

    /// A variant that runs where others did.
    pub(crate) fn shared(&self, variant: &'a Variant) -> Pair<'_> {
        let rooms = self.variants.kit.makes_rooms().map(|_| &self.shared);
        Pair::new(Built { rooms, ..self.built }, variant)
    }

    /// Leaves the sandboxes that variants shared.
    pub(crate) fn close(&self) {
        self.shared.close(self.built.work);
    }

    /// Runs the cases that can differ on the mutant with a number, and those that fail once more.
    pub(crate) fn column(&self, number: usize, variant: &'a Variant) -> Result<Column, Failure> {
        match self.confirmed(number, variant) {
            Ok(tried) => Ok(Ok(tried)),
            Err(Stop::Tests(problem)) => Ok(Err(problem)),
            Err(Stop::Machine(failure)) => Err(failure),
        }
    }

    fn confirmed(&self, number: usize, variant: &'a Variant) -> Result<Vec<Tried>, Stop> {
        let can_differ = |at: &usize| self.variants.can_differ(number, self.cases[*at]);
        let before: Vec<_> = self.order.iter().copied().filter(can_differ).collect();
        let mut pair = self.shared(variant);
        let mut tried =
            self.variants.tried(&mut pair, self.cases, &before)?.map_err(Stop::Tests)?;
        let failed = |at: &usize| tried[*at].outcome.end != End::Exit(0);
        let again: Vec<_> = before.iter().copied().filter(failed).collect();
        if again.is_empty() {
            pair.leave();
        } else if self.is_disguise_due(number, &again) {
            pair.leave();
            self.confirm_in_disguise(number, variant, &again, &mut tried)?;
        } else {
            self.confirm(pair, Sequence { before, again }, &mut tried)?;
        }
        Ok(tried)
    }

    /// Whether a mutant, on which these cases fail, is to be confirmed in its disguise. If tests would be compiled for it, only some are,
    /// and those without which a case would never be, until a case is found that fails on only one of two disguises.
    fn is_disguise_due(&self, number: usize, again: &[usize]) -> bool {
        let is_in_doubt = self.looks.load(Ordering::Relaxed) || self.varies.load(Ordering::Relaxed);
        if !self.variants.kit.compiles_for_each() || is_in_doubt {
            return true;
        }
        let mut once = self.in_disguise.lock().unwrap_or_else(PoisonError::into_inner);
        let before = once.len();
        once.extend(again);
        let is_due = once.len() > before || fastrand::u32(..SOME) == 0;
        if !is_due {
            self.as_they_are.lock().unwrap_or_else(PoisonError::into_inner).push(number);
        }
        is_due
    }

    /// The mutants that must be confirmed once more, of which these are the columns: all on which a case failed, if one did not do the same
    /// each time, or those that were not confirmed in their disguises, if a case failed on only one of two.
    pub(crate) fn in_doubt(&self, columns: &[Column]) -> Vec<usize> {
        let varies = columns.iter().flatten().flatten().any(|tried| !tried.is_steady);
        self.varies.store(varies, Ordering::Relaxed);
        let fails = |(_, column): &(usize, &Column)| {
            column.iter().flatten().any(|tried| tried.outcome.end != End::Exit(0))
        };
        if varies {
            columns.iter().enumerate().filter(fails).map(|(number, _)| number).collect()
        } else if self.looks.load(Ordering::Relaxed) {
            mem::take(&mut self.as_they_are.lock().unwrap_or_else(PoisonError::into_inner))
        } else {
            Vec::new()
        }
    }

    /// Cases are steady if they fail on a mutant again, and the same cases in the same order pass on the reference. Otherwise, a test could
    /// depend on how many cases ran before it, which is not the same on each program. Both follow each other at once, so that a test
    /// cannot tell by the clock which it runs on.
    fn confirm<'p>(
        &self,
        mut pair: Pair<'p>,
        mut sequence: Sequence,
        tried: &mut [Tried],
    ) -> Result<(), Stop>
    where
        'a: 'p,
    {
        // Nothing is left of many cases, or of a process that ran them all, in a sandbox where nothing has run.
        if sequence.before.len() > FEW || self.variants.framework.together().is_some() {
            sequence.before.clear();
            pair = Pair::new(self.built, pair.variant);
        }
        let on_mutant = self.passed(&mut pair, &sequence.again)?;
        let on_reference = self.on_reference(&sequence)?;
        for (at, (mutant, reference)) in
            sequence.again.into_iter().zip(on_mutant.into_iter().zip(on_reference))
        {
            tried[at].is_steady = !mutant && reference;
        }
        Ok(())
    }

    /// Cases are steady if they do the same each time on a mutant in its disguise, and on the reference in the same disguise. Chance decides
    /// the order, and both programs are new, so that a test cannot tell by the clock, by their age, by the number of runs or by how they
    /// look which of both it runs on. Cases that pass in the disguise look at the mutant if they fail on it again, and depend on chance
    /// if not.
    fn confirm_in_disguise(
        &self,
        number: usize,
        variant: &Variant,
        again: &[usize],
        tried: &mut [Tried],
    ) -> Result<(), Stop> {
        let rooms = self.built.rooms.map(Rooms::two);
        let built = Built { rooms: rooms.as_ref(), ..self.built };
        let programs = [self.variants.decoy(number), &self.variants.mutants[number].disguised];
        let mut pairs = programs.map(|variant| Pair::new(built, variant));
        if self.variants.kit.makes_rooms().is_some() {
            for pair in &mut pairs {
                // What is wrong with it is told when it runs.
                let _ = self.variants.program(pair)?;
            }
        }
        let rounds = ROUNDS[usize::from(self.varies.load(Ordering::Relaxed))];
        let mut order: Vec<_> = (0..2 * rounds).map(|run| run % 2).collect();
        fastrand::shuffle(&mut order);
        let mut runs = [Vec::new(), Vec::new()];
        for which in order {
            runs[which].push(self.passed(&mut pairs[which], again)?);
        }
        let mut otherwise = Vec::new();
        for (place, &at) in again.iter().enumerate() {
            let [on_decoy, in_disguise] = [0, 1].map(|which| runs[which][0][place]);
            let is_steady = |which: usize, first| runs[which].iter().all(|run| run[place] == first);
            tried[at].is_steady = is_steady(0, on_decoy) && is_steady(1, in_disguise);
            tried[at].passes_on_decoy = on_decoy;
            tried[at].is_alike = !in_disguise;
            if in_disguise {
                otherwise.push(at);
            } else if !on_decoy {
                self.looks.fetch_or(tried[at].is_steady, Ordering::Relaxed);
            }
        }
        let new = Built { rooms: None, ..self.built };
        let on_mutant = self.passed(&mut Pair::new(new, variant), &otherwise)?;
        for (at, passed) in otherwise.into_iter().zip(on_mutant) {
            tried[at].is_steady &= !passed;
            self.looks.fetch_or(tried[at].is_steady, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Which of the cases that run again in a sequence pass on the reference each time. The same sequence runs there only once.
    fn on_reference(&self, sequence: &Sequence) -> Result<Vec<bool>, Stop> {
        let known = || self.passed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(passed) = known().get(sequence) {
            return Ok(passed.clone());
        }
        let mut pair = Pair::new(self.built, &self.variants.reference);
        let Sequence { before, again } = sequence;
        let first = self.passed(&mut pair, before)?;
        let mut passed = self.passed(&mut pair, again)?;
        for (at, passed) in again.iter().zip(&mut passed) {
            let earlier = before.iter().position(|it| it == at);
            *passed &= earlier.is_none_or(|it| first[it]);
        }
        let sequence = Sequence { before: before.clone(), again: again.clone() };
        known().insert(sequence, passed.clone());
        Ok(passed)
    }

    /// Which of the cases in a list pass on a program.
    fn passed(&self, pair: &mut Pair<'_>, list: &[usize]) -> Result<Vec<bool>, Stop> {
        let given: Vec<_> =
            list.iter().map(|at| (&self.cases[*at].case, self.cases[*at].time)).collect();
        let outcomes = self.variants.outcomes(pair, &given)?.map_err(Stop::Tests)?;
        Ok(outcomes.into_iter().map(|(outcome, _)| outcome.end == End::Exit(0)).collect())
    }
}
