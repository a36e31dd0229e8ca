//! A backup, and what is restored from it.

use super::support::grading::{cannot_grade, options, wait};
use super::support::site::Site;
use super::support::{postgres, program, sqlite, sums};
use server::audit::{self, Entry};
use server::database::{Address, Connection, Database, Result, Value};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tokio::runtime::Runtime;

/// Rows with everything that a row can hold.
fn fill(connection: &mut Connection<'_>) -> Result<()> {
    let course = "insert into course (digest, bytes, title, at) values ('c1', $1, 'Course', 7)";
    connection.execute(course, &[vec![0, 255, 10].into()])?;
    for login in ["ann", "bö\u{1f600}", "removed"] {
        let sql = "insert into person (login, name, role, created) values ($1, 'Quote '' and\n line', 'student', 1)";
        connection.insert(sql, &[login.into()])?;
    }
    connection.execute("delete from person where login = 'removed'", &[])?;
    for at in 0..300_i64 {
        let digest = format!("a{at}");
        let sql = "insert into archive (digest, bytes) values ($1, $2)";
        connection.execute(sql, &[(&digest).into(), vec![at as u8; 20_000].into()])?;
        let sql = "insert into submission (person, assignment, at, day, slot, feedback, archive, file_name, request) \
            values (1, 'sum', $1, $2, $3, 'normal', $4, '', $4)";
        let slot = (at % 2 == 0).then_some(1_i64);
        let submission = connection
            .insert(sql, &[at.into(), format!("day {at}").into(), slot.into(), (&digest).into()])?;
        server::queue::put_live(connection, submission, 1, "c1")?;
    }
    let entry = Entry { person: Some(1), action: "try", object: "it", reason: "why not" };
    audit::add(connection, &entry, "before", "after")
}

/// All rows of all tables.
async fn rows(database: &Database) -> Vec<(String, Vec<Vec<Value>>)> {
    let all = database.read(|connection| {
        let mut all = Vec::new();
        for table in connection.tables()? {
            let columns = connection.columns(table)?.join(", ");
            let mut rows = Vec::new();
            connection.each(&format!("select {columns} from {table}"), &[], |row| {
                rows.push(row.values().to_vec());
                Ok(())
            })?;
            rows.sort_by_cached_key(|row| format!("{row:?}"));
            all.push((table.to_owned(), rows));
        }
        Ok(all)
    });
    all.await.unwrap()
}

fn named(address: &Address) -> String {
    match address {
        Address::Sqlite(path) => path.display().to_string(),
        Address::Postgres(url) => url.clone(),
    }
}

fn command(course: &Path, what: &str, file: &Path, database: &Address) -> program::Done {
    let args = [what, file.to_str().unwrap(), "--database", &named(database)];
    program::run(program::serve(course, &args))
}

/// Saves a database, restores it in another one, and requires that all rows are equal and that the numbers go on.
fn there(from: &Address, to: &Address) {
    let course = sums::course("{}");
    let file = course.path().join("today.backup");
    let runtime = Runtime::new().unwrap();
    let before = runtime.block_on(async {
        let database = Database::open(from).await.unwrap();
        database.write(fill).await.unwrap();
        rows(&database).await
    });
    let saved = command(course.path(), "backup", &file, from);
    assert_eq!((saved.status, saved.error.as_str()), (0, ""));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let again = command(course.path(), "backup", &file, from);
    assert_eq!(again.status, 2, "{}", again.error);
    assert!(again.error.contains("exists already"), "{}", again.error);

    let restored = command(course.path(), "restore", &file, to);
    assert_eq!((restored.status, restored.error.as_str()), (0, ""), "{}", restored.out);
    let twice = command(course.path(), "restore", &file, to);
    assert_eq!(twice.status, 2);
    assert!(twice.error.contains("is not empty"), "{}", twice.error);
    runtime.block_on(async {
        let database = Database::open(to).await.unwrap();
        assert!(before == rows(&database).await, "the rows differ");
        let next = database.write(|connection| {
            let sql =
                "insert into person (login, name, role, created) values ('next', '', 'student', 1)";
            connection.insert(sql, &[])
        });
        assert_eq!(
            next.await.unwrap(),
            4,
            "the number of a person who was removed is not given again"
        );
        let entry = database.write(|connection| {
            let entry = Entry { person: None, action: "go on", object: "", reason: "" };
            audit::add(connection, &entry, 0, 1)?;
            audit::verify(connection)
        });
        assert_eq!(entry.await.unwrap(), Ok(2));
    });
}

#[test]
fn what_is_restored_equals_what_was_saved_in_either_database() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| Address::Sqlite(folder.path().join(name));
    there(&file("a"), &file("b"));
    let fresh = || postgres::fresh().map(Address::Postgres);
    let (Some(first), Some(second), Some(third)) = (fresh(), fresh(), fresh()) else { return };
    there(&file("c"), &first);
    there(&second, &third);
    there(&fresh().unwrap(), &file("d"));
}

/// How many files in a folder have names that begin so.
fn made(folder: &tempfile::TempDir, name: &str) -> usize {
    let names = fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name());
    names.filter(|it| it.to_str().unwrap().starts_with(name)).count()
}

