//! `harness mutants survey`: how hard each mutant is to expose, and which mutants imply which.

mod unit;

use crate::cli::mutants::Survey;
use crate::command::given_up;
use crate::command::terminal;
use crate::command::{print, write_new};
use crate::course::Course;
use crate::diagnostic::{Failure, Problem};
use crate::exit::Exit;
use crate::generate::Evaluator;
use crate::generate::survey;
use crate::generate::survey::suites::{self, SuiteResult};
use crate::report::surveyed::{SuitesSurveyed, Surveyed, dot};
use crate::result::engines;
use crate::run::prepare;
use crate::run::work::Work;
use crate::suite::layout::{self, Reading};
use std::path::Path;

pub(super) fn run(work: &Work, options: &Survey) -> Result<Exit, Failure> {
    let course = Course::read(&options.course)?;
    let assignment = course.assignment_or_only(options.assignment.as_deref())?;
    if let Some(file) = options.dot.as_ref().filter(|file| file.exists()) {
        let problem = Problem::new(format!("{} already exists", file.display()));
        return Err(Failure::usage(
            problem.hint("name a new file; existing files are never overwritten"),
        ));
    }
    terminal::warn_of_differences(&course, assignment)?;
    if let Some(unit) = &assignment.unit {
        return unit::run(work, options, (&course, assignment), unit);
    }
    let mut evaluator = Evaluator::build(work, &course, assignment, prepare::jobs(options.jobs))?;
    let suites =
        options.suites.as_ref().map(|folder| suite_results(&mut evaluator, &course, folder));
    let suites = suites.transpose()?;
    let limits = survey::Options { cases: options.cases as usize, seed: options.seed };
    let tallies = survey::survey(&mut evaluator, &limits)?;
    let given_up = given_up::warn(assignment, &evaluator.programs.given_up())?;
    let kinds = evaluator.generator.kinds();
    let (files, seed) = (assignment.tests.files, Some(options.seed));
    let mut report = Surveyed::new(assignment, &evaluator.mutants, kinds, &tallies, files, seed);
    report.given_up = given_up;
    report.discarded = evaluator.programs.discarded().into();
    report.engines = engines::slower(evaluator.programs.slower());
    report.suites =
        suites.as_deref().map(|suites| SuitesSurveyed::new(suites, &assignment.scoring));
    show(options, &report)
}

fn show(options: &Survey, report: &Surveyed) -> Result<Exit, Failure> {
    if let Some(file) = &options.dot {
        write_new(file, dot::dot(report))?;
    }
    print("the report", report, options.format)?;
    Ok(Exit::Done)
}

/// What the suites in `folder` expose.
fn suite_results(
    evaluator: &mut Evaluator<'_>,
    course: &Course,
    folder: &Path,
) -> Result<Vec<SuiteResult>, Failure> {
    let groups =
        layout::find(folder, course, Some(&evaluator.assignment.id), Reading::RatherClass)?;
    let folders: Vec<_> = groups.into_iter().flat_map(|group| group.suites).collect();
    let mut results = suites::suites(evaluator, &folders)?;
    results.retain(|suite| suite.valid_tests > 0);
    check_any(&results, folder)?;
    Ok(results)
}

fn check_any(results: &[SuiteResult], folder: &Path) -> Result<(), Failure> {
    if !results.is_empty() {
        return Ok(());
    }
    let problem = Problem::new(format!("no suite in {} has a valid test", folder.display()));
    Err(Failure::usage(problem.hint("`harness score` says why each file is rejected")))
}
