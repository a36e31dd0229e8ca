//! Runs mutants on cases that the matrix leaves out, such as those that the reference rejects. Each run is a process.

use super::parallel;
use super::process::ProcessLimits;
use super::processes;
use super::programs::Programs;
use crate::diagnostic::{Failure, Problem};
use crate::domain::{Fault, uncaught};
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
    /// If the reference gives no answer, or the machine or a checker fails.
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
        if self.refusals.is_failure(&reference) {
            return Err(no_answer(name, &reference));
        }
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

/// The failure of a course whose reference gives no answer on a case, but does `outcome`.
pub fn no_answer(name: &str, outcome: &Outcome) -> Failure {
    let (why, limit) = match &outcome.end {
        End::Exit(_) => ("nothing catches an exception", None),
        End::Crash(how) => (how.as_str(), None),
        End::Timeout => ("it takes too long", Some("time.seconds")),
        End::Memory => ("it uses too much memory", Some("memory_mb")),
        End::OutputLimit => ("it writes too much", Some("output_kb")),
    };
    let said = String::from_utf8_lossy(&outcome.stderr);
    let said = uncaught(outcome).unwrap_or_else(|| said.trim_end().to_owned());
    let said = if said.is_empty() { said } else { format!("\n{said}") };
    let does = if matches!(outcome.end, End::Exit(_)) { "fails" } else { "does not exit" };
    let message = format!("the reference {does} on the case `{name}`: {why}{said}");
    let hint = match limit {
        Some(key) => {
            format!("mend the reference, make the case smaller, or raise `{key}` of the submission")
        }
        None => {
            "mend the reference or the case: submissions must do what the reference does".to_owned()
        }
    };
    Failure::broken_course(Problem::new(message).hint(hint))
}
