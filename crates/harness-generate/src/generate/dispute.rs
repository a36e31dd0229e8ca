//! Drafts on which right programs differ. They are no tests.

use super::evaluator::{Evaluator, exposed_by, stopped_by};
use crate::diagnostic::Failure;
use crate::domain::{Draft, Generator};
use crate::run::matrix::Difference;
use crate::run::programs::Run;
use crate::suite::decode;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use subject::wire::{Answer, MutantSet};
use subject::{How, Outcome};

/// A draft on which another right program differs from the reference: the description leaves something open, or one of the two is wrong.
#[derive(Clone, Debug)]
pub struct Dispute {
    /// The source of the other program.
    pub program: PathBuf,
    pub draft: Draft,
    pub reference: Outcome,
    pub other: Outcome,
}

/// What a search saw of cases on which right programs differ.
#[derive(Default)]
pub(super) struct Disputed {
    /// For each of the other right programs, the smallest case on which it differs.
    smallest: BTreeMap<usize, Draft>,
    /// The mutants that such cases expose.
    exposed: MutantSet,
    /// For each of the other right programs, on how many cases a limit stopped it.
    stopped: BTreeMap<usize, usize>,
    /// Those with which not all tests were compared.
    not_compared: MutantSet,
}

/// A search waits no more for a right program that a limit stopped on so many cases.
const MOST_STOPS: usize = 3;

impl Evaluator<'_> {
    /// On which of `drafts` other right programs differ from the reference, and what each of them does there.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn disputes(&mut self, drafts: &[Draft]) -> Result<Vec<Vec<Dispute>>, Failure> {
        let references = self.patient_references();
        if references.is_empty() {
            return Ok(vec![Vec::new(); drafts.len()]);
        }
        let cases = decode::cases_of_drafts(self.assignment, drafts);
        let run = |case| Run { case, mutants: references.clone() };
        let rows = self.programs.settled_outcomes_of(&cases.iter().map(run).collect::<Vec<_>>())?;
        let disputes = drafts.iter().zip(rows).map(|(draft, row)| {
            let others = row.exposed.into_iter().filter(|it| !it.how.is_limit());
            let dispute = |difference: Difference| Dispute {
                program: self.assignment.references[difference.mutant - self.mutants.len()].clone(),
                draft: draft.clone(),
                reference: row.reference.clone(),
                other: difference.outcome.unwrap_or_else(|| row.reference.clone()),
            };
            others.map(dispute).collect()
        });
        Ok(disputes.collect())
    }

    /// The other right programs without those that limits have stopped too often.
    pub(super) fn patient_references(&self) -> MutantSet {
        let known = self.disputed.lock().unwrap_or_else(PoisonError::into_inner);
        let stops = |reference: &usize| known.stopped.get(reference).copied().unwrap_or_default();
        self.references.iter().filter(|it| stops(it) < MOST_STOPS).collect()
    }

    /// On which of `drafts` the right programs differ that limits have stopped too often, one after the other while time is left. A
    /// program that is stopped again is not compared any more.
    ///
    /// # Errors
    /// If the machine fails.
    pub(super) fn disputed_by_slow(
        &mut self,
        drafts: &[Draft],
    ) -> Result<BTreeSet<Draft>, Failure> {
        let mut disputed = BTreeSet::new();
        for reference in self.references.without(&self.patient_references()).iter() {
            for draft in drafts {
                let case = decode::case_of_draft(self.assignment, draft);
                let run = Run { case: &case, mutants: MutantSet::from_iter([reference]) };
                let differs = if self.out_of_time() {
                    Some(How::Timeout)
                } else {
                    let row = self.programs.outcomes_of(&[run])?.remove(0);
                    row.exposed.first().map(|difference| difference.how)
                };
                match differs {
                    Some(how) if how.is_limit() => {
                        let known = self.disputed.get_mut().unwrap_or_else(PoisonError::into_inner);
                        known.not_compared.insert(reference);
                        break;
                    }
                    Some(_) => _ = disputed.insert(draft.clone()),
                    None => {}
                }
            }
        }
        Ok(disputed)
    }

    /// The sources of the right programs with which not all tests were compared.
    pub fn not_compared(&self) -> Vec<PathBuf> {
        let known = self.disputed.lock().unwrap_or_else(PoisonError::into_inner);
        let source = |at: usize| self.assignment.references[at - self.mutants.len()].clone();
        known.not_compared.iter().map(source).collect()
    }

    /// How many of the other right programs the search saw differ from the reference.
    pub fn dissenting(&self) -> usize {
        self.disputed.lock().unwrap_or_else(PoisonError::into_inner).smallest.len()
    }

    /// The mutants that the search saw exposed by cases on which right programs differ.
    pub fn exposed_by_disputed(&self) -> MutantSet {
        self.disputed.lock().unwrap_or_else(PoisonError::into_inner).exposed.clone()
    }

    /// Notes mutants that cases expose of which only processes said that right programs differ on them.
    pub(super) fn note_disputed(&mut self, mutants: &MutantSet) {
        let known = self.disputed.get_mut().unwrap_or_else(PoisonError::into_inner);
        known.exposed.add_all(mutants);
    }

    /// The smallest dispute that the search saw with each of the other right programs.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn smallest_disputes(&mut self) -> Result<Vec<Dispute>, Failure> {
        let known = self.disputed.get_mut().unwrap_or_else(PoisonError::into_inner);
        let drafts: Vec<_> = known.smallest.values().cloned().collect();
        let mut disputes: Vec<_> = self.disputes(&drafts)?.into_iter().flatten().collect();
        disputes.sort_by_key(|it| (it.program.clone(), it.draft.input.len(), it.draft.clone()));
        disputes.dedup_by_key(|it| it.program.clone());
        Ok(disputes)
    }
}

/// The other right programs that do something else than the reference. One that a limit stopped may only be slow.
pub(super) fn dissenters(answer: &Answer, references: &MutantSet) -> MutantSet {
    exposed_by(answer).both(references).without(&stopped_by(answer))
}

/// Notes the right programs that a limit stopped on a case.
pub(super) fn note_stopped(disputed: &Mutex<Disputed>, answer: &Answer, references: &MutantSet) {
    let stopped = stopped_by(answer).both(references);
    if !stopped.is_empty() {
        let mut known = disputed.lock().unwrap_or_else(PoisonError::into_inner);
        stopped.iter().for_each(|it| *known.stopped.entry(it).or_default() += 1);
    }
}

/// Notes the draft for each of `dissenters`, unless a smaller one is known, and the mutants that it exposes.
pub(super) fn note(
    disputed: &Mutex<Disputed>,
    generator: &dyn Generator,
    draft: &Draft,
    dissenters: &MutantSet,
    exposed: &MutantSet,
) {
    let size = |draft: &Draft| (generator.size(&draft.input), draft.clone());
    let mut known = disputed.lock().unwrap_or_else(PoisonError::into_inner);
    known.exposed.add_all(exposed);
    for reference in dissenters.iter() {
        let smallest = known.smallest.entry(reference).or_insert_with(|| draft.clone());
        if size(draft) < size(smallest) {
            smallest.clone_from(draft);
        }
    }
}
