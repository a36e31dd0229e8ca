//! What keeps every program from running on this machine, as an error with a hint.

use crate::diagnostic::{Failure, FailureKind, Problem};
use std::error::Error;
use std::{env, fmt, io};

/// A problem of the machine, which no program causes.
#[derive(Debug)]
pub(super) struct Obstacle(pub(super) Problem);

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl Error for Obstacle {}

impl From<Obstacle> for io::Error {
    fn from(obstacle: Obstacle) -> Self {
        Self::other(obstacle)
    }
}

/// A problem of another program of the course than the one that should run.
#[derive(Debug)]
pub(in crate::run) struct OfAnother(pub(in crate::run) Problem);

impl fmt::Display for OfAnother {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl Error for OfAnother {}

/// The error of a temporary file that cannot be written.
pub fn no_temporary_files(error: &io::Error) -> io::Error {
    let folder = env::temp_dir();
    let message = format!("cannot write temporary files into {}: {error}", folder.display());
    let hint = "set TMPDIR to a folder that exists, can be written and has room";
    Obstacle(Problem::new(message).hint(hint)).into()
}

/// The failure to do `what` with a program. If the machine lets no program run, the failure is about the machine.
pub fn failure(what: impl fmt::Display, error: &io::Error) -> Failure {
    let inner = error.get_ref();
    if let Some(OfAnother(problem)) = inner.and_then(|inner| inner.downcast_ref()) {
        return Failure::broken_course(problem.clone());
    }
    match inner.and_then(|inner| inner.downcast_ref()) {
        Some(Obstacle(problem)) => Failure::new(FailureKind::Machine, problem.clone()),
        None => Failure::machine(what, error),
    }
}
