//! A backup: all tables in one file, which fills an empty database of either kind.
//!
//! The file is gzip around a head, the tables one after the other, and a digest of all that came before. Numbers that were given out are
//! kept, so no number is given twice.

mod format;

use crate::audit;
use crate::database::{Connection, Database, Fault, Result, Value};
use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use format::{Reader, Writer};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};

pub const SCHEMA: &str = "harness-backup/1";

/// What a file begins with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    pub schema: String,
    /// The version of the tables.
    pub version: i32,
    /// When it was made, by the clock of its database.
    pub at: i64,
    /// The version of the program that made it.
    pub program: String,
}

/// A table, before its rows.
#[derive(Debug, Serialize, Deserialize)]
struct Table {
    name: String,
    columns: Vec<String>,
    /// The last number that it gave to a row.
    last: Option<i64>,
}

/// What was saved or restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    pub tables: usize,
    pub rows: u64,
    /// The entries of the audit log, or the first that does not fit to those before it.
    pub audit: std::result::Result<i64, i64>,
    /// The digest of the last entry.
    pub last: String,
}

/// Writes everything that a database holds at this moment. Servers may go on meanwhile.
///
/// # Errors
/// If the database fails, or the file cannot be written.
pub async fn save(database: &Database, file: File) -> Result<Summary> {
    database.snapshot(move |connection| save_all(connection, &file)).await
}

fn save_all(connection: &mut Connection<'_>, file: &File) -> Result<Summary> {
    let gzip = GzEncoder::new(BufWriter::with_capacity(1 << 16, file), Compression::fast());
    let mut out = Writer::new(gzip);
    let head = Head {
        schema: SCHEMA.to_owned(),
        version: i32::try_from(connection.version()?).unwrap_or_default(),
        at: connection.now()?,
        program: env!("CARGO_PKG_VERSION").to_owned(),
    };
    out.json(&head).map_err(|error| unwritten(&error))?;
    let (mut rows, tables) = (0, connection.tables()?);
    for name in &tables {
        let columns = connection.columns(name)?;
        let quoted: Vec<_> = columns.iter().map(|column| format!("\"{column}\"")).collect();
        // In the order of the keys, so that two backups of the same rows are equal.
        let sql = format!("select {} from {name} order by {}", quoted.join(", "), order(&quoted));
        let last = connection.last_number(name)?;
        out.json(&Table { name: (*name).to_owned(), columns, last })
            .map_err(|error| unwritten(&error))?;
        connection.each(&sql, &[], |row| {
            rows += 1;
            out.row(row.values()).map_err(|error| unwritten(&error))
        })?;
        out.end_of_rows().map_err(|error| unwritten(&error))?;
    }
    let (audit, last) = (audit::verify(connection)?, audit::head(connection)?);
    let gzip = out.finish().map_err(|error| unwritten(&error))?;
    gzip.finish()
        .and_then(|mut it| it.flush())
        .and_then(|()| file.sync_all())
        .map_err(|error| unwritten(&error))?;
    Ok(Summary { tables: tables.len(), rows, audit, last })
}

/// The columns that order a table: its number, or its first columns, among which is the key of each table without one.
fn order(columns: &[String]) -> String {
    match columns.iter().find(|column| *column == "\"id\"") {
        Some(id) => id.clone(),
        None => columns.iter().take(4).cloned().collect::<Vec<_>>().join(", "),
    }
}

/// Reads a whole file, and gives its head. So a damaged one touches no database.
///
/// # Errors
/// If it is no backup, or one of a later version, or damaged.
pub fn checked(file: &File) -> Result<Head> {
    let head = opened(file)?.1?;
    format::check(unzipped(file)?).map_err(|error| damaged(&error))?;
    Ok(head)
}

/// What a file holds, from its beginning.
fn unzipped(file: &File) -> Result<impl Read> {
    let mut file = file.try_clone().map_err(|error| unread(&error))?;
    io::Seek::rewind(&mut file).map_err(|error| unread(&error))?;
    Ok(GzDecoder::new(BufReader::with_capacity(1 << 16, file)))
}

fn opened(file: &File) -> Result<(Reader<impl Read>, Result<Head>)> {
    let mut input = Reader::new(unzipped(file)?);
    let no_backup = |_| Fault::Refused("the file is no backup".to_owned());
    let head: Head = input.json().map_err(no_backup)?;
    let head = if head.schema == SCHEMA {
        Ok(head)
    } else {
        Err(Fault::Refused(format!("the backup is of another version: {}", head.schema)))
    };
    Ok((input, head))
}

/// Fills an empty database, whose tables are of the version of the backup. If anything is wrong, it stays empty.
///
/// # Errors
/// If the database is not empty, or the file is damaged.
pub async fn restore(database: &Database, file: File) -> Result<Summary> {
    database.write(move |connection| restore_all(connection, &file)).await
}

fn restore_all(connection: &mut Connection<'_>, file: &File) -> Result<Summary> {
    let (mut input, head) = opened(file)?;
    let head = head?;
    if connection.version()? != i64::from(head.version) {
        let text = format!("the tables are not of version {}, as the backup is", head.version);
        return Err(Fault::Refused(text));
    }
    let tables = connection.tables()?;
    for name in &tables {
        if connection.first(&format!("select 1 from {name} limit 1"), &[])?.is_some() {
            let text = format!("the database is not empty: `{name}` has rows");
            return Err(Fault::Refused(text));
        }
    }
    connection.take_long()?;
    let mut rows = 0;
    for name in &tables {
        let table: Table = input.json().map_err(|error| damaged(&error))?;
        if table.name != *name || connection.columns(name)? != table.columns {
            return Err(Fault::Refused(format!("the backup's table `{}` is unknown", table.name)));
        }
        rows += restore_table(connection, &mut input, &table)?;
    }
    input.finish().map_err(|error| damaged(&error))?;
    let (audit, last) = (audit::verify(connection)?, audit::head(connection)?);
    Ok(Summary { tables: tables.len(), rows, audit, last })
}

fn restore_table(
    connection: &mut Connection<'_>,
    input: &mut Reader<impl Read>,
    table: &Table,
) -> Result<u64> {
    /// How many rows, and how many bytes, one statement inserts.
    const ROWS: usize = 64;
    const BYTES: usize = 4 << 20;
    let (mut rows, mut batch, mut bytes) = (0, Vec::new(), 0);
    while let Some(row) = input.row(table.columns.len()).map_err(|error| damaged(&error))? {
        bytes += row.iter().map(size).sum::<usize>();
        batch.push(row);
        rows += 1;
        if batch.len() == ROWS || bytes > BYTES {
            connection.insert_rows(&table.name, &table.columns, &batch)?;
            (batch, bytes) = (Vec::new(), 0);
        }
    }
    connection.insert_rows(&table.name, &table.columns, &batch)?;
    if let Some(last) = table.last {
        connection.continue_after(&table.name, last)?;
    }
    Ok(rows)
}

fn size(value: &Value) -> usize {
    match value {
        Value::Text(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        Value::Null | Value::Int(_) => 8,
    }
}

fn unwritten(error: &io::Error) -> Fault {
    Fault::Refused(format!("the backup cannot be written: {error}"))
}

fn unread(error: &io::Error) -> Fault {
    Fault::Refused(format!("the backup cannot be read: {error}"))
}

fn damaged(error: &io::Error) -> Fault {
    Fault::Refused(format!("the backup is damaged: {error}"))
}
