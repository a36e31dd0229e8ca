//! The program `harness`: reads the command line, calls one command, and returns its exit status.

use clap::Parser;
use harness::cli::Cli;
use harness::exit::Exit;
use harness::{command, diagnostic, files};
use std::process::ExitCode;

fn main() -> ExitCode {
    harness::enter();
    command::complete();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(mistake) => return command::mistaken(&mistake),
    };
    let done = command::run(cli);
    files::remove_temporary();
    match done {
        Ok(exit) => ExitCode::from(exit as u8),
        Err(failure) => {
            diagnostic::print(&failure.problems);
            ExitCode::from(Exit::from(failure.kind) as u8)
        }
    }
}
