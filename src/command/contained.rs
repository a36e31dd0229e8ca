//! Commands that run programs at which nobody has looked: they run in the sandbox of `grade`, where the machine has it.

use crate::course::Course;
use crate::run::work::Work;
use crate::sandbox::Sandbox;

/// What the user asks for by `--unsafe-no-sandbox`.
const ASKED: &str = "--unsafe-no-sandbox";

/// The work, whose hostile programs start in the sandbox, unless the user takes the risk. Also gives the reason if they start without it.
pub fn contain(work: &Work, course: &Course, unsafe_no_sandbox: bool) -> (Work, Option<String>) {
    let work = work.clone();
    if unsafe_no_sandbox {
        return (work, Some(ASKED.to_owned()));
    }
    match Sandbox::open() {
        Ok(sandbox) => (work.launched_by(Box::new(sandbox.hiding(&course.folder))), None),
        Err(problem) => (work, Some(problem.message)),
    }
}
