//! `harness mutants survey`: how hard each mutant is to expose, and which mutants subsume which.

use crate::cli::mutants::Survey;
use crate::command::{print, write_new};
use crate::course::Course;
use crate::generate::Arena;
use crate::generate::survey;
use crate::problem::{Exit, Failure, Problem};
use crate::report::surveyed::{Surveyed, dot};
use crate::run::prepare;

pub(super) fn run(options: &Survey) -> Result<Exit, Failure> {
    let course = Course::read(&options.course)?;
    let assignment = course.assignment_or_only(options.assignment.as_deref())?;
    if let Some(file) = options.dot.as_ref().filter(|file| file.exists()) {
        let problem = Problem::new(format!("{} already exists", file.display()));
        return Err(Failure::usage(
            problem.hint("name a new file; existing files are never overwritten"),
        ));
    }
    let mut arena = Arena::build(&course, assignment, prepare::jobs(options.jobs))?;
    let limits = survey::Options { cases: options.cases as usize, seed: options.seed };
    let tallies = survey::survey(&mut arena, &limits)?;
    let report =
        Surveyed::new(assignment, &arena.mutants, arena.generator.kinds(), &tallies, options.seed);
    if let Some(file) = &options.dot {
        write_new(file, dot::dot(&report))?;
    }
    print("the report", &report, options.format)?;
    Ok(Exit::Done)
}
