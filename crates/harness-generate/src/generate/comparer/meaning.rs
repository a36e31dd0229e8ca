//! What drafts mean to the reference and its mutants, without the program.

use super::{BATCH, Comparer, Discrepancy, beginning};
use crate::course::Assignment;
use crate::diagnostic::Failure;
use crate::domain::Draft;
use crate::generate::evaluator;
use crate::run::matrix::Difference;
use crate::run::programs::Run;
use crate::suite::decode;
use std::time::Instant;
use subject::MutantSet;
use subject::wire::{Detail, Request};

impl Comparer<'_> {
    /// The mutants among `mutants` that each of `drafts` exposes. `None` for those that are left when this part of the budget is spent.
    ///
    /// # Errors
    /// If a worker cannot be started.
    pub fn exposed(
        &mut self,
        drafts: &[Draft],
        mutants: &MutantSet,
        part: f64,
    ) -> Result<Vec<Option<MutantSet>>, Failure> {
        let (assignment, end) = (self.assignment, self.budget.end_of(part));
        let batches: Vec<_> = drafts.chunks(BATCH).collect();
        let request = |draft: &Draft| Request {
            case: decode::case_of_draft(assignment, draft),
            mutants: mutants.clone(),
            detail: Detail::Verdicts,
            steps: None,
        };
        let work = self.work().clone();
        let _search = work.search.until(end);
        let exposed = self.programs.sweep(
            batches.len(),
            |at| {
                let is_over = end.is_some_and(|end| Instant::now() >= end)
                    || work.cancellation.is_cancelled();
                let drafts = if is_over { &[] } else { batches[at] };
                (drafts.iter().map(request).collect(), batches[at])
            },
            |_, drafts, answers| {
                let exposed = drafts.iter().zip(&answers).map(|(draft, answer)| {
                    let is_valid = evaluator::is_valid(assignment, draft, answer);
                    is_valid.then(|| evaluator::exposed_by(answer))
                });
                let mut exposed: Vec<_> = exposed.collect();
                exposed.resize(drafts.len(), None);
                exposed
            },
        )?;
        Ok(exposed.into_iter().flatten().collect())
    }

    /// The mutants that `draft` exposes, each with how it differs.
    ///
    /// # Errors
    /// If a worker cannot be started.
    pub fn differences(&mut self, draft: &Draft) -> Result<Vec<(usize, Discrepancy)>, Failure> {
        let case = self.case(draft);
        let run = Run { case: &case, mutants: MutantSet::all(self.mutants.len()) };
        let _search = self.work().search.until(self.budget.end_of(1.0));
        let row = self.programs.outcomes_of(&[run])?.remove(0);
        let discrepancy = |Difference { mutant, how, why, outcome }| {
            let (reference, program) = (beginning(row.reference.clone()), beginning(outcome?));
            let why = why.map(|why| why.to_string());
            Some((mutant, Discrepancy { how, why, reference, program }))
        };
        Ok(row.exposed.into_iter().filter_map(discrepancy).collect())
    }

    /// Whether the reference does on each of `changed` what it does on `draft`. It gets none that has not the form of an input.
    ///
    /// # Errors
    /// If the reference cannot be started.
    pub fn mean_the_same(
        &mut self,
        draft: &Draft,
        changed: &[Draft],
    ) -> Result<Vec<bool>, Failure> {
        let Assignment { domain, tests, .. } = self.assignment;
        let is_input = |it: &&Draft| domain.check(&it.input, &tests.limits).is_ok();
        let inputs = changed.iter().filter(is_input);
        let cases: Vec<_> = [draft].into_iter().chain(inputs).map(|it| self.case(it)).collect();
        let references = self.programs.references(&cases)?;
        let (first, others) = references.split_first().expect("there is a row for each case");
        let mut others = others.iter().map(|row| row.reference == first.reference);
        let means_the_same = |it| is_input(&it) && others.next().unwrap_or_default();
        Ok(changed.iter().map(means_the_same).collect())
    }
}