/// A whole backup whose tables are of a version that there never was.
fn of_no_version(file: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut zipped = flate2::read::GzDecoder::new(fs::File::open(file).unwrap());
    zipped.read_to_end(&mut bytes).unwrap();
    let key = b"\"version\":";
    let at = bytes.windows(key.len()).position(|part| part == key).unwrap() + key.len();
    bytes[at] = b'0';
    bytes.truncate(bytes.len() - 32);
    let digest = Sha256::digest(&bytes);
    bytes.extend_from_slice(&digest);
    let mut zip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    zip.write_all(&bytes).unwrap();
    zip.finish().unwrap()
}

#[test]
fn a_damaged_backup_restores_nothing_and_a_changed_log_is_told() {
    let course = sums::course("{}");
    let folder = tempfile::tempdir().unwrap();
    let from = sqlite(&folder);
    let runtime = Runtime::new().unwrap();
    runtime.block_on(async {
        let database = Database::open(&from).await.unwrap();
        database.write(fill).await.unwrap();
    });
    let file = folder.path().join("whole");
    assert_eq!(command(course.path(), "backup", &file, &from).status, 0);
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    // One bit might be one that no value needs.
    bytes[middle..middle + 32].fill(0x55);
    let damaged = folder.path().join("damaged");
    let new = Address::Sqlite(folder.path().join("new"));
    for bytes in [&bytes[..], &bytes[..middle], &b"no backup at all"[..], &[]] {
        fs::write(&damaged, bytes).unwrap();
        let refused = command(course.path(), "restore", &damaged, &new);
        assert_eq!(refused.status, 2, "{}", refused.error);
        assert_eq!(made(&folder, "new"), 0, "a restore that failed leaves nothing");
    }
    fs::write(&damaged, of_no_version(&file)).unwrap();
    let refused = command(course.path(), "restore", &damaged, &new);
    assert_eq!((refused.status, made(&folder, "new")), (2, 0), "{}", refused.error);
    assert_eq!(command(course.path(), "restore", &file, &new).status, 0, "nothing was restored");
    runtime.block_on(async {
        let database = Database::open(&from).await.unwrap();
        let sql = "update audit set reason = 'another'";
        database.write(move |connection| connection.execute(sql, &[])).await.unwrap();
    });
    let told = command(course.path(), "backup", &folder.path().join("changed"), &from);
    assert_eq!(told.status, 1);
    assert!(told.error.contains("the audit log was changed: entry 1"), "{}", told.error);
}

#[test]
fn a_backup_is_of_one_moment_while_the_server_takes_submissions() {
    super::support::on_both(async |database| {
        database.write(fill).await.unwrap();
        let writer = database.clone();
        let writes = tokio::spawn(async move {
            for at in 0..60_i64 {
                let both = writer.write(move |connection| {
                    let digest = format!("new {at}");
                    let sql = "insert into archive (digest, bytes) values ($1, $2)";
                    connection.execute(sql, &[(&digest).into(), vec![0].into()])?;
                    let sql = "insert into failed_sign_in (who, at) values ($1, 0)";
                    connection.execute(sql, &[digest.into()])
                });
                both.await.unwrap();
            }
        });
        let folder = tempfile::tempdir().unwrap();
        for at in 0..5 {
            let path = folder.path().join(format!("{at}"));
            server::backup::save(&database, fs::File::create(&path).unwrap()).await.unwrap();
            let address = Address::Sqlite(folder.path().join(format!("copy {at}")));
            let copy = Database::open(&address).await.unwrap();
            server::backup::restore(&copy, fs::File::open(&path).unwrap()).await.unwrap();
            let counts = copy.read(|connection| {
                let mut count = |sql| -> Result<i64> { Ok(connection.query(sql, &[])?[0].int(0)) };
                Ok((
                    count("select count(*) - 300 from archive")?,
                    count("select count(*) from failed_sign_in")?,
                ))
            });
            let (archives, notes) = counts.await.unwrap();
            assert_eq!(archives, notes);
        }
        writes.await.unwrap();
    });
}

#[test]
fn a_submission_that_was_restored_is_graded_again_with_the_same_record() {
    if cannot_grade() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let from = Site::new(&sqlite(&folder), "");
    let working = from.workers(&options());
    let ann = from.student();
    let submission = from.hand_in(&ann, sums::right());
    let before = from.record(submission);
    drop(working);
    let file = folder.path().join("today.backup");
    assert_eq!(command(from.course.path(), "backup", &file, &sqlite(&folder)).status, 0);

    let to = postgres::fresh()
        .map_or_else(|| Address::Sqlite(folder.path().join("new")), Address::Postgres);
    assert_eq!(command(from.course.path(), "restore", &file, &to).status, 0);
    let restored = Site::new(&to, "");
    assert_eq!(restored.record(submission), before);
    restored.write(move |connection| {
        let course = server::courses::in_force(connection)?.expect("it was restored");
        let class = server::queue::Class::ByHand;
        server::queue::put(connection, submission, ann.id, &course, class, None)
    });
    let _working = restored.workers(&options());
    wait("it is graded again", || restored.number("select count(*) from result") == 2);
    let records = restored.write(|connection| {
        let rows = connection.query("select record from result order by job", &[])?;
        Ok(rows.iter().map(|row| row.text(0)).collect::<Vec<_>>())
    });
    let [first, second] = [0, 1].map(|at| without_times(&records[at]));
    assert_eq!(first, second);
}

fn without_times(record: &str) -> harness::result::record::Record {
    let mut record: harness::result::record::Record = serde_json::from_str(record).unwrap();
    let groups = record.report.groups.iter_mut();
    groups.flat_map(|group| &mut group.cases).for_each(|case| case.measures = None);
    record
}
