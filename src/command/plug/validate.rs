//! `harness plug validate TEST`: exits with 0 if the reference accepts a test, and never otherwise.

use super::Programs;
use crate::cli::plug::Validate;
use crate::course::Course;
use crate::problem::{Exit, Failure};
use crate::result::grade;

pub(super) fn run(options: &Validate) -> Result<Exit, Failure> {
    let course = Course::read(&options.handed.course)?;
    let assignment = super::assignment(&course, &options.handed)?;
    let rejected = |problem| Failure::new(Exit::NoValidTest, problem);
    let test = super::test(&options.test, &options.handed, assignment).map_err(rejected)?;
    let (reference, _) =
        Programs::new(&course, assignment, None)?.look(&super::case(&test, assignment))?;
    grade::rejection(&reference, &test, assignment.domain)
        .map_or(Ok(Exit::Done), |problem| Err(rejected(problem)))
}
