//! Runs a submission's program on cases, judges what it did, and measures it beside the reference.

use super::build;
use super::case::MadeCase;
use super::cores::Turn;
use super::language;
use super::leak;
use super::patience::{Limit, Patience};
use super::program::{Call, Measured, RunLimits, SandboxedProgram};
use super::reference::Reference;
use crate::course::submission::{Arguments, Submission};
use crate::course::{Assignment, Course};
use crate::diagnostic::{Failure, printable};
use crate::domain::Fault;
use crate::result::Difference;
use crate::result::explain;
use crate::result::explained::OutputDiff;
use crate::result::graded::points::share_of_time;
use crate::result::graded::{CaseReport, Measures, Shown, Verdict};
use crate::run::interactor::Interactor;
use crate::run::judge::Judge;
use crate::run::work::Work;
use crate::sandbox::{Ending, Sandbox};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::Duration;
use subject::{Case, End, How, Outcome};
use tempfile::TempDir;

/// The most characters and lines of an input that are shown, and the most characters of a line.
const MOST_INPUT: (usize, usize) = (4000, 60);
const MOST_LINE: usize = 200;
/// The most bytes of outputs beside the reference's, and the most outputs: standard output, and files.
const MOST_OUTPUTS: (usize, usize) = (32 << 10, 8);
/// The most characters of a message that are shown.
const MOST_SAID: usize = 500;

/// What runs the programs of submissions.
pub struct Bench {
    pub sandbox: Arc<Sandbox>,
    pub assignment: Arc<Assignment>,
    pub submission: Arc<Submission>,
    pub judge: Judge,
    pub reference: Reference,
    pub(super) interactor: Option<Interactor>,
    /// Whether times are wanted also where they cost no points.
    pub shows_times: bool,
    /// Held for writing by a run that must be alone.
    alone: RwLock<()>,
    /// Why valgrind does not work on this machine, once that was asked.
    valgrind: OnceLock<Option<String>>,
}

/// The result of a case, with the outcome of the program.
pub struct Tried {
    pub report: CaseReport,
    /// The program's outcome, if there is a program.
    pub(super) outcome: Option<(Outcome, Option<Fault>)>,
}

impl Bench {
    /// Builds the reference of `assignment`, whose submissions are `submission`.
    ///
    /// # Errors
    /// If the build fails, or the judge cannot be started.
    pub fn build(
        work: &Work,
        course: &Course,
        assignment: &Assignment,
        submission: &Submission,
        sandbox: Arc<Sandbox>,
        shows_times: bool,
    ) -> Result<Self, Failure> {
        Ok(Self {
            judge: Judge::new(work, course, assignment)?,
            interactor: Interactor::of(course, assignment)?,
            reference: Reference::build(
                course,
                assignment,
                submission,
                sandbox.clone(),
                limits(submission),
            )?,
            assignment: Arc::new(assignment.clone()),
            submission: Arc::new(submission.clone()),
            sandbox,
            shows_times,
            alone: RwLock::new(()),
            valgrind: OnceLock::new(),
        })
    }

    /// Why valgrind does not work on this machine, if it does not.
    pub(super) fn obstacle_to_valgrind(&self) -> Result<Option<&str>, Failure> {
        if self.valgrind.get().is_none() {
            let obstacle = leak::obstacle(self)?;
            // Another thread may have found the same.
            let _ = self.valgrind.set(obstacle);
        }
        Ok(self.valgrind.get().and_then(Option::as_deref))
    }

    /// Tries a case.
    ///
    /// # Errors
    /// If the machine or the reference fails.
    pub(super) fn try_case(
        &self,
        made: &MadeCase,
        programs: &BTreeMap<String, TempDir>,
        patience: &mut Patience,
        turn: Turn<'_>,
    ) -> Result<Tried, Failure> {
        let name = self.submission.program.of(&made.flags);
        let args = self.args(&made.case);
        let command = [name.to_owned()].into_iter().chain(args.clone()).collect();
        let report = |verdict| CaseReport {
            name: made.name.clone(),
            verdict,
            share: 0.0,
            command,
            measures: None,
            says: None,
            stopped: None,
            shown: None,
        };
        let Some(folder) = programs.get(name) else {
            return Ok(Tried { report: report(Verdict::NotRun), outcome: None });
        };
        let answer = self.reference.answer(made, turn)?;
        let program =
            SandboxedProgram::of_student(&language::start(&self.submission, name), folder.path())
                .talking(self.interactor.as_ref());
        let limit = self.limit(made, patience, turn)?;
        let call = Call { case: &made.case, args: &args };
        let first = self.confirmed(&program, call, &limit, patience, turn)?;
        let answer = made.expected(answer, &first.outcome);
        let fault = self.judge.fault_of_stranger(&made.case, &answer, &first.outcome)?;
        let verdict = verdict(&answer, &first, fault.as_ref());
        let mut report = report(verdict);
        if verdict.is_right() {
            self.measure(&mut report, &program, call, &first, &limit, turn)?;
        } else if self.shows_times {
            report.measures = Some(measures(&[&first], &[]));
        }
        if verdict == Verdict::Timeout {
            report.stopped = Some(limit.why);
        }
        if verdict == Verdict::Rejected {
            report.says = said(&first.outcome.stderr);
        }
        Ok(Tried { report, outcome: Some((first.outcome, fault)) })
    }

