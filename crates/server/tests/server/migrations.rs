//! A database of any version that was released is brought to today's, and one of a later version is refused.
//!
//! `migrations/N.sql` holds the rows of a database of version N, and is added when the version is released. It never changes.

use super::support::{on_both, postgres, sqlite};
use server::database::{Address, Connection, Database, Result, VERSION};
use std::fs;
use std::path::Path;
use tokio::runtime::Runtime;

/// The rows of each released version.
fn released() -> Vec<(i32, Vec<String>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/server/migrations");
    let mut all: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let version = path.file_stem().unwrap().to_str().unwrap().parse().unwrap();
            let text = fs::read_to_string(&path).unwrap();
            let statements = text.split(";\n").map(str::trim).filter(|it| !it.is_empty());
            (version, statements.map(str::to_owned).collect())
        })
        .collect();
    all.sort();
    all
}

fn each_kind(test: impl Fn(Address)) {
    let folder = tempfile::tempdir().unwrap();
    test(sqlite(&folder));
    if let Some(url) = postgres::fresh() {
        test(Address::Postgres(url));
    }
}

fn execute(connection: &mut Connection<'_>, all: &[String]) -> Result<()> {
    for sql in all {
        connection.execute(sql, &[])?;
    }
    Ok(())
}

#[test]
fn a_database_of_each_released_version_is_brought_to_this_one_with_its_rows() {
    let released = released();
    assert_eq!(
        released.iter().map(|(version, _)| *version).collect::<Vec<_>>(),
        (1..=VERSION).collect::<Vec<_>>()
    );
    for (version, rows) in released {
        each_kind(|address| {
            let rows = rows.clone();
            Runtime::new().unwrap().block_on(async {
                let old = Database::open_at(&address, Some(version)).await.unwrap();
                old.write(move |connection| execute(connection, &rows)).await.unwrap();
                drop(old);
                let database = Database::open(&address).await.unwrap();
                let known = database.read(|connection| {
                    let sql = "select submission.id, person.login, result.points from submission \
                        join person on person.id = submission.person \
                        join result on result.submission = submission.id";
                    let rows = connection.query(sql, &[])?;
                    let first = (rows[0].int(0), rows[0].text(1), rows[0].int(2));
                    Ok((
                        connection.version()?,
                        rows.len(),
                        first,
                        server::audit::verify(connection)?,
                        server::receipts::verify(connection)?,
                    ))
                });
                // The receipt was made and signed by other programs.
                let receipts = Ok(i64::from(version >= 3));
                let first = (1, "ann".to_owned(), 9_000);
                let expected = (i64::from(VERSION), 1, first, Ok(0), receipts);
                assert_eq!(known.await.unwrap(), expected, "from version {version}");
            });
        });
    }
}

#[test]
fn every_table_is_made_by_a_migration_and_saved_in_backups_but_those_of_private_keys() {
    on_both(async |database| {
        let is_sqlite = database.is_sqlite();
        let names = database.read(move |connection| {
            let sql = if is_sqlite {
                "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"
            } else {
                "select tablename::text from pg_tables where schemaname = 'public'"
            };
            let mut all: Vec<_> =
                connection.query(sql, &[])?.iter().map(|row| row.text(0)).collect();
            let kept = ["refinery_schema_history", "receipt_secret", "lti_secret"];
            all.retain(|name| !kept.contains(&name.as_str()));
            let mut saved: Vec<_> = connection.tables()?.into_iter().map(str::to_owned).collect();
            all.sort();
            saved.sort();
            Ok((all, saved))
        });
        let (all, saved) = names.await.unwrap();
        assert_eq!(all, saved);
    });
}

#[test]
fn a_database_of_a_later_version_is_refused_in_words() {
    each_kind(|address| {
        Runtime::new().unwrap().block_on(async {
            let database = Database::open(&address).await.unwrap();
            let later = database.write(|connection| {
                let sql = "insert into refinery_schema_history (version, name, applied_on, checksum) \
                    values (999, 'later', '2030-01-01T00:00:00Z', '1')";
                connection.execute(sql, &[])
            });
            later.await.unwrap();
            let refused = Database::open(&address).await.map(|_| ()).unwrap_err().to_string();
            assert!(refused.contains("is of a later version: its tables are of version 999"), "{refused}");
        });
    });
}

#[test]
fn servers_that_start_at_once_make_the_tables_once() {
    each_kind(|address| {
        Runtime::new().unwrap().block_on(async {
            let all: Vec<_> = (0..8)
                .map(|_| {
                    let address = address.clone();
                    tokio::spawn(async move { Database::open(&address).await.map(|_| ()) })
                })
                .collect();
            for one in all {
                one.await.unwrap().unwrap_or_else(|fault| panic!("{fault}"));
            }
            let database = Database::open(&address).await.unwrap();
            let version = database
                .read(|connection: &mut Connection<'_>| connection.version())
                .await
                .unwrap();
            assert_eq!(version, i64::from(VERSION));
        });
    });
}
