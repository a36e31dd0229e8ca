//! The program `harness`: reads the command line, calls one command, and returns its exit status.

use clap::Parser;
use harness::cli::Cli;
use std::process::ExitCode;

fn main() -> ExitCode {
    match harness::command::run(Cli::parse()) {
        Ok(exit) => ExitCode::from(exit as u8),
        Err(failure) => {
            for problem in &failure.problems {
                eprintln!("{problem}");
            }
            ExitCode::from(failure.exit as u8)
        }
    }
}
