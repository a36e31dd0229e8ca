//! Runs mutants on cases that the matrix leaves out, such as those that the reference rejects. Each run is a process.

use super::parallel;
use super::process::ProcessLimits;
use super::processes;
use super::programs::Programs;
use crate::diagnostic::{Failure, Problem};
use crate::domain::Fault;
use subject::wire::MutantSet;
use subject::{Case, End, Outcome};

/// How much more time and memory than a mutant the reference gets.
const MORE_TIME: u32 = 4;
const MORE_MEMORY: u64 = 2;

impl Programs {
    /// The faults of those among `mutants` that are wrong on a case, even if the reference rejects it. `right` is what a program that did
    /// the second outcome should have done if the reference does the first.
    ///
    /// # Errors
    /// If the reference does not exit, or the machine or a checker fails.
    pub fn faults_outside_matrix(
        &self,
        name: &str,
        case: &Case,
        mutants: &MutantSet,
        limits: &ProcessLimits,
        right: impl Fn(&Outcome, &Outcome) -> Outcome + Sync,
    ) -> Result<Vec<(usize, Fault)>, Failure> {
        let more = ProcessLimits {
            time: limits.time.saturating_mul(MORE_TIME),
            memory: limits.memory.saturating_mul(MORE_MEMORY),
            ..*limits
        };
        let (reference, _) = processes::start(&self.work, &self.reference.runnable, case, &more)?;
        let End::Exit(_) = reference.end else {
            let message = format!("the reference does not exit on the case `{name}`");
            return Err(Failure::broken_course(Problem::new(message)));
        };
        let mutants: Vec<_> = mutants.iter().collect();
        let faults = parallel::map(mutants.len(), self.slots.len(), |at| {
            let (outcome, _) =
                processes::start(&self.work, &self.runnable_of(mutants[at]), case, limits)?;
            self.judge.fault(case, &right(&reference, &outcome), &outcome)
        })?;
        let found = mutants.into_iter().zip(faults);
        Ok(found.filter_map(|(mutant, fault)| Some((mutant, fault?))).collect())
    }
}
