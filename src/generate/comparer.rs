//! Compares any program with the reference on the same cases. The reference runs as a worker; the program is started for each case.

use crate::course::{Assignment, Course};
use crate::domain::{Draft, Generator};
use crate::problem::progress::Progress;
use crate::problem::{Failure, Problem};
use crate::run::build::Runnable;
use crate::run::interrupt;
use crate::run::parallel;
use crate::run::process;
use crate::run::programs::{self, Plan, Programs};
use crate::suite::decode;
use rustix::io::Errno;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};
use subject::{Case, End, How, Outcome};

/// The reference and a program, ready for drafts.
pub struct Comparer<'a> {
    pub assignment: &'a Assignment,
    pub generator: &'static dyn Generator,
    reference: Programs,
    program: &'a Runnable,
    limits: process::Limits,
    jobs: usize,
    start: Instant,
    budget: Duration,
    /// How many more cases may take all of their time, until it is certain that the program does not finish.
    waits: usize,
}

/// The result of comparing both on a draft.
#[derive(Clone, Debug)]
pub enum Comparison {
    /// The time was up.
    Untried,
    /// The reference rejects the draft.
    Invalid,
    /// Both did the same.
    Same,
    /// The program was stopped early, so it is not known whether it would have ended.
    Slow,
    Differ(Box<Discrepancy>),
}

/// Two outcomes that differ, each with the beginning of its output.
#[derive(Clone, Debug)]
pub struct Discrepancy {
    pub how: How,
    /// What exactly is wrong, if the domain can say it.
    pub why: Option<String>,
    pub reference: Outcome,
    pub program: Outcome,
}

/// Bytes of each stream and file that a discrepancy keeps.
const KEPT: usize = 4096;
/// The number of cases on which a program that does not finish gets all of its time.
const WAITS: usize = 3;
/// On every other case it gets the course's time limit divided by this, by the wall clock.
const QUICK: u32 = 4;
/// Waiting for a program takes at most this many times the course's time limit by the wall clock, and starts only if this many times
/// the limit are left.
const MOST_PATIENCE: u32 = 4;
const LEAST_PATIENCE: u32 = 2;

impl<'a> Comparer<'a> {
    /// Builds the reference. The time that `budget` gives starts after that.
    ///
    /// # Errors
    /// If the domain cannot make inputs, or the reference cannot be built.
    pub fn build(
        course: &'a Course,
        assignment: &'a Assignment,
        program: &'a Runnable,
        jobs: usize,
        budget: Duration,
    ) -> Result<Self, Failure> {
        let generator = super::generator(assignment)?;
        let reference = {
            let _progress = Progress::new("building the reference", None);
            Programs::build(&Plan::reference(course, assignment).jobs(jobs))?
        };
        Ok(Self {
            assignment,
            generator,
            reference,
            program,
            limits: programs::process_limits(&assignment.run),
            jobs,
            start: Instant::now(),
            budget,
            waits: WAITS,
        })
    }

    /// Whether this part of the budget is spent, or the user has pressed Ctrl-C.
    pub fn has_spent(&self, part: f64) -> bool {
        self.start.elapsed() >= self.budget.mul_f64(part) || interrupt::requested()
    }

    /// Whether the budget is spent, or the user has pressed Ctrl-C.
    pub fn out_of_time(&self) -> bool {
        self.has_spent(1.0)
    }

    /// Whether a program that does not finish still gets all of its time.
    pub fn is_patient(&self) -> bool {
        self.waits > 0
    }

    /// Compares both on each of `drafts`. The first few drafts on which the program is slow are tried again with all of its time. They
    /// are chosen by their order, so that neither load nor the number of jobs changes which they are.
    ///
    /// # Errors
    /// If the reference or the program cannot be started.
    pub fn compare(&mut self, drafts: &[Draft]) -> Result<Vec<Comparison>, Failure> {
        let mut comparisons = self.compare_quickly(drafts)?;
        for (comparison, draft) in comparisons.iter_mut().zip(drafts) {
            let left = self.budget.saturating_sub(self.start.elapsed());
            let is_time = left > self.limits.time * LEAST_PATIENCE && !interrupt::requested();
            if matches!(comparison, Comparison::Slow) && self.waits > 0 && is_time {
                *comparison = self.compare_within(draft, left)?;
                self.waits -= usize::from(is(comparison, How::Timeout));
            }
        }
        Ok(comparisons)
    }

