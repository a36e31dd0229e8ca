//! The commands, one file for each. A command reads the course and the catalogue, builds and runs programs, and prints a report.

mod autograder_io;
mod cases;
mod companion;
mod completions;
pub mod contained;
mod destination;
pub mod doctor;
mod explain;
pub mod generate;
pub mod given_up;
mod grade;
mod init;
mod judge;
mod man;
pub mod mutants;
pub mod pack;
mod reports;
mod score;
mod shape;
mod similar;
mod solution;
pub mod terminal;
mod verify;
mod view;

use crate::cli::{Cli, Color, Command, Format};
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::files;
use crate::report::screen::{Screen, WriteText};
use crate::run::work::Work;
use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use clap::Parser;
use clap::error::{ContextKind, ErrorKind};
use serde::Serialize;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::path::Path;
use std::process::ExitCode;

/// Reads the command line, which is that of `harness`, runs its command with `run`, and returns the exit status. A program first
/// calls [`sandbox::enter`](crate::sandbox::enter).
pub fn main(run: impl FnOnce(&Work, &Cli) -> Result<Exit, Failure>) -> ExitCode {
    completions::complete();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(mistake) => return mistaken(&mistake),
    };
    set_colors(cli.color);
    let work = Work::new(cli.engine);
    let done = run(&work, &cli);
    files::remove_temporary();
    match done {
        Ok(exit) => ExitCode::from(exit as u8),
        Err(failure) => {
            failure.problems.iter().for_each(terminal::say);
            ExitCode::from(Exit::from(failure.kind) as u8)
        }
    }
}

fn set_colors(color: Color) {
    match color {
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    }
    .write_global();
}

/// Runs the command.
///
/// # Errors
/// With what went wrong, and its exit status.
pub fn run(work: &Work, cli: &Cli) -> Result<Exit, Failure> {
    match &cli.command {
        Command::Score(options) => score::run(work, options),
        Command::Grade(options) => grade::run(work, options),
        Command::Similar(options) => similar::run(options),
        Command::Pack(options) => pack::run(options),
        Command::Serve(_) | Command::Submit(_) => Err(companion::SERVER.start()),
        Command::Verify(options) => verify::run(work, options),
        Command::Generate(options) => generate::run(work, options),
        Command::Explain(options) => explain::run(work, options),
        Command::Mutants(options) => mutants::run(work, options),
        Command::Judge(options) => judge::run(work, options),
        Command::View(options) => view::run(work, options),
        Command::Shape(options) => shape::run(options),
        Command::Init(options) => init::run(options),
        Command::Solution(options) => solution::run(options),
        Command::AutograderIo(options) => autograder_io::run(work, options),
        Command::Doctor(options) => doctor::run(work, options),
        Command::Completions(options) => completions::run(options),
        Command::Man(options) => man::run(options),
    }
}

/// Prints the result of a command. Error messages call it `what`.
///
/// # Errors
/// If nobody reads it, or it cannot be written.
pub fn print(
    what: &str,
    report: &(impl WriteText + Serialize),
    format: Format,
) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let printed = match format {
        Format::Text => {
            let mut text = String::new();
            report.write_text(&mut text, screen()).expect("a `String` takes any text");
            stdout.write_all(text.as_bytes())
        }
        Format::Json => serde_json::to_string_pretty(report)
            .map_err(io::Error::from)
            .and_then(|json| writeln!(stdout, "{json}")),
    };
    printed.and_then(|()| stdout.flush()).map_err(|error| Failure::unwritten(what, &error))
}

/// Standard output. [`main`] sets the global colour choice.
pub fn screen() -> Screen {
    screen_of(&io::stdout())
}

fn screen_of(stream: &(impl RawStream + AsFd)) -> Screen {
    let columns = rustix::termios::tcgetwinsize(stream).ok().map(|size| usize::from(size.ws_col));
    // A terminal that does not know its width reports 0.
    let columns = columns.filter(|&columns| columns > 0);
    Screen { columns, colored: AutoStream::choice(stream) != ColorChoice::Never }
}

/// Writes a new file.
///
/// # Errors
/// If the file exists, or cannot be written.
pub fn write_new(file: &Path, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
    let written = files::create(file, contents.as_ref());
    written.map_err(|error| Failure::unwritable(file, &error))
}

/// Handles an invalid command line, or one that asks for help.
fn mistaken(mistake: &clap::Error) -> ExitCode {
    print_mistake(mistake);
    let words: Vec<_> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    if mistake.exit_code() != 0 && autograder_io::may_be_grading(&words) {
        autograder_io::not_graded("the command line is wrong");
        return ExitCode::SUCCESS;
    }
    ExitCode::from(mistake.exit_code() as u8)
}

/// Whether the value of `--language` is wrong.
fn is_about_a_language(mistake: &clap::Error) -> bool {
    let arg = mistake.get(ContextKind::InvalidArg).map(ToString::to_string);
    mistake.kind() == ErrorKind::InvalidValue
        && arg.is_some_and(|arg| arg.starts_with("--language"))
}

/// Prints help, or clap's error with `hint:` instead of `tip:`, as in every other error.
fn print_mistake(mistake: &clap::Error) {
    // A closed pipe is not a failure.
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
    let mut text: String = text.split_inclusive('\n').map(line).collect();
    if is_about_a_language(mistake) {
        const HINT: &str = "hint: for a program in any other language, the course file names commands: see docs/any-program";
        const END: &str = "\nFor more information";
        text = text.replacen(END, &format!("\n{HINT}\n{END}"), 1);
    }
    let _ = anstream::stderr().write_all(text.as_bytes());
}
