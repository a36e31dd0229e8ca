//! The command line of what makes `harness` at home on a machine: `completions`, `man` and `doctor`.

use super::Format;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The options of `completions`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness completions bash > ~/.local/share/bash-completion/completions/harness
  harness completions zsh > ~/.zfunc/_harness    where ~/.zfunc is in $fpath
  harness completions fish > ~/.config/fish/completions/harness.fish")]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// A shell that completes command lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    /// GNU Bash
    Bash,
    /// The Z shell
    Zsh,
    /// The friendly interactive shell
    Fish,
}

/// The options of `man`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness man > harness.1             the page of harness
  harness man mutants verify          the page of a command
  harness man --out share/man/man1    every page, each in its file")]
pub struct Man {
    /// The command whose page is printed [default: harness itself]
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    pub command: Vec<String>,
    /// Write all pages into this folder, which must be new or empty
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// The options of `doctor`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness doctor                    what is missing on this machine, and how to get it
  harness doctor --course mine      for another course
  harness doctor --format json      for a machine

Exit status: 0 if all that is required is there, else 4 for the course and 5 for the machine.")]
pub struct Doctor {
    /// The course file, or its folder
    #[arg(long, value_name = "FILE", default_value = ".")]
    pub course: PathBuf,
    /// How the result is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}
