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
    /// `None` at the end.
    state: watch::Sender<Option<String>>,
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
        let (state, news) = watch::channel(Some("starting".to_owned()));
        let task = tokio::spawn(shine(database.clone(), name.to_owned(), mines, news));
        Self { name: name.to_owned(), database: database.clone(), state, task }
    }

    /// What the worker does now: `starting`, `waiting`, `grading`, `mining`, or what keeps it from working.
    pub(super) fn says(&self, what: &str) {
        self.state.send_if_modified(|state| {
            let what = Some(system::said(what));
            let differs = *state != what;
            *state = what;
            differs
        });
    }

    /// Says that the worker is not there any more, after what it said last has arrived.
    pub(super) async fn ends(mut self) {
        self.state.send_replace(None);
        let (database, name) = (self.database.clone(), self.name.clone());
        let farewell = async {
            let _ = (&mut self.task).await;
            let gone = database.write(move |connection| {
                connection.execute("delete from worker where name = $1", &[(&name).into()])
            });
            gone.await
        };
        // If the database is away, the time of its last sign tells the same.
        let _ = tokio::time::timeout(FAREWELL, farewell).await;
    }
}

async fn shine(
    database: Database,
    name: String,
    mines: impl Fn() -> bool,
    mut news: watch::Receiver<Option<String>>,
) {
    loop {
        let Some(state) = news.borrow_and_update().clone() else { return };
        let (name, mines) = (name.clone(), mines());
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
