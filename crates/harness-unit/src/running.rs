//! Runs test cases on a program: each by a process, or all by one, where the framework can.

use crate::diagnostic::Failure;
use crate::run::build::Runnable;
use crate::run::process::{self, ProcessLimits};
use crate::run::programs::process_limits;
use crate::variants::Variants;
use std::collections::BTreeMap;
use std::time::Duration;
use subject::{Case, End, Outcome};

impl Variants {
    /// Runs cases on a program, each with the time that it took the reference. One process tells of several cases only whether they pass
    /// or fail. Where it cannot say this, each has a process of its own.
    pub(crate) fn outcomes(
        &self,
        program: &Runnable,
        cases: &[(&Case, Duration)],
    ) -> Result<Vec<(Outcome, Duration)>, Failure> {
        let is_alone = self.is_isolated || cases.len() < 2;
        let known = if is_alone { Vec::new() } else { self.together(program, cases)? };
        let mut known = known.into_iter();
        let one = |(case, time): &(&Case, Duration)| match known.next().flatten() {
            Some(known) => Ok(known),
            None => self.start(program, case, &self.limits_of(*time)),
        };
        cases.iter().map(one).collect()
    }

    /// What one process says of the cases. There is nothing for those of which it says nothing.
    fn together(
        &self,
        program: &Runnable,
        cases: &[(&Case, Duration)],
    ) -> Result<Vec<Option<(Outcome, Duration)>>, Failure> {
        let Some(read) = self.framework.together() else { return Ok(Vec::new()) };
        let args = cases.iter().flat_map(|(case, _)| case.args.clone()).collect();
        let limits = self.limits();
        let many = u32::try_from(cases.len()).unwrap_or(u32::MAX);
        let limits = ProcessLimits { time: limits.time.saturating_mul(many), ..limits };
        let (outcome, _) = self.start(program, &Case { args, ..Case::default() }, &limits)?;
        let said = read(&String::from_utf8_lossy(&outcome.stdout));
        let of = |(case, _): &(&Case, Duration)| {
            let (_, verdict) = said.iter().find(|(name, _)| case.args.first() == Some(name))?;
            let end = End::Exit(u8::from(!verdict.passed));
            let stdout = verdict.line.clone().into_bytes();
            Some((
                Outcome { end, stdout, stderr: Vec::new(), files: BTreeMap::new() },
                verdict.time,
            ))
        };
        Ok(cases.iter().map(of).collect())
    }

    pub(crate) fn limits(&self) -> ProcessLimits {
        process_limits(&self.run)
    }

    /// The limits of another program on a case that takes the reference some time.
    fn limits_of(&self, reference: Duration) -> ProcessLimits {
        let (limits, factor) = (self.limits(), u32::try_from(self.run.factor).unwrap_or(u32::MAX));
        ProcessLimits { time: limits.time.max(reference.saturating_mul(factor)), ..limits }
    }

    pub(crate) fn start(
        &self,
        program: &Runnable,
        case: &Case,
        limits: &ProcessLimits,
    ) -> Result<(Outcome, Duration), Failure> {
        process::run(&self.work, program, case, limits)
            .map_err(|error| process::failure("run a program of tests", &error))
    }
}
