//! The command lines of `completions`, `man` and `doctor`.

use super::Format;
use crate::course;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness completions bash > ~/.local/share/bash-completion/completions/harness
  harness completions zsh > ~/.zfunc/_harness    if ~/.zfunc is in $fpath
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

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness man > harness.1           the page of harness
  harness man mutants verify        the page of a command
  harness man --out share/man/man1  every page, each in a file")]
pub struct Man {
    /// The command whose page to print [default: harness itself]
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    pub command: Vec<String>,
    /// Write all pages to this folder, which must be new or empty
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness doctor                check this machine and the course
  harness doctor --course mine  check another course
  harness doctor --format json  as JSON

Exit status:
  0  everything required is present
  4  the course is broken
  5  the machine lacks something")]
pub struct Doctor {
    /// The course file, or its folder [default: the nearest harness.yaml, going up]
    #[arg(long, value_name = "FILE", default_value_os_t = course::nearest(), hide_default_value = true)]
    pub course: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}
