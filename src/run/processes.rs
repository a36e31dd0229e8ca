//! The engine for any program: one program for each variant, and a process for each run.

use super::programs::Run;
use crate::domain::Domain;
use crate::problem::Failure;
use crate::run::build::Runnable;
use crate::run::matrix::Row;
use crate::run::parallel;
use crate::run::process::{self, Limits};
use std::collections::BTreeMap;
use std::time::Duration;
use subject::wire::{Detail, Difference};
use subject::{Case, Outcome};

/// The programs of the variants, and what each run may use.
pub(super) struct Processes {
    pub(super) domain: &'static dyn Domain,
    pub(super) reference: Runnable,
    /// The mutants' programs, by the index of the mutant. A mutant without a program is not run.
    pub(super) mutants: BTreeMap<usize, Runnable>,
    /// The limits of the reference. A mutant's time grows with the reference's.
    pub(super) limits: Limits,
    /// How many times the reference's time a mutant may take.
    pub(super) factor: u64,
    /// How many cases run at the same time.
    pub(super) jobs: usize,
}

impl Processes {
    pub(super) fn rows(&self, runs: &[Run<'_>], detail: Detail) -> Result<Vec<Row>, Failure> {
        parallel::map(runs.len(), self.jobs, |at| self.row(&runs[at], detail))
    }

    fn row(&self, run: &Run<'_>, detail: Detail) -> Result<Row, Failure> {
        let (reference, time) = start(&self.reference, run.case, &self.limits)?;
        let mut row = Row { reference, exposed: Vec::new(), reached: None, agrees: true };
        if !row.is_valid() {
            return Ok(row);
        }
        let factor = u32::try_from(self.factor).unwrap_or(u32::MAX);
        let time = self.limits.time.max(time.saturating_mul(factor));
        let limits = Limits { time, ..self.limits };
        let programs = self.mutants.iter().filter(|(mutant, _)| run.mutants.contains(**mutant));
        for (&mutant, program) in programs {
            let (outcome, _) = start(program, run.case, &limits)?;
            if let Some(fault) = self.domain.judge(run.case, &row.reference, &outcome) {
                let outcome = (detail == Detail::Outcomes).then_some(outcome);
                row.exposed.push(Difference { mutant, how: fault.how, outcome });
            }
        }
        Ok(row)
    }
}

fn start(
    runnable: &Runnable,
    case: &Case,
    limits: &Limits,
) -> Result<(Outcome, Duration), Failure> {
    process::run(runnable, case, limits)
        .map_err(|error| process::failure(format!("run {}", runnable.words.join(" ")), &error))
}
