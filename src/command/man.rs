//! `harness man`: prints the manual, which is made from the command line.

use crate::cli::Cli;
use crate::cli::shell::Man;
use crate::diagnostic::{Failure, Problem, did_you_mean};
use crate::exit::Exit;
use crate::files;
use clap::{Command, CommandFactory};
use std::fs;
use std::io::{self, Write};
use std::path::Path;

pub(super) fn run(options: &Man) -> Result<Exit, Failure> {
    let mut whole = Cli::command();
    // This gives subcommands their full names.
    whole.build();
    match &options.out {
        Some(folder) => write_all(whole, folder)?,
        None => print(named(&whole, &options.command)?)?,
    }
    Ok(Exit::Done)
}

/// The command that these words name.
fn named<'a>(whole: &'a Command, words: &[String]) -> Result<&'a Command, Failure> {
    words.iter().try_fold(whole, |command, word| {
        command.find_subcommand(word).ok_or_else(|| {
            let names: Vec<_> = command.get_subcommands().map(Command::get_name).collect();
            let all = || match names.as_slice() {
                [] => format!("`{}` has no commands", command.get_bin_name().unwrap_or_default()),
                names => format!("the commands are {}", names.join(", ")),
            };
            let hint = did_you_mean(word, names.iter().copied()).unwrap_or_else(all);
            Failure::usage(Problem::new(format!("there is no command `{word}`")).hint(hint))
        })
    })
}

fn print(command: &Command) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let printed =
        clap_mangen::Man::new(command.clone()).render(&mut stdout).and_then(|()| stdout.flush());
    printed.map_err(|error| Failure::unwritten("the page", &error))
}

fn write_all(whole: Command, folder: &Path) -> Result<(), Failure> {
    if !files::is_free(folder) {
        let message = format!("{} already exists and is not an empty folder", folder.display());
        return Err(Failure::usage(
            Problem::new(message).hint("name a new folder; existing files are never overwritten"),
        ));
    }
    let written = files::fill(folder, || {
        fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(whole, folder))
    });
    written.map_err(|error| Failure::unwritable_as(&format!("into {}", folder.display()), &error))
}
