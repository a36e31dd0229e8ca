//! `harness serve doctor`.

use super::support::{program, sqlite, sums};
use server::database::Database;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use tokio::runtime::Runtime;

/// The lines about one thing, and the exit status.
fn doctor(serve: &str, prepare: impl Fn(&std::path::Path)) -> (i32, String) {
    let course = sums::course(serve);
    prepare(course.path());
    let done = program::run(program::serve(course.path(), &["doctor"]));
    assert_eq!(done.error, "");
    (done.status, done.out)
}

fn open(folder: &std::path::Path) {
    let address = server::database::Address::Sqlite(folder.join("serve.sqlite"));
    Runtime::new().unwrap().block_on(async { Database::open(&address).await.map(|_| ()) }).unwrap();
}

#[test]
fn a_new_server_on_ones_own_machine_is_healthy() {
    let (status, out) = doctor("{ time_zone: America/Detroit, workers: 0 }", |_| {});
    assert_eq!(status, 0, "{out}");
    for line in [
        "fine      time zone",
        "America/Detroit",
        "is not there yet",
        "Everything required is present",
    ] {
        assert!(out.contains(line), "{line} in {out}");
    }
    let (status, out) = doctor("workers: 0", open);
    assert_eq!(status, 0, "{out}");
    for line in [
        "optional  time zone",
        "fine      clock",
        "only its owner may read",
        "fine      tables",
        "nobody can administrate the server yet",
        "none was seen in the last minute",
        "fine      audit log",
    ] {
        assert!(out.contains(line), "{line} in {out}");
    }
}

#[test]
fn what_keeps_a_server_from_working_is_told_with_its_remedy() {
    let (status, out) = doctor("{ workers: 0, address: 0.0.0.0:8281 }", |folder| {
        open(folder);
        let file = folder.join("serve.sqlite");
        fs::set_permissions(file, fs::Permissions::from_mode(0o644)).unwrap();
    });
    assert_eq!(status, 5, "{out}");
    for line in ["browsers keep no session", "MISSING   database file", "chmod 600"] {
        assert!(out.contains(line), "{line} in {out}");
    }
    let text = "{ workers: 0, database: 'postgres://harness:secret@127.0.0.1:1/harness', url: 'https://127.0.0.1:1' }";
    let (status, out) = doctor(text, |folder| {
        let file = folder.join("serve.yaml");
        fs::set_permissions(file, fs::Permissions::from_mode(0o644)).unwrap();
    });
    assert_eq!(status, 5, "{out}");
    for line in
        ["MISSING   database", "cannot be reached", "MISSING   serve.yaml", "optional  proxy"]
    {
        assert!(out.contains(line), "{line} in {out}");
    }
    assert!(!out.contains("secret@"), "{out}");
}

#[test]
fn a_machine_that_grades_needs_what_the_course_needs() {
    let (_, out) = doctor("workers: 1", |_| {});
    for line in ["containment", "reference of sum"] {
        assert!(out.contains(line), "{line} in {out}");
    }
}

#[test]
fn rules_of_what_nobody_can_hand_in_are_told() {
    let (status, out) = doctor("{ workers: 0, assignments: { summ: { limit: 4 } } }", |_| {});
    assert_eq!(status, 0, "{out}");
    assert!(
        out.contains("serve.yaml has rules of `summ`, which the course does not have"),
        "{out}"
    );
    let rubrics =
        "{ assignments: { sum: { rubrics: { style: { most: 5 }, text: { most: 2 } } } } }";
    let (_, out) = doctor(rubrics, |folder| {
        let file = folder.join("harness.yaml");
        let text = fs::read_to_string(&file).unwrap();
        let text = text.replace("leaks: 0 }", "leaks: 0, by_hand: { style: 4, essay: 3 } }");
        fs::write(&file, text).unwrap();
    });
    for told in [
        "the rubric for `style` of `sum` has 5 points, and the part has 4 points in the course file",
        "the rubric for `text` of `sum` has 2 points, and the part is not in the course file",
        "the part `essay` of `sum` has no rubric, so nobody can grade it here",
        "write `essay: { most: 3 }` in `rubrics` of sum in serve.yaml",
    ] {
        assert!(out.contains(told), "{told}: {out}");
    }
    let (_, out) = doctor("workers: 0", |folder| {
        let file = folder.join("harness.yaml");
        let text = fs::read_to_string(&file).unwrap();
        let end = text.find("    submission:").unwrap();
        fs::write(&file, &text[..end]).unwrap();
    });
    assert!(out.contains("no assignment has a `submission:`"), "{out}");
}

#[test]
fn a_server_that_nobody_could_use_does_not_start_and_makes_no_database() {
    for (serve, message) in [
        ("url: http://autograder.example.edu", "is not encrypted"),
        ("url: https://autograder.example.edu/eecs", "has a path"),
        ("url: autograder.example.edu", "is not what browsers call a server"),
        ("address: localhost", "localhost is no address of this machine"),
        ("database: mysql://harness:secret@db/harness", "begins with `mysql://`"),
    ] {
        let course = sums::course(serve);
        let done = program::run(program::serve(course.path(), &[]));
        assert_eq!(done.status, 2, "{serve}: {}", done.error);
        assert!(done.error.contains(message), "{serve}: {}", done.error);
        assert!(!done.error.contains("secret"), "{}", done.error);
        assert!(!course.path().join("serve.sqlite").exists(), "{serve}");
    }
    let folder = tempfile::tempdir().unwrap();
    let done = program::run(program::serve(folder.path(), &[]));
    assert_eq!(done.status, 2, "{}", done.error);
    assert!(done.error.contains("there is no course file"), "{}", done.error);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn the_file_of_the_database_is_for_its_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let database = Runtime::new().unwrap().block_on(Database::open(&sqlite(&folder))).unwrap();
    for entry in fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}", entry.path().display());
    }
    drop(database);
}
