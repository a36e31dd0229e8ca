//! `harness mutants mine`: finds the bugs in the programs of a past class, and which of them no mutant represents.
//!
//! It builds the programs of a class (`run/build/foreign.rs`, by the digest of their contents) and runs each on the
//! same `mining::Corpus`, one core for each program. What a program shows on the cases on which it differs is its *signature*.
//! `mining/deviations` compares signatures with those of the mutants and with each other; it is pure, and `docs/mining.md` states its
//! rules. Signatures are small, so that a class of any size is compared in memory, and a kept signature is all that an interrupted run
//! needs.

mod page;
mod prepared;
mod programs;
mod report;
mod trials;

use crate::mining::Corpus;
use crate::report::mined::{self, Mined};
use harness::cli::mutants::Mine;
use harness::command::{contained, generate, print, terminal};
use harness::course::{Assignment, Course};
use harness::diagnostic::{Failure, Problem};
use harness::exit::Exit;
use harness::files;
use harness::generate::Evaluator;
use harness::interrupt;
use harness::run::prepare;
use harness::run::work::Work;
use harness::suite::layout::{self, Reading};
use harness::suite::{Suite, Test};
use programs::Given;
use report::Report;
use std::path::Path;
use trials::Trials;

pub(super) fn run(work: &Work, options: &Mine) -> Result<Exit, Failure> {
    let course = Course::read(&options.course)?;
    let assignment = course.assignment_or_only(options.assignment.as_deref())?;
    terminal::warn_of_differences(&course, assignment)?;
    let budget = generate::budget(options.budget)?;
    check_outputs(options)?;
    let given = Given::all(&options.programs)?;
    let (work, not_contained) = contained::contain(work, &course, options.unsafe_no_sandbox);
    let suites = options.suites.as_ref().map(|folder| suites(folder, &course, assignment));
    let suites = suites.transpose()?;
    let mut handed_in =
        sample_suite(&course, assignment)?.map_or_else(Vec::new, |suite| suite.tests);
    handed_in.extend(suites.iter().flatten().flat_map(|suite| suite.tests.clone()));
    let handed_in: Vec<_> = handed_in.iter().map(Test::draft).collect();
    let jobs = prepare::jobs(options.jobs);
    let mut evaluator = Evaluator::build(&work, &course, assignment, jobs)?;
    interrupt::listen(&work.cancellation);
    evaluator.limit(budget);
    let corpus = Corpus::new(&mut evaluator, &handed_in, options.seed)?;
    let kept = options.out.as_ref().map(|out| out.join("runs"));
    let trials = Trials { course: &course, evaluator: &evaluator, corpus: &corpus, jobs, kept };
    let tried = trials.all(&given)?;
    let report = Report { options, course: &course, evaluator, corpus, given, tried, suites };
    let report = Mined { not_contained, ..report.made()? };
    if let Some(file) = &options.html {
        page::write(file, &mined::page(&course.title, &assignment.title, &report))?;
    }
    print("the report", &report, options.format)?;
    Ok(Exit::Done)
}

/// Fails now if the results cannot be written, and not after the run.
fn check_outputs(options: &Mine) -> Result<(), Failure> {
    options.html.as_deref().map_or(Ok(()), page::check)?;
    let Some(out) = &options.out else { return Ok(()) };
    if out.exists() && !out.is_dir() {
        let problem = Problem::new(format!("{} is not a folder", out.display()));
        return Err(Failure::usage(problem.hint("name a folder with --out")));
    }
    files::check_writable(out)
        .map_err(|error| Failure::machine(format!("write into {}", out.display()), error))
}

/// The course's sample suite, if it has one.
fn sample_suite(course: &Course, assignment: &Assignment) -> Result<Option<Suite>, Failure> {
    let folder = course.folder.join("student_tests").join(&assignment.id);
    if folder.is_dir() { Suite::read(&folder, assignment).map(Some) } else { Ok(None) }
}

/// The suites in `folder`.
fn suites(folder: &Path, course: &Course, assignment: &Assignment) -> Result<Vec<Suite>, Failure> {
    let groups = layout::find(folder, course, Some(&assignment.id), Reading::RatherClass)?;
    let folders = groups.iter().flat_map(|group| &group.suites);
    Ok(folders.map(|folder| Suite::of_student(folder, assignment)).collect())
}
