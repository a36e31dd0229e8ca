//! A database that fails: what was acknowledged holds, no request waits for ever, and the server recovers by itself.

use super::support::{on_both, postgres};
use server::database::{Address, Connection, Database, Fault, Result};
use std::process::Command;
use std::time::{Duration, Instant};

async fn count(database: &Database) -> Result<i64> {
    let sql = "select count(*) from failed_sign_in";
    database.read(move |connection| Ok(connection.query(sql, &[])?[0].int(0))).await
}

fn note(connection: &mut Connection<'_>) -> Result<()> {
    let sql = "insert into failed_sign_in (who, at) values ('ann', 0)";
    connection.execute(sql, &[]).map(|_| ())
}

#[test]
fn work_that_panics_or_fails_leaves_nothing_behind() {
    on_both(async |database| {
        // More often than there are connections.
        for _ in 0..20 {
            let panicked = database.write(|connection| {
                note(connection)?;
                assert!(connection.tables()?.is_empty(), "this is the panic");
                Ok(())
            });
            assert!(panicked.await.is_err());
            let failed = database.write(|connection| {
                note(connection)?;
                Err::<(), _>(Fault::Refused("no".to_owned()))
            });
            assert!(matches!(failed.await, Err(Fault::Refused(_))));
            let panicked =
                database.read(|connection| Ok(connection.query("select 'a'", &[])?[0].int(0)));
            assert!(panicked.await.is_err());
        }
        database.write(note).await.unwrap();
        assert_eq!(count(&database).await.unwrap(), 1);
    });
}

#[test]
fn work_that_stood_in_the_way_is_repeated_with_pauses_and_given_up_in_the_end() {
    on_both(async |database| {
        let mut tries = 0;
        let repeated = database.write(move |_| {
            tries += 1;
            if tries < 5 { Err(Fault::Busy("another".to_owned())) } else { Ok(tries) }
        });
        assert_eq!(repeated.await.unwrap(), 5);
        let began = Instant::now();
        let tries = std::sync::Arc::new(std::sync::atomic::AtomicU32::new(0));
        let counted = tries.clone();
        let given_up = database.write(move |_| {
            counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            Err::<(), _>(Fault::Busy("always".to_owned()))
        });
        assert!(matches!(given_up.await, Err(Fault::Busy(_))));
        assert!(began.elapsed() < Duration::from_mins(1));
        assert!(tries.load(std::sync::atomic::Ordering::Relaxed) < 2_000, "{tries:?} tries");
    });
}

#[test]
fn only_rows_that_are_there_already_count_as_such() {
    on_both(async |database| {
        let twice = database.write(|connection| {
            let sql = "insert into course (digest, bytes, title, at) values ('a', $1, '', 0)";
            connection.execute(sql, &[vec![0].into()])?;
            connection.execute(sql, &[vec![0].into()])
        });
        assert!(matches!(twice.await, Err(Fault::Unique(_))));
        let wrong = database.write(|connection| {
            let sql =
                "insert into person (login, name, role, created) values ('a', 'a', 'king', 0)";
            connection.execute(sql, &[])
        });
        assert!(matches!(wrong.await, Err(Fault::Broken(_))));
    });
}

#[test]
fn a_database_that_was_killed_is_back_without_a_new_start_of_the_server() {
    let Some(postgres) = postgres::Server::start() else { return };
    let address = Address::Postgres(postgres.database("one"));
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let database = Database::open(&address).await.unwrap();
        // As many connections as there may be.
        let many: Vec<_> = (0..16)
            .map(|_| {
                let database = database.clone();
                tokio::spawn(async move { database.write(note).await })
            })
            .collect();
        for one in many {
            one.await.unwrap().unwrap();
        }
        postgres.kill();
        let began = Instant::now();
        let away = database.write(note).await.unwrap_err();
        assert!(away.is_passing() && began.elapsed() < Duration::from_mins(1), "{away}");
        postgres.up();
        // The connections of the pool are all dead, which costs nobody an answer.
        database.write(note).await.unwrap();
        assert_eq!(count(&database).await.unwrap(), 17);
    });
}

