//! What goes wrong with a database, by what can be done about it.

use rusqlite::{ErrorCode, ffi};
use std::error::Error;
use std::{fmt, io};

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
    /// The work itself found that it cannot be done, or this program and the database are of different versions. The text is for people.
    Refused(String),
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
            Self::Refused(text) => return f.write_str(text),
        };
        write!(f, "{what}: {detail}")
    }
}

impl Error for Fault {}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        let text = error.to_string();
        let extended = error.sqlite_error().map(|it| it.extended_code);
        match error.sqlite_error_code() {
            Some(ErrorCode::ConstraintViolation)
                if matches!(
                    extended,
                    Some(ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY)
                ) =>
            {
                Self::Unique(text)
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy(text),
            Some(ErrorCode::DiskFull) => Self::Full(text),
            // An index in shared memory that cannot grow has this code too.
            Some(ErrorCode::CannotOpen | ErrorCode::SystemIoFailure) => Self::Gone(text),
            _ => Self::Broken(text),
        }
    }
}

impl From<tokio_postgres::Error> for Fault {
    fn from(error: tokio_postgres::Error) -> Self {
        let detail = error.as_db_error().map(|it| it.message().to_owned());
        let cause = error.source();
        let detail = detail.or_else(|| cause.map(ToString::to_string));
        let text = format!("{error}{}", detail.map(|it| format!(": {it}")).unwrap_or_default());
        let Some(code) = error.code() else {
            // Without a cause, it did not answer as it should. A value or an address that does not fit is another kind of cause.
            let is_connection = cause.is_none_or(<dyn Error>::is::<io::Error>)
                || error.to_string().starts_with("error performing TLS");
            return if is_connection { Self::Gone(text) } else { Self::Broken(text) };
        };
        match code.code() {
            // Two transactions stood in each other's way, or waited too long for a lock.
            "40001" | "40P01" | "55P03" => Self::Busy(text),
            "23505" => Self::Unique(text),
            "53100" => Self::Full(text),
            // A statement that lasted too long, too many connections, no memory, and a database that only reads, after a failover.
            "57014" | "53300" | "53200" | "25006" | "25P03" => Self::Gone(text),
            // 57P: the server is being stopped or started. 08: the connection. 58: its disk fails.
            it if ["57P", "08", "58"].iter().any(|class| it.starts_with(class)) => Self::Gone(text),
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
