//! The commands, one file for each.

mod course;
mod serve;
mod settings;
mod worker;

use harness::cli::serve::ServeCommand;
use harness::cli::{Cli, Command};
use harness::diagnostic::{Failure, FailureKind, Problem};
use harness::exit::Exit;
use harness::run::work::Work;
use settings::Settings;
use std::future::Future;

/// Runs the command: one of the server, or any other of `harness`.
///
/// # Errors
/// With what went wrong, and its exit status.
pub fn run(work: &Work, cli: &Cli) -> Result<Exit, Failure> {
    match &cli.command {
        Command::Serve(options) => {
            let settings = Settings::read(options)?;
            match &options.command {
                None => wait(serve::run(settings)),
                Some(ServeCommand::Worker(worker)) => wait(worker::run(settings, worker)),
                Some(ServeCommand::Course(new)) => wait(course::run(settings, new)),
                Some(_) => todo!(),
            }
        }
        _ => harness::command::run(work, cli),
    }
}

/// Waits for what a command does.
fn wait(done: impl Future<Output = Result<Exit, Failure>>) -> Result<Exit, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|error| Failure::machine("start the server", error))?.block_on(done)
}

/// The failure for a fault of the database.
fn of_database(fault: crate::database::Fault) -> Failure {
    let hint = "`harness serve doctor` looks for the cause";
    Failure::new(FailureKind::Machine, Problem::new(fault.to_string()).hint(hint))
}

/// Prints a line. If nobody reads it, the command goes on all the same.
fn say(line: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}
