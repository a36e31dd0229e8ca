//! What only an author of courses needs: mutants from the programs of a class, proposed mutants, and courses from problem packages.
//!
//! `harness` starts this program for these commands, as `git` does.

pub mod candidates;
pub mod gain;
mod import;
mod mine;
pub mod mining;
mod propose;
pub mod report;

use harness::cli::mutants::Mutants;
use harness::cli::{Cli, Command};
use harness::diagnostic::Failure;
use harness::exit::Exit;
use harness::run::work::Work;

/// Runs the command: one of an author, or any other of `harness`.
///
/// # Errors
/// With what went wrong, and its exit status.
pub fn run(work: &Work, cli: &Cli) -> Result<Exit, Failure> {
    match &cli.command {
        Command::Mutants(Mutants::Mine(options)) => mine::run(work, options),
        Command::Mutants(Mutants::Propose(options)) => propose::run(work, options),
        Command::Init(options) => match &options.from {
            Some(package) => import::run(work, package, options),
            None => harness::command::run(work, cli),
        },
        _ => harness::command::run(work, cli),
    }
}
