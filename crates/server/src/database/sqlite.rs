//! SQLite: one connection that writes, so that writers wait in the order in which they come, and a few that read.

use super::waiting::{PATIENCE, repeated, waiting};
use super::{Connection, Fault, Result, migrations};
use rusqlite::OpenFlags;
use rusqlite::config::DbConfig;
use std::fs;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex as StdMutex, PoisonError};
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// The connections that only read.
const READERS: usize = 4;

pub(super) struct Sqlite {
    path: PathBuf,
    writer: Arc<Mutex<rusqlite::Connection>>,
    readers: Readers,
    free: Arc<Semaphore>,
}

type Readers = Arc<StdMutex<Vec<rusqlite::Connection>>>;

/// A connection that only reads, for as long as work has it. It goes back even if the work panics.
struct Reader {
    connection: Option<rusqlite::Connection>,
    readers: Readers,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).extend(self.connection.take());
    }
}

impl Sqlite {
    pub(super) fn open(path: &Path) -> Result<Self> {
        make(path)?;
        let writer = open(path, OpenFlags::default())?;
        let readers: Result<Vec<_>> = (0..READERS).map(|_| open(path, only_read())).collect();
        Ok(Self {
            path: path.to_owned(),
            writer: Arc::new(Mutex::new(writer)),
            readers: Arc::new(StdMutex::new(readers?)),
            free: Arc::new(Semaphore::new(READERS)),
        })
    }

    pub(super) async fn migrate(&self, to: Option<i32>) -> Result<()> {
        let mut writer = self.writer.clone().lock_owned().await;
        waiting(move || {
            let runner = migrations::runner(to, |sql| {
                sql.replace("KEY", "integer primary key autoincrement").replace("BYTES", "blob")
            })?;
            // Another process may do the same at this moment.
            repeated(|| runner.run(&mut *writer).map_err(|error| migrations::fault(&error)))
        })
        .await
        .map(|_| ())
    }

    pub(super) async fn read<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&mut Connection<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let permit = timeout(PATIENCE, self.free.clone().acquire_owned()).await;
        let permit = permit.map_err(|_| Fault::Busy("too many pages at once".to_owned()))?;
        let permit = permit.map_err(|error| Fault::Gone(error.to_string()))?;
        let readers = self.readers.clone();
        waiting(move || {
            let connection = readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let reader = Reader { connection, readers, _permit: permit };
            let connection = reader.connection.as_ref();
            let connection = connection.ok_or_else(|| Fault::Gone("no connection".to_owned()))?;
            work(&mut Connection::sqlite(connection))
        })
        .await
    }

    pub(super) async fn snapshot<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let path = self.path.clone();
        // It may last, so it takes no connection of the pages.
        waiting(move || {
            let connection = open(&path, only_read())?;
            connection.execute_batch("begin")?;
            work(&mut Connection::sqlite(&connection))
        })
        .await
    }

    pub(super) async fn write<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&mut Connection<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let writer = timeout(PATIENCE, self.writer.clone().lock_owned()).await;
        let writer = writer.map_err(|_| Fault::Busy("too many changes at once".to_owned()))?;
        waiting(move || repeated(|| transaction(&writer, &mut work))).await
    }
}

/// An open transaction. It does not outlive the work, even if that panics.
struct Open<'a>(&'a rusqlite::Connection);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        // After some errors, such as a full disk, SQLite has ended the transaction itself.
        if !self.0.is_autocommit()
            && let Err(error) = self.0.execute_batch("rollback")
        {
            tracing::error!(%error, "a transaction cannot be undone");
        }
    }
}

fn transaction<T>(
    writer: &rusqlite::Connection,
    work: &mut impl FnMut(&mut Connection<'_>) -> Result<T>,
) -> Result<T> {
    writer.execute_batch("begin immediate")?;
    let open = Open(writer);
    let done = work(&mut Connection::sqlite(open.0))?;
    writer.execute_batch("commit")?;
    Ok(done)
}

fn only_read() -> OpenFlags {
    OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

/// Makes the file if there is none, for the server's user alone. The files beside it get the same mode from SQLite.
fn make(path: &Path) -> Result<()> {
    let made = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    match made {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
            Err(Fault::Gone(format!("{} cannot be written: {error}", path.display())))
        }
        _ => Ok(()),
    }
}

fn open(path: &Path, flags: OpenFlags) -> Result<rusqlite::Connection> {
    let connection = rusqlite::Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE / 2)?;
    // With `full`, what was acknowledged survives a loss of power.
    connection.execute_batch("pragma foreign_keys = on; pragma synchronous = full;")?;
    if !flags.contains(OpenFlags::SQLITE_OPEN_READ_ONLY) {
        // A second process that opens the file at the same moment has to wait, for which this pragma has no patience.
        let wal = "pragma journal_mode = wal; pragma journal_size_limit = 67108864;";
        repeated(|| Ok(connection.execute_batch(wal)?))?;
    }
    connection.set_prepared_statement_cache_capacity(128);
    // Otherwise, SQLite prepares a statement again for each other value of which an index for some rows may depend.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(connection)
}
