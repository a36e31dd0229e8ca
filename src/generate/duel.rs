//! The reference beside any program, on the same cases: the clean build as a worker, the program started anew for each case.
//!
//! It finds out where they differ; which cases are worth trying, and what a difference is worth, is for others to say.

use super::arena;
use crate::course::Assignment;
use crate::domain::{Draft, Generator};
use crate::problem::{Failure, Problem};
use crate::run::build::Runnable;
use crate::run::interrupt;
use crate::run::process;
use crate::run::worker::Pool;
use rustix::io::Errno;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use subject::MutantSet;
use subject::wire::{Detail, Request};
use subject::{Case, End, How, Outcome};

/// The reference and a program, ready for drafts.
pub struct Duel<'a> {
    /// The assignment.
    pub assignment: &'a Assignment,
    /// What makes its inputs.
    pub generator: &'a dyn Generator,
    reference: Pool,
    program: &'a Runnable,
    limits: process::Limits,
    jobs: usize,
    start: Instant,
    budget: Duration,
    /// How many more times a program that does not end is waited for until that is certain.
    waits: usize,
}

/// What the two did on a draft.
#[derive(Clone, Debug)]
pub enum Meeting {
    /// There was no time for it.
    Untried,
    /// The reference rejects it.
    Invalid,
    /// Both did the same.
    Same,
    /// The program took long, and whether it would have ended was not waited for.
    Slow,
    /// They differ.
    Differ(Box<Difference>),
}

/// Two outcomes that differ, each with the beginning of what was printed.
#[derive(Clone, Debug)]
pub struct Difference {
    /// In what way.
    pub how: How,
    /// What exactly is wrong, where the domain can say it.
    pub why: Option<String>,
    /// What the reference did.
    pub reference: Outcome,
    /// What the program did.
    pub program: Outcome,
}

/// Bytes of each stream and file that a difference keeps.
const KEPT: usize = 4096;
/// On so many cases a program that does not end is waited for.
const WAITS: usize = 3;
/// What part of the course's limit, by the wall clock, it gets on every other case.
const HASTE: u32 = 4;
/// How many times the course's limit it is waited for, by the wall clock, until it has had all of it; and how many times at least.
const PATIENCE: u32 = 4;
const LEAST_PATIENCE: u32 = 2;

impl<'a> Duel<'a> {
    /// A duel of `program` with the reference, of which `reference` has the workers. It is over after `budget`.
    pub fn new(
        assignment: &'a Assignment,
        generator: &'a dyn Generator,
        reference: Pool,
        program: &'a Runnable,
        limits: process::Limits,
        jobs: usize,
        budget: Duration,
    ) -> Self {
        Self {
            assignment,
            generator,
            reference,
            program,
            limits,
            jobs,
            start: Instant::now(),
            budget,
            waits: WAITS,
        }
    }

    /// Whether this part of the time that was given is over, or the user wants no more.
    pub fn has_spent(&self, part: f64) -> bool {
        self.start.elapsed() >= self.budget.mul_f64(part) || interrupt::requested()
    }

    /// Whether the time that was given is over.
    pub fn out_of_time(&self) -> bool {
        self.has_spent(1.0)
    }

    /// Whether a program that does not end is still waited for.
    pub fn is_patient(&self) -> bool {
        self.waits > 0
    }

    /// What happens on each of `drafts`. Those on which the program seems not to end are, the first few times, tried again with all
    /// the time that the course gives; in their order, so that neither load nor lanes change which they are.
    ///
    /// # Errors
    /// Where the reference or the program can't be started.
    pub fn meet(&mut self, drafts: &[Draft]) -> Result<Vec<Meeting>, Failure> {
        let mut meetings = self.meet_in_haste(drafts)?;
        for (meeting, draft) in meetings.iter_mut().zip(drafts) {
            let left = self.budget.saturating_sub(self.start.elapsed());
            let is_time = left > self.limits.time * LEAST_PATIENCE && !interrupt::requested();
            if matches!(meeting, Meeting::Slow) && self.waits > 0 && is_time {
                *meeting = self.meet_within(draft, left)?;
                self.waits -= usize::from(is(meeting, How::Timeout));
            }
        }
        Ok(meetings)
    }