    /// Compares both on each of `drafts`, and stops the program early if it is slow.
    ///
    /// # Errors
    /// If the reference or the program cannot be started.
    pub fn compare_quickly(&mut self, drafts: &[Draft]) -> Result<Vec<Comparison>, Failure> {
        let cases: Vec<_> = drafts.iter().map(|draft| self.case(draft)).collect();
        let references = self.reference.rows(&cases)?;
        let limits = process::Limits { wall: self.limits.time / QUICK, ..self.limits };
        parallel::map(cases.len(), self.jobs, |at| {
            if self.out_of_time() {
                return Ok(Comparison::Untried);
            }
            if !references[at].is_valid() {
                return Ok(Comparison::Invalid);
            }
            let program = self.run(&cases[at], &limits)?;
            Ok(if program.end == End::Timeout {
                Comparison::Slow
            } else {
                self.judged(&cases[at], &references[at].reference, program)
            })
        })
    }

    /// Compares both on `draft`. The program gets all of its time, whatever is left of the budget.
    ///
    /// # Errors
    /// If the reference or the program cannot be started.
    pub fn compare_patiently(&mut self, draft: &Draft) -> Result<Comparison, Failure> {
        self.compare_within(draft, Duration::MAX)
    }

    fn compare_within(&mut self, draft: &Draft, most: Duration) -> Result<Comparison, Failure> {
        let case = self.case(draft);
        let row = self.reference.rows(std::slice::from_ref(&case))?.remove(0);
        if !row.is_valid() {
            return Ok(Comparison::Invalid);
        }
        let wall = most.min(self.limits.time * MOST_PATIENCE);
        let program = self.run(&case, &process::Limits { wall, ..self.limits })?;
        Ok(self.judged(&case, &row.reference, program))
    }

    fn case(&self, draft: &Draft) -> Case {
        decode::case_of_draft(self.assignment, draft)
    }

    fn run(&self, case: &Case, limits: &process::Limits) -> Result<Outcome, Failure> {
        let ran = process::run_among_others(self.program, case, limits);
        ran.map(|(outcome, _)| outcome).map_err(|error| cannot_run(self.program, &error))
    }

    fn judged(&self, case: &Case, reference: &Outcome, program: Outcome) -> Comparison {
        let Some(fault) = self.assignment.domain.judge(case, reference, &program) else {
            return Comparison::Same;
        };
        let (reference, program) = (beginning(reference.clone()), beginning(program));
        let (how, why) = (fault.how, fault.why.map(|why| why.to_string()));
        Comparison::Differ(Box::new(Discrepancy { how, why, reference, program }))
    }
}

/// Whether the two differ in the way `how`.
pub fn is(comparison: &Comparison, how: How) -> bool {
    matches!(comparison, Comparison::Differ(difference) if difference.how == how)
}

fn beginning(mut outcome: Outcome) -> Outcome {
    for stream in
        [&mut outcome.stdout, &mut outcome.stderr].into_iter().chain(outcome.files.values_mut())
    {
        stream.truncate(KEPT);
        stream.shrink_to_fit();
    }
    outcome
}

/// The failure of a program that cannot be started. If the program is missing, or is not a program, the command line is wrong.
pub fn cannot_run(program: &Runnable, error: &io::Error) -> Failure {
    let name = program.words.first().map_or("", String::as_str);
    let path = program.folder.join(name);
    let Some(hint) = hint(name, &path, error) else {
        return process::failure(format!("run {}", program.words.join(" ")), error);
    };
    let message = format!("the program `{name}` cannot be started: {error}");
    Failure::usage(Problem::new(message).hint(hint).printable())
}

fn hint(name: &str, path: &Path, error: &io::Error) -> Option<String> {
    let error = Errno::from_io_error(error)?;
    let is_path = name.contains('/');
    Some(match error {
        Errno::NOENT if is_path && path.exists() => {
            "its first line names an interpreter that does not exist".to_owned()
        }
        Errno::NOENT if is_path => {
            "there is no such file; paths are relative to the current folder".to_owned()
        }
        Errno::NOENT if path.is_file() => {
            format!("to run the program in this folder, write `./{name}`")
        }
        Errno::NOENT => {
            "is it installed and on the PATH? write `./NAME` for a program in this folder"
                .to_owned()
        }
        Errno::ACCESS if path.is_dir() => "this is a folder; name the program in it".to_owned(),
        Errno::ACCESS => format!(
            "make it executable with `chmod +x {name}`, or name its interpreter, as in `python3 {name}`"
        ),
        Errno::NOTDIR => "a part of its path is a file, not a folder".to_owned(),
        _ => return None,
    })
}
