//! One file a command. Each reads as the flow of the design: course, catalogue, builds, suites, matrix, report.

mod completions;
mod doctor;
mod explain;
mod generate;
mod init;
mod man;
mod mutants;
mod score;
mod view;

use crate::cli::{Cli, Command};
use crate::problem::{Exit, Failure};

/// Does what the command line says.
///
/// # Errors
/// With what went wrong, and the exit status that it has.
pub fn run(cli: Cli) -> Result<Exit, Failure> {
    match cli.command {
        Command::Score(options) => score::run(&options),
        Command::Generate(options) => generate::run(&options),
        Command::Explain(options) => explain::run(&options),
        Command::Mutants(options) => mutants::run(&options),
        Command::View(options) => view::run(&options),
        Command::Init(options) => init::run(&options),
        Command::Doctor(options) => doctor::run(&options),
        Command::Completions(options) => completions::run(&options),
        Command::Man(options) => man::run(&options),
    }
}
