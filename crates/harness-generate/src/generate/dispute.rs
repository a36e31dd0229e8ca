//! Drafts on which right programs differ. They are no tests.

use super::evaluator::{Evaluator, exposed_by, is_limit, stopped_by};
use crate::diagnostic::Failure;
use crate::domain::{Draft, Generator};
use crate::run::matrix::Difference;
use crate::run::programs::Run;
use crate::suite::decode;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use subject::Outcome;
use subject::wire::{Answer, MutantSet};

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
}

impl Evaluator<'_> {
    /// On which of `drafts` other right programs differ from the reference, and what each of them does there.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn disputes(&mut self, drafts: &[Draft]) -> Result<Vec<Vec<Dispute>>, Failure> {
        if self.references.is_empty() {
            return Ok(vec![Vec::new(); drafts.len()]);
        }
        let cases = decode::cases_of_drafts(self.assignment, drafts);
        let run = |case| Run { case, mutants: self.references.clone() };
        let rows = self.programs.settled_outcomes_of(&cases.iter().map(run).collect::<Vec<_>>())?;
        let disputes = drafts.iter().zip(rows).map(|(draft, row)| {
            let others = row.exposed.into_iter().filter(|it| !is_limit(it.how));
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
