//! `harness autograder-io validate TEST`: exits with 0 if the reference accepts a test, and with another status otherwise.

use crate::cli::autograder_io::Validate;
use crate::course::Course;
use crate::diagnostic::{Failure, FailureKind};
use crate::exit::Exit;
use crate::result::grade;
use crate::run::work::Work;

pub(super) fn run(work: &Work, options: &Validate) -> Result<Exit, Failure> {
    let course = Course::read(&options.handed.course)?;
    let assignment = super::assignment(&course, &options.handed)?;
    let rejected = |problem| Failure::new(FailureKind::NothingValid, problem);
    let test = super::test(&options.test, &options.handed, assignment).map_err(rejected)?;
    let case = super::case(&test, assignment);
    let row = super::programs(work, &course, assignment, None)?.rows(&[case])?.remove(0);
    grade::rejection(&row, &test, assignment).map_or(Ok(Exit::Done), |mut problem| {
        // The platform shows this to students.
        let message = grade::for_students(&problem.message).to_owned();
        problem.message = message;
        Err(rejected(problem))
    })
}
