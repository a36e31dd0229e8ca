//! Work with the database that goes on when the database is away for a while.

use super::stop::Stop;
use crate::database::{Connection, Database, Result};
use std::time::Duration;

/// The pauses between two attempts: the first, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(3));

/// The pause before the next attempt, each twice as long as the one before.
pub(super) struct Pauses(Duration);

impl Pauses {
    pub(super) fn new() -> Self {
        Self(PAUSES.0)
    }

    pub(super) async fn wait(&mut self) {
        tokio::time::sleep(self.0).await;
        self.0 = (self.0 * 2).min(PAUSES.1);
    }
}

/// Runs work in a transaction, again and again while the database is away. None if the worker must end before.
///
/// # Errors
/// Those that do not pass.
pub(super) async fn write<T: Send + 'static>(
    database: &Database,
    stop: &Stop,
    grace: Duration,
    work: impl FnMut(&mut Connection<'_>) -> Result<T> + Clone + Send + 'static,
) -> Result<Option<T>> {
    let mut pauses = Pauses::new();
    let over = stop.is_over(grace);
    tokio::pin!(over);
    loop {
        match database.write(work.clone()).await {
            Err(fault) if fault.is_passing() => tracing::warn!(%fault, "the worker waits"),
            done => return done.map(Some),
        }
        tokio::select! {
            () = pauses.wait() => {}
            () = &mut over => return Ok(None),
        }
    }
}
