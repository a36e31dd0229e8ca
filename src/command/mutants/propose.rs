//! `harness mutants propose`: candidates for mutants from the reference's source.

mod build;

use crate::cli::mutants::Propose;
use crate::course::Course;
use crate::problem::{Exit, Failure};

pub(super) fn run(options: &Propose) -> Result<Exit, Failure> {
    let course = Course::read(&options.course)?;
    let assignment = course.assignment_or_only(options.assignment.as_deref())?;
    let started = std::time::Instant::now();
    let built = build::build(&course, assignment, options)?;
    eprintln!("{} {} {:?}", built.workshop.count(), built.workshop.left().count(), started.elapsed());
    Ok(Exit::Done)
}
