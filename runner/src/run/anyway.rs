//! Runs mutants on cases that the matrix leaves out, such as those that the reference rejects. Each run is a process.

use super::parallel;
use super::process::{self, Limits};
use super::processes;
use super::programs::Programs;
use crate::domain::Fault;
use crate::problem::Failure;
use subject::wire::MutantSet;
use subject::{Case, Outcome};

impl Programs {
    /// The faults of those among `mutants` that are wrong on a case, whatever the reference does on it. `right` is what a program that did
    /// the second outcome should have done if the reference does the first.
    ///
    /// # Errors
    /// If the machine or a checker fails.
    pub fn faults_anyway(
        &self,
        case: &Case,
        mutants: &MutantSet,
        limits: &Limits,
        right: impl Fn(&Outcome, &Outcome) -> Outcome + Sync,
    ) -> Result<Vec<(usize, Fault)>, Failure> {
        let run = |runnable: &_| {
            process::run(runnable, case, limits)
                .map(|(outcome, _)| outcome)
                .map_err(|error| process::failure("run a program on a case".to_owned(), &error))
        };
        let reference = run(&self.reference.runnable)?;
        let mutants: Vec<_> = mutants.iter().collect();
        let faults = parallel::map(mutants.len(), self.lanes.len(), |at| {
            let outcome = match self.program_of(mutants[at]) {
                (program, Some(mutant)) => run(&processes::with_mutant(program, mutant))?,
                (program, None) => run(&program.runnable)?,
            };
            self.judge.fault(case, &right(&reference, &outcome), &outcome)
        })?;
        let found = mutants.into_iter().zip(faults);
        Ok(found.filter_map(|(mutant, fault)| Some((mutant, fault?))).collect())
    }
}
