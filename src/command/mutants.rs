//! `harness mutants …`: looks after the mutants of an assignment.

mod survey;

use crate::cli::Mutants;
use crate::problem::{Exit, Failure};

pub(super) fn run(command: &Mutants) -> Result<Exit, Failure> {
    match command {
        Mutants::Survey(options) => survey::run(options),
    }
}
