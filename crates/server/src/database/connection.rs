//! A connection, as work sees it. The few places where the databases differ are here.

use super::waiting::PATIENCE;
use super::{Fault, Result, Row, Value};
use futures_util::TryStreamExt;
use rusqlite::types::ValueRef;
use std::future::Future;
use std::pin::pin;
use tokio::runtime::Handle;
use tokio::time::timeout;
use tokio_postgres::types::{ToSql, Type};

/// The most rows that are taken at once, because each may be large.
const MOST_AT_ONCE: usize = 64;

/// A connection, within a transaction if the work writes.
pub struct Connection<'a> {
    kind: Kind<'a>,
}

enum Kind<'a> {
    Sqlite(&'a rusqlite::Connection),
    /// With the runtime on which it waits.
    Postgres(&'a deadpool_postgres::ClientWrapper, &'a Handle),
}

impl<'a> Connection<'a> {
    pub(super) fn sqlite(connection: &'a rusqlite::Connection) -> Self {
        Self { kind: Kind::Sqlite(connection) }
    }

    pub(super) fn postgres(client: &'a deadpool_postgres::ClientWrapper, on: &'a Handle) -> Self {
        Self { kind: Kind::Postgres(client, on) }
    }

    /// The rows of a query. Parameters are `$1`, `$2`, ….
    ///
    /// # Errors
    /// If the database refuses it.
    pub fn query(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<Row>> {
        match &self.kind {
            Kind::Sqlite(_) => {
                let mut all = Vec::new();
                self.each(sql, parameters, |row| {
                    all.push(row);
                    Ok(())
                })?;
                Ok(all)
            }
            Kind::Postgres(client, on) => answered(on, async {
                let statement = client.prepare_cached(sql).await?;
                let rows = client.query(&statement, &references(parameters)).await?;
                rows.iter().map(of_postgres).collect()
            }),
        }
    }

    /// Gives the rows of a query one after the other, so that a table of any size needs the same memory.
    ///
    /// # Errors
    /// If the database refuses it, or `with` fails.
    pub fn each(
        &mut self,
        sql: &str,
        parameters: &[Value],
        mut with: impl FnMut(Row) -> Result<()>,
    ) -> Result<()> {
        match &self.kind {
            Kind::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(sql)?;
                let columns = statement.column_count();
                bind(&mut statement, parameters)?;
                let mut rows = statement.raw_query();
                while let Some(row) = rows.next()? {
                    let values = (0..columns).map(|at| of_sqlite(row.get_ref(at)?));
                    with(Row(values.collect::<Result<_>>()?))?;
                }
            }
            Kind::Postgres(client, on) => {
                let rows = answered(on, async {
                    let statement = client.prepare_cached(sql).await?;
                    Ok(client.query_raw(&statement, references(parameters)).await?)
                })?;
                // Rows that have arrived are not waited for one by one.
                let mut rows = pin!(rows.try_ready_chunks(MOST_AT_ONCE));
                let mut next =
                    || answered(on, async { Ok(rows.try_next().await.map_err(|error| error.1)?) });
                while let Some(rows) = next()? {
                    rows.iter().try_for_each(|row| with(of_postgres(row)?))?;
                }
            }
        }
        Ok(())
    }

    /// The first row of a query, if there is one.
    ///
    /// # Errors
    /// If the database refuses it.
    pub fn first(&mut self, sql: &str, parameters: &[Value]) -> Result<Option<Row>> {
        Ok(self.query(sql, parameters)?.into_iter().next())
    }

