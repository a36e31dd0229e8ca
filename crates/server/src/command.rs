//! The commands, one file for each.

mod assignments;
mod audit;
mod backup;
mod course;
mod doctor;
mod invite;
mod plan;
mod serve;
mod settings;
mod students;
mod submit;
mod worker;

use crate::database::Fault;
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
                Some(ServeCommand::Students(it)) => wait(students::run(settings, it)),
                Some(ServeCommand::Backup(it)) => wait(backup::save(settings, &it.file)),
                Some(ServeCommand::Restore(it)) => wait(backup::restore(settings, &it.file)),
                Some(ServeCommand::Doctor(_)) => doctor::run(work, &settings),
                Some(ServeCommand::Invite(invited)) => wait(invite::run(settings, invited)),
                Some(ServeCommand::Plan(planned)) => wait(plan::run(settings, planned)),
                Some(ServeCommand::Audit(_)) => wait(audit::run(settings)),
            }
        }
        Command::Submit(options) => submit::run(options),
        _ => harness::command::run(work, cli),
    }
}

/// Waits for what a command does.
fn wait<T>(done: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|error| Failure::machine("start the server", error))?.block_on(done)
}

/// The failure for a fault of the database.
#[expect(clippy::needless_pass_by_value, reason = "an error that is mapped comes by value")]
fn of_database(fault: Fault) -> Failure {
    let hint = match fault {
        Fault::Refused(_) => "install the `harness-server` that fits the database",
        _ => "`harness serve doctor` looks for the cause",
    };
    Failure::new(FailureKind::Machine, Problem::new(fault.to_string()).hint(hint))
}

/// Prints a line. If nobody reads it, the command goes on all the same.
fn say(line: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}
