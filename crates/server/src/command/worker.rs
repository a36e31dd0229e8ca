//! `harness serve worker`: grades what servers take in, on this machine. It needs nothing but the address of the database.

use super::settings::usual_cache;
use super::{Settings, machine};
use crate::app::App;
use crate::courses::Courses;
use crate::database::Address;
use crate::worker::{self, Options, Program, Workers};
use harness::cli::serve::Worker;
use harness::diagnostic::{Failure, FailureKind, Problem};
use harness::exit::Exit;
use std::thread;

pub(super) async fn run(settings: Settings, worker: &Worker) -> Result<Exit, Failure> {
    crate::log::begin(settings.config.machine.log);
    if let Address::Sqlite(file) = &settings.database
        && !file.exists()
    {
        let problem = Problem::new(format!("there is no database {}", file.display()));
        return Err(Failure::usage(problem.hint("name the server's with --database")));
    }
    let cache = match (&worker.cache, &settings.config.machine.cache) {
        (Some(cache), _) => cache.clone(),
        (None, Some(_)) => settings.cache.clone(),
        (None, None) => usual_cache(),
    };
    machine::check_cache(&cache)?;
    // It would take jobs only to fail them.
    if let Some(problem) = machine::cannot_grade().await {
        return Err(Failure::new(FailureKind::Machine, problem));
    }
    let database = settings.open().await?;
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let count = worker.workers.map_or_else(cores, usize::from);
    let app = App::new(database, Courses::new(&cache), "");
    let mut options = Options::new(count, Program::this()?);
    options.until_empty = worker.until_empty;
    let (asker, stop) = worker::channel();
    tokio::spawn(asker.ask_at_signals());
    Workers::start(&app, &options, &stop)?.ended().await;
    Ok(Exit::Done)
}