#[test]
fn a_database_that_is_silent_holds_no_request_for_ever() {
    let Some(postgres) = postgres::Server::start() else { return };
    let address = Address::Postgres(postgres.database("one"));
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let database = Database::open(&address).await.unwrap();
        database.write(note).await.unwrap();
        postgres.signal("STOP");
        let began = Instant::now();
        let many: Vec<_> = (0..40)
            .map(|_| {
                let database = database.clone();
                tokio::spawn(async move { database.write(note).await })
            })
            .collect();
        for one in many {
            let silent = one.await.unwrap().unwrap_err();
            assert!(silent.is_passing(), "{silent}");
        }
        assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
        postgres.signal("CONT");
        let mut known = count(&database).await;
        while known.is_err() && began.elapsed() < Duration::from_mins(1) {
            tokio::time::sleep(Duration::from_millis(200)).await;
            known = count(&database).await;
        }
        // Nobody knows of the others whether they hold.
        assert!((1..=41).contains(&known.unwrap()));
    });
}

/// Set in the process that has a small disk.
const SMALL_DISK: &str = "HARNESS_TEST_SMALL_DISK";

#[test]
fn a_full_disk_loses_nothing_that_was_acknowledged() {
    if let Some(folder) = std::env::var_os(SMALL_DISK) {
        return on_a_small_disk(&std::path::PathBuf::from(folder));
    }
    let folder = tempfile::tempdir().unwrap();
    // A disk of its own needs root, or a user namespace.
    let script = "mount -t tmpfs -o size=4m tmpfs \"$1\" || exit 99; shift; exec \"$@\"";
    let mut command = Command::new("unshare");
    command.args([
        "--map-root-user",
        "--mount",
        "--propagation",
        "private",
        "sh",
        "-c",
        script,
        "sh",
    ]);
    command.arg(folder.path()).arg(std::env::current_exe().unwrap());
    command.args(["--exact", "faults::a_full_disk_loses_nothing_that_was_acknowledged"]);
    let output = command.env(SMALL_DISK, folder.path()).output();
    let Ok(output) = output.inspect_err(|error| eprintln!("skipped: {error}")) else { return };
    if output.status.code() == Some(99)
        || String::from_utf8_lossy(&output.stderr).contains("unshare")
    {
        assert!(std::env::var_os("CI").is_none(), "no disk can be mounted");
        eprintln!("skipped: {}", String::from_utf8_lossy(&output.stderr));
        return;
    }
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

fn on_a_small_disk(folder: &std::path::Path) {
    let address = Address::Sqlite(folder.join("serve.sqlite"));
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let database = Database::open(&address).await.unwrap();
        let add = |at: i64| {
            database.write(move |connection| {
                let sql = "insert into archive (digest, bytes) values ($1, $2)";
                connection.execute(sql, &[at.to_string().into(), vec![at as u8; 100_000].into()])
            })
        };
        let mut acknowledged = 0;
        let full = loop {
            match add(acknowledged).await {
                Ok(_) => acknowledged += 1,
                Err(fault) => break fault,
            }
        };
        assert!(full.is_passing() && acknowledged > 5, "{full} after {acknowledged}");
        let known = |connection: &mut Connection<'_>| {
            Ok(connection.query("select count(*) from archive", &[])?[0].int(0))
        };
        assert_eq!(database.read(known).await.unwrap(), acknowledged, "pages can be read");
        // Somebody makes room.
        let mut command = Command::new("mount");
        assert!(command.args(["-o", "remount,size=64m"]).arg(folder).status().unwrap().success());
        add(acknowledged).await.unwrap();
        drop(database);
        let again = Database::open(&address).await.unwrap();
        assert_eq!(again.read(known).await.unwrap(), acknowledged + 1);
    });
}
