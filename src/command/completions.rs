//! `harness completions SHELL`: prints a script with which a shell completes the command line.

use crate::cli::Cli;
use crate::cli::shell::{Completions, Shell};
use crate::problem::{Exit, Failure};
use clap::CommandFactory;
use std::io::{self, Write};

pub(super) fn run(options: &Completions) -> Result<Exit, Failure> {
    let shell = match options.shell {
        Shell::Bash => clap_complete::Shell::Bash,
        Shell::Zsh => clap_complete::Shell::Zsh,
        Shell::Fish => clap_complete::Shell::Fish,
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "harness", &mut script);
    let mut stdout = io::stdout().lock();
    let printed = stdout.write_all(&script).and_then(|()| stdout.flush());
    printed.map_err(|error| Failure::unwritten("the completions", &error))?;
    Ok(Exit::Done)
}