    /// What happens on each of `drafts`, where a program that takes long is cut.
    ///
    /// # Errors
    /// Where the reference or the program can't be started.
    pub fn meet_in_haste(&mut self, drafts: &[Draft]) -> Result<Vec<Meeting>, Failure> {
        let references = self.references(drafts)?;
        let limits = process::Limits { wall: self.limits.time / HASTE, ..self.limits };
        let meetings: Vec<Mutex<Option<Result<Meeting, Failure>>>> =
            drafts.iter().map(|_| Mutex::default()).collect();
        let next = AtomicUsize::new(0);
        let run = |at: usize| -> Result<Meeting, Failure> {
            if self.out_of_time() {
                return Ok(Meeting::Untried);
            }
            if references[at].end != End::Exit(0) {
                return Ok(Meeting::Invalid);
            }
            let case = self.case(&drafts[at]);
            let ran = process::run_among_others(self.program, &case, &limits);
            let (program, _) = ran.map_err(|error| cannot_run(self.program, &error))?;
            Ok(if program.end == End::Timeout {
                Meeting::Slow
            } else {
                self.judged(&case, &references[at], program)
            })
        };
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.clamp(1, drafts.len().max(1)) {
                scope.spawn(|| {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(meeting) = meetings.get(at) else { break };
                        *meeting.lock().expect("no run panics") = Some(run(at));
                    }
                });
            }
        });
        meetings
            .into_iter()
            .map(|meeting| {
                meeting.into_inner().expect("no run panicked").expect("every draft was run")
            })
            .collect()
    }

    /// What happens on `draft`, whatever time is left, with all the time that the course gives.
    ///
    /// # Errors
    /// Where the reference or the program can't be started.
    pub fn meet_with_patience(&mut self, draft: &Draft) -> Result<Meeting, Failure> {
        self.meet_within(draft, Duration::MAX)
    }

    fn meet_within(&mut self, draft: &Draft, most: Duration) -> Result<Meeting, Failure> {
        let [reference] =
            self.references(std::slice::from_ref(draft))?.try_into().expect("one was asked for");
        if reference.end != End::Exit(0) {
            return Ok(Meeting::Invalid);
        }
        let case = self.case(draft);
        let limits = process::Limits { wall: most.min(self.limits.time * PATIENCE), ..self.limits };
        let (program, _) = process::run_among_others(self.program, &case, &limits)
            .map_err(|error| cannot_run(self.program, &error))?;
        Ok(self.judged(&case, &reference, program))
    }

    fn case(&self, draft: &Draft) -> Case {
        arena::case(self.assignment, draft)
    }

    fn references(&mut self, drafts: &[Draft]) -> Result<Vec<Outcome>, Failure> {
        let request = |draft| Request {
            case: self.case(draft),
            mutants: MutantSet::default(),
            detail: Detail::Reference,
        };
        let requests: Vec<_> = drafts.iter().map(request).collect();
        Ok(self.reference.rows(&requests)?.into_iter().map(|answer| answer.reference).collect())
    }

    fn judged(&self, case: &Case, reference: &Outcome, program: Outcome) -> Meeting {
        let Some(fault) = self.assignment.domain.judge(case, reference, &program) else {
            return Meeting::Same;
        };
        let (reference, program) = (beginning(reference.clone()), beginning(program));
        Meeting::Differ(Box::new(Difference {
            how: fault.how,
            why: fault.why.map(|why| why.to_string()),
            reference,
            program,
        }))
    }
}

/// Whether the two differ in this way.
pub fn is(meeting: &Meeting, how: How) -> bool {
    matches!(meeting, Meeting::Differ(difference) if difference.how == how)
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

/// Why a program can't be run. That it is not there, or is no program, is a mistake in the command line.
pub fn cannot_run(program: &Runnable, error: &io::Error) -> Failure {
    let name = program.words.first().map_or("", String::as_str);
    let path = program.folder.join(name);
    let Some(hint) = hint(name, &path, error) else {
        return Failure::machine(format!("run {}", program.words.join(" ")), error);
    };
    let message = format!("the program `{name}` can't be started: {error}");
    Failure::usage(Problem::new(message).hint(hint).printable())
}

fn hint(name: &str, path: &Path, error: &io::Error) -> Option<String> {
    let error = Errno::from_io_error(error)?;
    let is_path = name.contains('/');
    Some(match error {
        Errno::NOENT if is_path && path.exists() => {
            "its first line names an interpreter that is not there".to_owned()
        }
        Errno::NOENT if is_path => {
            "there is no such file; paths are relative to the folder that you are in".to_owned()
        }
        Errno::NOENT if path.is_file() => format!("for the program in this folder, say `./{name}`"),
        Errno::NOENT => {
            "is it installed, and on the path? a program in this folder is `./NAME`".to_owned()
        }
        Errno::ACCESS if path.is_dir() => "it is a folder: name the program in it".to_owned(),
        Errno::ACCESS => format!(
            "make it a program with `chmod +x {name}`, or name what runs it, as in `python3 {name}`"
        ),
        Errno::NOTDIR => "a part of its path is a file, not a folder".to_owned(),
        _ => return None,
    })
}
