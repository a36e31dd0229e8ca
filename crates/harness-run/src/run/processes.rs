//! The engine for any program: an ordinary process for each run. It is the truth that the other engines are compared with.

use super::program::BuiltProgram;
use super::runner::Answers;
use crate::diagnostic::Failure;
use crate::run::build::Runnable;
use crate::run::process::{self, ProcessLimits};
use crate::run::work::Work;
use std::collections::BTreeMap;
use std::time::Duration;
use subject::wire::{Answer, Detail, Difference, MutantSet, Request};
use subject::{Case, End, Outcome};

/// Answers `requests` by processes, each of which may take `time` even if its limit is lower.
pub(super) fn answers(
    program: &BuiltProgram,
    requests: &[Request],
    time: Duration,
) -> Result<Answers, Failure> {
    let limits = ProcessLimits { time: program.limits.time.max(time), ..program.limits };
    let mut all = Answers { answers: Vec::with_capacity(requests.len()), time: Duration::ZERO };
    for request in requests {
        let (mut answer, time) = if program.work.search.is_over() {
            not_run()
        } else {
            answer(program, request, &limits)?
        };
        if program.work.search.has_ended() {
            // It was stopped, perhaps before it did what it would have done.
            (answer, _) = not_run();
        }
        all.answers.push(answer);
        all.time = all.time.max(time);
    }
    Ok(all)
}

/// The answer to a request for which no time is left.
fn not_run() -> (Answer, Duration) {
    let none = MutantSet::default();
    let reference = Outcome {
        end: End::Timeout,
        stdout: Vec::new(),
        stderr: Vec::new(),
        files: BTreeMap::new(),
    };
    let (differing, reached, near, endless) = (Vec::new(), none.clone(), none.clone(), none);
    let answer = Answer { reference, steps: 0, written: 0, reached, differing, near, endless };
    (answer, Duration::ZERO)
}

/// The answer to a request, and the time of the reference. A process does not tell which mutants it reaches, so it may have reached all.
fn answer(
    program: &BuiltProgram,
    request: &Request,
    limits: &ProcessLimits,
) -> Result<(Answer, Duration), Failure> {
    let Request { case, mutants, detail, .. } = request;
    let (mut reference, time) = start(&program.work, &program.runnable, case, limits)?;
    let mut differing = Vec::new();
    if program.hello.runs_mutants_after(&reference.end) {
        let limits = limits_of_mutant(program, limits, time);
        for mutant in mutants.iter() {
            let outcome = start(&program.work, &with_mutant(program, mutant), case, &limits)?.0;
            if let Some(how) = program.hello.difference(&reference, &outcome) {
                let outcome = (*detail == Detail::Outcomes).then_some(outcome);
                differing.push(Difference { mutant, how, outcome });
            }
        }
    }
    let written = reference.written();
    if *detail == Detail::Verdicts {
        reference.stdout.clear();
        reference.files.clear();
    }
    let (reached, near, endless) = (mutants.clone(), MutantSet::default(), MutantSet::default());
    Ok((Answer { reference, steps: 0, written, reached, differing, near, endless }, time))
}

/// The limits of a mutant on a case that takes the reference `time`.
pub(super) fn limits_of_mutant(
    program: &BuiltProgram,
    limits: &ProcessLimits,
    time: Duration,
) -> ProcessLimits {
    let factor = u32::try_from(program.hello.limits.step_factor).unwrap_or(u32::MAX);
    ProcessLimits { time: limits.time.max(time.saturating_mul(factor)), ..*limits }
}

/// The program with this mutant selected.
pub(super) fn with_mutant(program: &BuiltProgram, mutant: usize) -> Runnable {
    let id = program.hello.ids.get(mutant).cloned();
    Runnable { mutant: id, ..program.runnable.clone() }
}

pub(super) fn start(
    work: &Work,
    runnable: &Runnable,
    case: &Case,
    limits: &ProcessLimits,
) -> Result<(Outcome, Duration), Failure> {
    process::run(work, runnable, case, limits)
        .map_err(|error| process::failure(format!("run {}", runnable.words.join(" ")), &error))
}