    /// The arguments of the student's program.
    pub(super) fn args(&self, case: &Case) -> Vec<String> {
        match self.submission.arguments {
            Arguments::Reference => case.args.clone(),
            Arguments::Document => self.assignment.domain.document_args(case),
        }
    }

    /// The limits on a run.
    pub fn limits(&self) -> RunLimits {
        limits(&self.submission)
    }

    /// The limit on a run on a case.
    ///
    /// # Errors
    /// If the reference fails.
    pub(super) fn limit(
        &self,
        made: &MadeCase,
        patience: &Patience,
        turn: Turn<'_>,
    ) -> Result<Limit, Failure> {
        Ok(patience.limit(self.reference.about(&made.case, turn)?, &self.submission.time))
    }

    /// Runs the program among others.
    fn run(
        &self,
        program: &SandboxedProgram<'_>,
        call: Call<'_>,
        limit: &Limit,
        turn: Turn<'_>,
    ) -> Result<Measured, Failure> {
        let _among_others = self.alone.read().unwrap_or_else(PoisonError::into_inner);
        program.run(&self.sandbox, call, self.limits_until(limit), turn)
    }

    /// Runs the program. A run that is stopped is confirmed by a second one, alone, until that has happened once.
    fn confirmed(
        &self,
        program: &SandboxedProgram<'_>,
        call: Call<'_>,
        limit: &Limit,
        patience: &mut Patience,
        turn: Turn<'_>,
    ) -> Result<Measured, Failure> {
        let is_stopped =
            |run: &Measured| matches!(run.ending, Ending::TimeLimit | Ending::WallLimit);
        let first = self.run(program, call, limit, turn)?;
        if patience.is_confirmed || !is_stopped(&first) {
            return Ok(first);
        }
        let _alone = self.alone.write().unwrap_or_else(PoisonError::into_inner);
        let second = program.run(&self.sandbox, call, self.limits_until(limit), turn)?;
        patience.is_confirmed = is_stopped(&second);
        Ok(second)
    }

    fn limits_until(&self, limit: &Limit) -> RunLimits {
        let time = Duration::try_from_secs_f64(limit.seconds).unwrap_or(Duration::MAX);
        RunLimits { time, ..self.limits() }
    }

    /// Measures a program that is right. A time below those that are told apart earns all points, so it is measured once. Otherwise
    /// the program and the reference run in turn.
    fn measure(
        &self,
        report: &mut CaseReport,
        program: &SandboxedProgram<'_>,
        call: Call<'_>,
        first: &Measured,
        limit: &Limit,
        turn: Turn<'_>,
    ) -> Result<(), Failure> {
        let time = &self.submission.time;
        let is_short = first.seconds <= time.least;
        let count = if is_short { 1 } else { time.runs as usize };
        let known = self.reference.measured(call.case);
        let (mut own, mut others) = (vec![first.clone()], Vec::new());
        for at in 0..count {
            if at > 0 {
                own.push(self.run(program, call, limit, turn)?);
            }
            if known.is_none() && (!is_short || self.shows_times) {
                let _among_others = self.alone.read().unwrap_or_else(PoisonError::into_inner);
                others.push(self.reference.time(call.case, turn)?);
            }
        }
        let mut measured =
            measures(&own.iter().collect::<Vec<_>>(), &others.iter().collect::<Vec<_>>());
        match (known, measured.reference_seconds, measured.reference_megabytes) {
            (Some((seconds, memory)), ..) => {
                measured.reference_seconds = Some(seconds);
                measured.reference_megabytes = Some(megabytes(memory));
            }
            (None, Some(seconds), Some(megabytes)) => {
                self.reference.remember(call.case, seconds, (megabytes * BYTES) as u64);
            }
            _ => {}
        }
        let reference = measured.reference_seconds.unwrap_or(time.least);
        report.share = share_of_time(measured.seconds, reference, time);
        report.verdict = if report.share < 1.0 { Verdict::Slow } else { Verdict::Passed };
        report.measures = self.shows_times.then_some(measured);
        Ok(())
    }

