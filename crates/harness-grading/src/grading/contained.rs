//! The sandbox for tests that are programs of students: they run in it, or not at all.

use crate::course::Course;
use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::run::work::Work;
use crate::sandbox::Sandbox;

/// The work, whose hostile programs start in the sandbox. They see nothing of the course but what they need.
///
/// # Errors
/// If there is no sandbox on this machine.
pub fn contained(work: &Work, course: &Course) -> Result<Work, Failure> {
    match Sandbox::open() {
        Ok(sandbox) => Ok(work.clone().launched_by(Box::new(sandbox.hiding(&course.folder)))),
        Err(problem) => {
            let why = problem.message;
            let message =
                format!("unit tests are programs of students, and there is no sandbox: {why}");
            let hint =
                problem.hint.unwrap_or_else(|| "`harness doctor` says what is missing".to_owned());
            Err(Failure::new(FailureKind::Machine, Problem::new(message).hint(hint)))
        }
    }
}
