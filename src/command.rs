//! One file a command. Each reads as the flow of the design: course, catalogue, builds, suites, matrix, report.

mod completions;
mod doctor;
mod explain;
mod generate;
mod init;
mod man;
mod mutants;
mod new_files;
mod plug;
mod score;
mod solution;
mod view;

use crate::cli::{Cli, Command, Format};
use crate::problem::{Exit, Failure};
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

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
        Command::Solution(options) => solution::run(&options),
        Command::Plug(options) => plug::run(&options),
        Command::Doctor(options) => doctor::run(&options),
        Command::Completions(options) => completions::run(&options),
        Command::Man(options) => man::run(&options),
    }
}

/// Prints what a command found; `what` it is for an error message.
fn print(what: &str, report: &(impl Display + Serialize), format: Format) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let printed = match format {
        Format::Text => write!(stdout, "{report}"),
        Format::Json => serde_json::to_string_pretty(report)
            .map_err(io::Error::from)
            .and_then(|json| writeln!(stdout, "{json}")),
    };
    printed.and_then(|()| stdout.flush()).map_err(|error| Failure::unwritten(what, &error))
}

/// Writes a file that is not there yet: nothing is overwritten.
fn write_new(file: &Path, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
    let written = new_files::file(file, contents.as_ref());
    written.map_err(|error| Failure::machine(format!("write {}", file.display()), error))
}

/// What becomes of a command line that can't be read, or that asks for help.
pub fn mistaken(mistake: &clap::Error) -> ExitCode {
    print_mistake(mistake);
    let words: Vec<_> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    if mistake.exit_code() != 0 && plug::is_meant_for_grading(&words) {
        plug::not_graded("the command line is wrong");
        return ExitCode::SUCCESS;
    }
    ExitCode::from(mistake.exit_code() as u8)
}

/// Prints help where that was asked for, or what is wrong with the command line: as clap words it, with `hint:` as in every other error.
fn print_mistake(mistake: &clap::Error) {
    // That nobody reads it is no failure.
    if !mistake.use_stderr() {
        let _ = mistake.print();
        return;
    }
    let text = mistake.render().ansi().to_string();
    let is_hint =
        |line: &str| anstream::adapter::strip_str(line).to_string().starts_with("  tip: ");
    let line = |line: &str| {
        if is_hint(line) { line.trim_start().replacen("tip:", "hint:", 1) } else { line.to_owned() }
    };
    let text: String = text.split_inclusive('\n').map(line).collect();
    let _ = anstream::stderr().write_all(text.as_bytes());
}
