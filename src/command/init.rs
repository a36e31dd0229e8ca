//! `harness init DIR`: a course that builds and scores at once.

use crate::cli::Init;
use crate::problem::{Exit, Failure, Problem};

pub(super) fn run(options: &Init) -> Result<Exit, Failure> {
    Err(Failure::usage(Problem::new(format!("cannot make {} yet", options.folder.display()))))
}
