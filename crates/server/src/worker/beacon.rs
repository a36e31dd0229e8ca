//! Tells the database that a worker is there, and what it does.

use super::BEAT;
use crate::database::{Connection, Database, Result};
use crate::system;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// How long the name of a worker stays after it was last seen. Milliseconds.
const REMEMBERED: i64 = 24 * 60 * 60 * 1000;

/// How long a worker tries to say that it ends.
const FAREWELL: Duration = Duration::from_secs(2);

/// Tells the database of a worker until it is dropped.
pub(super) struct Beacon {
    name: String,
    database: Database,
    state: watch::Sender<String>,
    task: JoinHandle<()>,
}

impl Drop for Beacon {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Beacon {
    /// `mines` says whether the worker has what mines.
    pub(super) fn new(
        database: &Database,
        name: &str,
        mines: impl Fn() -> bool + Send + 'static,
    ) -> Self {
        let (state, news) = watch::channel("starting".to_owned());
        let task = tokio::spawn(shine(database.clone(), name.to_owned(), mines, news));
        Self { name: name.to_owned(), database: database.clone(), state, task }
    }

    /// What the worker does now: `starting`, `waiting`, `grading`, `mining`, or what keeps it from working.
    pub(super) fn says(&self, what: &str) {
        self.state.send_if_modified(|state| {
            let what = system::said(what);
            let differs = *state != what;
            *state = what;
            differs
        });
    }

    /// Says that the worker is not there any more.
    pub(super) async fn ends(self) {
        self.task.abort();
        let name = self.name.clone();
        let gone = self.database.write(move |connection| {
            connection.execute("delete from worker where name = $1", &[(&name).into()])
        });
        // If the database is away, the time of its last sign tells the same.
        let _ = tokio::time::timeout(FAREWELL, gone).await;
    }
}

async fn shine(
    database: Database,
    name: String,
    mines: impl Fn() -> bool,
    mut news: watch::Receiver<String>,
) {
    loop {
        let (name, state, mines) = (name.clone(), news.borrow_and_update().clone(), mines());
        let said = database.write(move |connection| note(connection, &name, &state, mines));
        if let Err(fault) = said.await {
            tracing::debug!(%fault, "the worker cannot say that it is there");
        }
        tokio::select! {
            () = tokio::time::sleep(BEAT) => {}
            _ = news.changed() => {}
        }
    }
}

fn note(connection: &mut Connection<'_>, name: &str, state: &str, mines: bool) -> Result<()> {
    let now = connection.now()?;
    connection.execute(
        "insert into worker (name, seen, state, mines) values ($1, $2, $3, $4) \
         on conflict (name) do update set seen = $2, state = $3, mines = $4",
        &[name.into(), now.into(), state.into(), mines.into()],
    )?;
    connection.execute("delete from worker where seen < $1", &[(now - REMEMBERED).into()])?;
    Ok(())
}