    /// A failed case in full.
    ///
    /// # Errors
    /// If the reference fails.
    pub fn shown(&self, made: &MadeCase, tried: &Tried) -> Result<Option<Shown>, Failure> {
        let Some((outcome, fault)) = &tried.outcome else { return Ok(None) };
        let answer = made.expected(self.reference.answer(made, Turn::default())?, outcome);
        let (text, is_cut) = beginning(made.input());
        let difference = fault.as_ref().and_then(|fault| {
            let seen = Difference {
                mutant: 0,
                how: fault.how,
                why: fault.why.clone(),
                outcome: Some(outcome.clone()),
            };
            let mut difference = explain::difference(&*self.assignment.domain, &answer, &seen)?;
            if fault.how == How::Timeout && outcome.stdout.is_empty() && outcome.files.is_empty() {
                // All that the reference prints says nothing of the program.
                difference.outputs.clear();
            }
            cut(&mut difference.outputs);
            // Domains know only mutants.
            difference.first = difference.first.map(|it| it.replace("the mutant", "the program"));
            Some(difference)
        });
        Ok(Some(Shown { input: text, is_cut, difference }))
    }
}

/// The limits on a run of a student's program.
pub fn limits(submission: &Submission) -> RunLimits {
    let time = Duration::try_from_secs_f64(submission.time.seconds).unwrap_or(Duration::MAX);
    RunLimits {
        time,
        wall: time.saturating_mul(10),
        memory: submission.memory_mb << 20,
        output: submission.output_kb << 10,
    }
}

/// Cuts what is shown of outputs: a program that floods prints more than anybody reads.
fn cut(outputs: &mut Vec<OutputDiff>) {
    outputs.truncate(MOST_OUTPUTS.1);
    let mut room = MOST_OUTPUTS.0;
    for output in outputs {
        room = room.saturating_sub(output.diff.cut(room));
    }
}

/// What a program did, in one word.
fn verdict(answer: &Outcome, measured: &Measured, fault: Option<&Fault>) -> Verdict {
    let Some(fault) = fault else { return Verdict::Passed };
    let ends = (&answer.end, &measured.outcome.end);
    match fault.how {
        How::Output | How::Message => Verdict::Wrong,
        How::Exit if ends == (&End::Exit(0), &End::Exit(1)) => Verdict::Rejected,
        How::Exit | How::Accepts => Verdict::Status,
        How::Crash if measured.ending == Ending::ProcessLimit => Verdict::Limit,
        How::Crash => Verdict::Crashed,
        How::Timeout => Verdict::Timeout,
        How::Memory => Verdict::Memory,
        How::OutputLimit => Verdict::Output,
    }
}

const BYTES: f64 = (1 << 20) as f64;

fn megabytes(bytes: u64) -> f64 {
    (bytes as f64 / BYTES * 10.0).round() / 10.0
}

/// The medians of some runs, beside those of the reference.
fn measures(own: &[&Measured], reference: &[&Measured]) -> Measures {
    let seconds = |runs: &[&Measured]| {
        median(runs.iter().map(|run| (run.seconds * 1000.0).round() / 1000.0).collect())
    };
    let memory =
        |runs: &[&Measured]| median(runs.iter().map(|run| megabytes(run.memory)).collect());
    Measures {
        seconds: seconds(own).unwrap_or(0.0),
        reference_seconds: seconds(reference),
        megabytes: memory(own).unwrap_or(0.0),
        reference_megabytes: memory(reference),
    }
}

/// The middle one of some numbers; of an even number of them, the lower one.
fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len().saturating_sub(1) / 2).copied()
}

/// What a program says on standard error, in a few lines.
fn said(stderr: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    if let Some(uncaught) = build::uncaught(&text) {
        return Some(uncaught);
    }
    let lines: Vec<_> =
        text.lines().map(str::trim_end).filter(|line| !line.is_empty()).take(5).collect();
    let shown: String = lines.join("\n").chars().take(MOST_SAID).collect();
    let shown: Vec<_> = shown.lines().map(printable).collect();
    (!shown.is_empty()).then(|| shown.join("\n"))
}

/// The beginning of an input, and whether it is longer.
fn beginning(input: &[u8]) -> (String, bool) {
    let (characters, lines) = MOST_INPUT;
    let text = String::from_utf8_lossy(&input[..input.len().min(characters * 4)]).into_owned();
    let first: String = text.chars().take(characters).collect();
    let first: String = first.split_inclusive('\n').take(lines).collect();
    let shown: String = first.split_inclusive('\n').map(narrow).collect();
    let is_cut = first.len() < input.len() || shown != first;
    (shown, is_cut)
}

/// The beginning of a line.
fn narrow(line: &str) -> String {
    match line.char_indices().nth(MOST_LINE) {
        Some((at, _)) if line.trim_end_matches('\n').len() > at => format!("{}…\n", &line[..at]),
        _ => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_one() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![2.0, 1.0]), Some(1.0));
        assert_eq!(median(Vec::new()), None);
    }

    #[test]
    fn a_long_input_is_cut() {
        assert_eq!(beginning(b"a\nb\n"), ("a\nb\n".to_owned(), false));
        let (shown, is_cut) = beginning(&b"x\n".repeat(1000));
        assert!(is_cut && shown.lines().count() == MOST_INPUT.1);
        let (shown, is_cut) = beginning(&[&b"x".repeat(MOST_LINE + 9)[..], b"\ny\n"].concat());
        assert!(is_cut && shown.ends_with("x…\ny\n"), "{shown}");
    }
}