    /// Changes rows, and gives their number.
    ///
    /// # Errors
    /// If the database refuses it.
    pub fn execute(&mut self, sql: &str, parameters: &[Value]) -> Result<u64> {
        match &self.kind {
            Kind::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(sql)?;
                bind(&mut statement, parameters)?;
                Ok(statement.raw_execute()? as u64)
            }
            Kind::Postgres(client, on) => answered(on, async {
                let statement = client.prepare_cached(sql).await?;
                Ok(client.execute(&statement, &references(parameters)).await?)
            }),
        }
    }

    /// Inserts a row and gives its `id`. `sql` is an `insert` without `returning`.
    ///
    /// # Errors
    /// If the database refuses it.
    pub fn insert(&mut self, sql: &str, parameters: &[Value]) -> Result<i64> {
        Ok(self.query(&format!("{sql} returning id"), parameters)?[0].int(0))
    }

    /// Milliseconds since 1970 by the clock of the database, which is the only one that counts: several servers share it.
    ///
    /// # Errors
    /// If the database refuses it.
    pub fn now(&mut self) -> Result<i64> {
        let sql = match self.kind {
            Kind::Sqlite(_) => "select cast(unixepoch('subsec') * 1000 as integer)",
            Kind::Postgres(..) => "select (extract(epoch from clock_timestamp()) * 1000)::bigint",
        };
        Ok(self.query(sql, &[])?[0].int(0))
    }

    /// The end of a `select` whose row no other transaction may take: those that are locked are passed over.
    pub fn skip_locked(&self) -> &'static str {
        if self.is_sqlite() { "" } else { "for update skip locked" }
    }

    /// The end of a `select` that waits until no other transaction holds the row, and then holds it. SQLite has one writer at a time.
    pub fn for_update(&self) -> &'static str {
        if self.is_sqlite() { "" } else { "for update" }
    }

    /// Waits until no other transaction holds the lock of this name, and holds it until this transaction ends. What is read afterwards
    /// is what the other one left. SQLite has one writer at a time.
    ///
    /// # Errors
    /// If the database refuses it.
    pub fn hold(&mut self, name: &str) -> Result<()> {
        if !self.is_sqlite() {
            self.execute("select pg_advisory_xact_lock(hashtextextended($1, 0))", &[name.into()])?;
        }
        Ok(())
    }

    /// Waits until no other transaction [holds](Self::hold) the lock of this name, and keeps others from it until this transaction ends.
    /// Any number of transactions share it.
    ///
    /// # Errors
    /// If the database refuses it.
    pub fn share(&mut self, name: &str) -> Result<()> {
        if !self.is_sqlite() {
            let sql = "select pg_advisory_xact_lock_shared(hashtextextended($1, 0))";
            self.execute(sql, &[name.into()])?;
        }
        Ok(())
    }

    /// Begins or ends a transaction.
    pub(super) fn control(&mut self, sql: &str) -> Result<()> {
        match &self.kind {
            Kind::Sqlite(connection) => Ok(connection.execute_batch(sql)?),
            Kind::Postgres(client, on) => {
                answered(on, async { Ok(client.batch_execute(sql).await?) })
            }
        }
    }

    pub(super) fn is_sqlite(&self) -> bool {
        matches!(self.kind, Kind::Sqlite(_))
    }
}

/// Waits for an answer, but not for ever: the database ends statements that last, unless its machine hangs.
fn answered<T>(on: &Handle, answer: impl Future<Output = Result<T>>) -> Result<T> {
    let silence = PATIENCE * 3 / 2;
    let silent = || Fault::Gone(format!("it did not answer for {} seconds", silence.as_secs()));
    on.block_on(async { timeout(silence, answer).await }).unwrap_or_else(|_| Err(silent()))
}

/// Gives a statement its parameters by their names. SQLite itself numbers them by where they stand in the text.
fn bind(statement: &mut rusqlite::Statement<'_>, parameters: &[Value]) -> Result<()> {
    if statement.parameter_count() != parameters.len() {
        return Err(Fault::Broken("a statement has other parameters".to_owned()));
    }
    for (at, value) in parameters.iter().enumerate() {
        let index = statement.parameter_index(&format!("${}", at + 1))?;
        let index = index.ok_or_else(|| Fault::Broken("a parameter is missing".to_owned()))?;
        statement.raw_bind_parameter(index, value)?;
    }
    Ok(())
}

fn references(parameters: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    parameters.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

fn of_sqlite(value: ValueRef<'_>) -> Result<Value> {
    Ok(match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Int(number),
        ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Value::Bytes(bytes.to_vec()),
        ValueRef::Real(_) => return Err(Fault::Broken("a column is no integer".to_owned())),
    })
}

fn of_postgres(row: &tokio_postgres::Row) -> Result<Row> {
    let value = |(at, column): (usize, &tokio_postgres::Column)| {
        Ok(match *column.type_() {
            Type::INT8 => row.try_get::<_, Option<i64>>(at)?.into(),
            Type::INT4 => row.try_get::<_, Option<i32>>(at)?.map(i64::from).into(),
            Type::BYTEA => row.try_get::<_, Option<Vec<u8>>>(at)?.into(),
            _ => row.try_get::<_, Option<String>>(at)?.into(),
        })
    };
    row.columns().iter().enumerate().map(value).collect::<Result<_>>().map(Row)
}
