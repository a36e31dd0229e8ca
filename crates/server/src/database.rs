//! The database: SQLite or PostgreSQL, with one SQL text and one path through the code.
//!
//! Only this module knows which of them it is. Work is a closure over a [`Connection`]: [`Database::write`] runs it in a transaction and
//! repeats it if the database asks for that, so it may run more than once. It runs on a thread that may wait.

mod address;
mod connection;
mod copied;
mod encryption;
mod fault;
mod migrations;
mod postgres;
mod sqlite;
mod value;
mod waiting;

pub use address::{Address, Mistake};
pub use connection::Connection;
pub use encryption::Encryption;
pub use fault::{Fault, Result};
pub use migrations::VERSION;
pub use value::{Row, Value};

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A database with its connections. A clone is the same one.
#[derive(Clone)]
pub struct Database {
    kind: Kind,
    /// How often it failed.
    faults: Arc<AtomicU64>,
}

#[derive(Clone)]
enum Kind {
    Sqlite(Arc<sqlite::Sqlite>),
    Postgres(Arc<postgres::Postgres>),
}

impl Database {
    /// Opens the database, makes a file of SQLite if there is none, and brings its tables to this version.
    ///
    /// # Errors
    /// If it cannot be reached, or is of a later version.
    pub async fn open(address: &Address) -> Result<Self> {
        Self::open_at(address, None).await
    }

    /// Opens the database, and brings its tables to a version that may be older than this program's.
    ///
    /// # Errors
    /// If it cannot be reached, or is of a later version than this program.
    pub async fn open_at(address: &Address, version: Option<i32>) -> Result<Self> {
        let kind = match address {
            Address::Sqlite(path) => Kind::Sqlite(Arc::new(sqlite::Sqlite::open(path)?)),
            Address::Postgres(url) => Kind::Postgres(Arc::new(postgres::Postgres::new(url)?)),
        };
        match &kind {
            Kind::Sqlite(sqlite) => sqlite.migrate(version).await?,
            Kind::Postgres(postgres) => postgres.migrate(version).await?,
        }
        Ok(Self { kind, faults: Arc::default() })
    }

    /// How often work failed because of the database, since it was opened.
    pub fn faults(&self) -> u64 {
        self.faults.load(Ordering::Relaxed)
    }

    fn counted<T>(&self, done: Result<T>) -> Result<T> {
        if matches!(&done, Err(fault) if !matches!(fault, Fault::Unique(_) | Fault::Refused(_))) {
            self.faults.fetch_add(1, Ordering::Relaxed);
        }
        done
    }

    /// Runs work that reads the database as it is at one moment, however long it takes.
    ///
    /// # Errors
    /// Those of the work, and those of the database.
    pub async fn snapshot<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.counted(match &self.kind {
            Kind::Sqlite(sqlite) => sqlite.snapshot(work).await,
            Kind::Postgres(postgres) => postgres.snapshot(work).await,
        })
    }

    pub fn is_sqlite(&self) -> bool {
        matches!(self.kind, Kind::Sqlite(_))
    }

    /// Runs work that only reads. If a connection was lost, it runs again.
    ///
    /// # Errors
    /// Those of the work, and those of the database.
    pub async fn read<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut Connection<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let work = erased(work);
        let done = match &self.kind {
            Kind::Sqlite(sqlite) => sqlite.read(work).await,
            Kind::Postgres(postgres) => postgres.read(work).await,
        };
        self.counted(done).map(of)
    }

    /// Runs work in a transaction, which holds all of it or nothing. If the database was busy, it runs again.
    ///
    /// # Errors
    /// Those of the work, and those of the database. After [`Fault::Gone`], nobody knows whether the transaction holds.
    pub async fn write<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut Connection<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let work = erased(work);
        let done = match &self.kind {
            Kind::Sqlite(sqlite) => sqlite.write(work).await,
            Kind::Postgres(postgres) => postgres.write(work).await,
        };
        self.counted(done).map(of)
    }
}

/// What work returns, as something of any type.
type Returned = Box<dyn Any + Send>;

type Work = Box<dyn FnMut(&mut Connection<'_>) -> Result<Returned> + Send>;

/// Work whose type is forgotten, so that what runs it is compiled once and not for each piece of work.
fn erased<T: Send + 'static>(
    mut work: impl FnMut(&mut Connection<'_>) -> Result<T> + Send + 'static,
) -> Work {
    Box::new(move |connection| Ok(Box::new(work(connection)?)))
}

fn of<T: 'static>(returned: Returned) -> T {
    *returned.downcast().expect("it is what the work returns")
}
