//! What goes wrong with a database, by what can be done about it.

use rusqlite::ErrorCode;
use std::fmt;
use tokio_postgres::error::SqlState;

pub type Result<T> = std::result::Result<T, Fault>;

/// Why work with the database failed.
#[derive(Debug)]
pub enum Fault {
    /// There is such a row already.
    Unique(String),
    /// The database was busy, or this transaction stood in the way of another. It can be repeated.
    Busy(String),
    /// The database cannot be reached. A transaction that was being committed may hold or not.
    Gone(String),
    /// The disk of the database is full.
    Full(String),
    /// A mistake in this program, or a database that something else changed.
    Broken(String),
}

impl Fault {
    /// Whether the same work may succeed a moment later.
    pub fn is_passing(&self) -> bool {
        matches!(self, Self::Busy(_) | Self::Gone(_) | Self::Full(_))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, detail) = match self {
            Self::Unique(detail) => ("the database has such a row already", detail),
            Self::Busy(detail) => ("the database is busy", detail),
            Self::Gone(detail) => ("the database cannot be reached", detail),
            Self::Full(detail) => ("the disk of the database is full", detail),
            Self::Broken(detail) => ("the database refused a request", detail),
        };
        write!(f, "{what}: {detail}")
    }
}

impl std::error::Error for Fault {}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        let text = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::ConstraintViolation) => Self::Unique(text),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy(text),
            Some(ErrorCode::DiskFull) => Self::Full(text),
            Some(ErrorCode::CannotOpen | ErrorCode::SystemIoFailure) => Self::Gone(text),
            _ => Self::Broken(text),
        }
    }
}

impl From<tokio_postgres::Error> for Fault {
    fn from(error: tokio_postgres::Error) -> Self {
        let detail = error.as_db_error().map(|it| format!(": {}", it.message()));
        let text = format!("{error}{}", detail.unwrap_or_default());
        let Some(code) = error.code() else { return Self::Gone(text) };
        match code {
            it if *it == SqlState::UNIQUE_VIOLATION => Self::Unique(text),
            it if *it == SqlState::T_R_SERIALIZATION_FAILURE
                || *it == SqlState::T_R_DEADLOCK_DETECTED =>
            {
                Self::Busy(text)
            }
            it if *it == SqlState::DISK_FULL => Self::Full(text),
            // 57P01 to 57P03: the server is being stopped or started. 53300: too many connections. 08: the connection.
            it if it.code().starts_with("57P")
                || it.code().starts_with("08")
                || it.code() == "53300" =>
            {
                Self::Gone(text)
            }
            _ => Self::Broken(text),
        }
    }
}

impl From<deadpool_postgres::PoolError> for Fault {
    fn from(error: deadpool_postgres::PoolError) -> Self {
        match error {
            deadpool_postgres::PoolError::Backend(error) => error.into(),
            other => Self::Gone(other.to_string()),
        }
    }
}
