//! SQLite: one connection that writes, so that writers wait in the order in which they come, and a few that read.

use super::{Connection, Fault, Result, migrations};
use rusqlite::OpenFlags;
use std::path::Path;
use std::sync::{Arc, Mutex as StdMutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Mutex, Semaphore};

/// The connections that only read.
const READERS: usize = 4;

/// How long a transaction waits for one of another process.
const PATIENCE: Duration = Duration::from_secs(20);

pub(super) struct Sqlite {
    writer: Arc<Mutex<rusqlite::Connection>>,
    readers: Arc<StdMutex<Vec<rusqlite::Connection>>>,
    free: Arc<Semaphore>,
}

impl Sqlite {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let writer = open(path, OpenFlags::default())?;
        let only_read = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let readers: Result<Vec<_>> = (0..READERS).map(|_| open(path, only_read)).collect();
        Ok(Self {
            writer: Arc::new(Mutex::new(writer)),
            readers: Arc::new(StdMutex::new(readers?)),
            free: Arc::new(Semaphore::new(READERS)),
        })
    }

    pub(super) async fn migrate(&self) -> Result<()> {
        let mut writer = self.writer.clone().lock_owned().await;
        waiting(move || {
            migrations::runner(|sql| {
                sql.replace("KEY", "integer primary key autoincrement").replace("BYTES", "blob")
            })?
            .run(&mut *writer)
            .map(|_| ())
            .map_err(|error| migrations::fault(&error))
        })
        .await
    }

    pub(super) async fn read<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&mut Connection<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let permit = self.free.clone().acquire_owned().await;
        let permit = permit.map_err(|error| Fault::Gone(error.to_string()))?;
        let readers = self.readers.clone();
        waiting(move || {
            let take = || readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let connection = take().ok_or_else(|| Fault::Gone("no connection".to_owned()))?;
            let done = work(&mut Connection::sqlite(&connection));
            readers.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
            drop(permit);
            done
        })
        .await
    }

    pub(super) async fn write<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&mut Connection<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let writer = self.writer.clone().lock_owned().await;
        waiting(move || {
            loop {
                match transaction(&writer, &mut work) {
                    // Another process writes.
                    Err(Fault::Busy(_)) => {}
                    done => return done,
                }
            }
        })
        .await
    }
}

fn transaction<T>(
    writer: &rusqlite::Connection,
    work: &mut impl FnMut(&mut Connection<'_>) -> Result<T>,
) -> Result<T> {
    writer.execute_batch("begin immediate")?;
    let done = work(&mut Connection::sqlite(writer));
    let done = done.and_then(|it| Ok(writer.execute_batch("commit").map(|()| it)?));
    if done.is_err() && !writer.is_autocommit() {
        writer.execute_batch("rollback")?;
    }
    done
}

fn open(path: &Path, flags: OpenFlags) -> Result<rusqlite::Connection> {
    let connection = rusqlite::Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    // With `full`, what was acknowledged survives a loss of power.
    connection.execute_batch("pragma foreign_keys = on; pragma synchronous = full;")?;
    if !flags.contains(OpenFlags::SQLITE_OPEN_READ_ONLY) {
        connection.execute_batch("pragma journal_mode = wal;")?;
    }
    connection.set_prepared_statement_cache_capacity(128);
    Ok(connection)
}

/// Runs what may wait on a thread of its own.
async fn waiting<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(Fault::Broken(error.to_string())))
}
