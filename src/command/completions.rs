//! `harness completions SHELL`: prints a script with which a shell completes the command line.
//!
//! The script runs `harness` with [`VARIABLE`] set whenever the user presses Tab, and so knows the course in the current folder.

use crate::cli::Cli;
use crate::cli::shell::{Completions, Shell};
use crate::diagnostic::Failure;
use crate::exit::Exit;
use clap::CommandFactory;
use clap_complete::env::{Bash, CompleteEnv, EnvCompleter, Fish, Zsh};
use std::io::{self, Write};

/// The environment variable that names the shell which asks for completions.
const VARIABLE: &str = "HARNESS_COMPLETE";

pub(super) fn run(options: &Completions) -> Result<Exit, Failure> {
    let shell: &dyn EnvCompleter = match options.shell {
        Shell::Bash => &Bash,
        Shell::Zsh => &Zsh,
        Shell::Fish => &Fish,
    };
    let mut stdout = io::stdout().lock();
    let printed = shell
        .write_registration(VARIABLE, "harness", "harness", "harness", &mut stdout)
        .and_then(|()| stdout.flush());
    printed.map_err(|error| Failure::unwritten("the completions", &error))?;
    Ok(Exit::Done)
}

/// If a shell asks for completions, prints them and ends the process.
pub(super) fn complete() {
    CompleteEnv::with_factory(Cli::command).var(VARIABLE).complete();
}
