//! The program `harness`: reads the command line, calls one command, and returns its exit status.

use clap::Parser;
use harness::cli::Cli;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    match harness::command::run(cli) {
        Ok(exit) => ExitCode::from(exit as u8),
        Err(failure) => {
            for problem in &failure.problems {
                eprintln!("{problem}");
            }
            ExitCode::from(failure.exit as u8)
        }
    }
}

/// Prints help where that was asked for, or what is wrong with the command line: as clap words it, with `hint:` as in every other error.
fn refuse(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        error.exit();
    }
    let text = error.render().ansi().to_string();
    let is_hint = |line: &str| anstream::adapter::strip_str(line).to_string().starts_with("  tip: ");
    let line = |line: &str| if is_hint(line) { line.trim_start().replacen("tip:", "hint:", 1) } else { line.to_owned() };
    let text: String = text.split_inclusive('\n').map(line).collect();
    // Where nobody listens, the exit status says it.
    let _ = anstream::stderr().write_all(text.as_bytes());
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(u8::MAX))
}
