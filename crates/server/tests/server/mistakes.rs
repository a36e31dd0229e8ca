//! What is wrong in `serve.yaml`, and on a machine, is told before the server begins: where, and what to do.

use super::support::grading::{cannot_grade, signal};
use super::support::program::{self, Running};
use super::support::{postgres, sums};
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::Stdio;

#[test]
fn a_mistake_in_the_settings_is_told_with_its_place_and_a_remedy() {
    for (serve, place, message) in [
        ("assignments:\n  sum:\n    due: soon\n", "3:10", "`soon` is no date and time"),
        ("assignments: { sum: { opens: 2026-13-01 } }\n", "1:30", "`2026-13-01` is no date"),
        ("assignments:\n  sum:\n    limit: many\n", "3:12", "expected a number of submissions"),
        ("assignments:\n  sum:\n    limit: 101\n", "3:12", "101 is out of range"),
        ("assignments:\n  sum:\n    limit: { usul: 3 }\n", "3:14", "unknown key `usul`"),
        (
            "assignments:\n  sum:\n    limit:\n      usual: 3\n      except: [{ limit: 4, from: may }]\n",
            "5:34",
            "`may` is no date",
        ),
        (
            "assignments:\n  sum:\n    limit: { usual: 3, except: [{ limit: 4, weekdays: [frday] }] }\n",
            "3:56",
            "found `frday`",
        ),
        ("assignments:\n  sum:\n    bonus: -1\n", "3:12", "found `-1`"),
        (
            "assignments:\n  sum:\n    late: { days: 400 }\n",
            "3:11",
            "`late: days` is not between 0 and 365",
        ),
        ("assignments:\n  sum:\n    late: { percent: all }\n", "3:22", "expected a number"),
        (
            "assignments:\n  sum:\n    late: { percent: 101 }\n",
            "3:11",
            "`late: percent` is not between 0 and 100",
        ),
        ("assignments:\n  sum:\n    counts: first\n", "3:13", "found `first`"),
        ("assignments: [sum]\n", "1:14", "expected keys with values"),
        ("mining: { minutes: long }\n", "1:", "minutes"),
        ("time_zone: Detroit\n", "1:12", "there is no time zone `Detroit`"),
        ("workers: all\n", "1:10", "expected a whole number"),
        ("proxy: 1\n", "1:8", "expected `true` or `false`"),
        ("log: xml\n", "1:6", "found `xml`"),
        ("address: localhost\n", "1:10", "localhost is no address"),
        ("url: http://autograder.example.edu\n", "1:6", "is not encrypted"),
        ("database: mysql://harness:secret@db/harness\n", "1:11", "begins with `mysql://`"),
        (
            "database: 'postgres://harness:secret@db/harness?sslmode=prefer'\n",
            "1:11",
            "`sslmode=prefer`",
        ),
        ("assignments:\n  sum:\n    dua: 2026-11-24\n", "3:5", "unknown key `dua`"),
        ("assignments:\n  sum: {\n", "", "error: "),
    ] {
        let course = sums::course(serve);
        let done = program::run(program::serve(course.path(), &["doctor"]));
        assert_eq!(done.status, 2, "{serve}: {}", done.error);
        assert!(done.error.contains(message), "{message} in {}", done.error);
        assert!(done.error.contains(&format!("serve.yaml:{place}")), "{place} in {}", done.error);
        assert!(done.error.contains("\nhint: "), "{}", done.error);
        assert!(
            !done.error.contains("secret") && !done.error.contains("untagged"),
            "{}",
            done.error
        );
    }
}

#[test]
fn settings_that_cannot_be_read_are_told() {
    let course = sums::course("");
    let folder = course.path().to_str().unwrap();
    let done = program::run(program::serve(course.path(), &["doctor", "--config", folder]));
    assert_eq!(done.status, 2, "{}", done.error);
    assert!(done.error.contains("Is a directory\nhint: make it a file of text"), "{}", done.error);
    std::fs::write(course.path().join("serve.yaml"), b"\xff").unwrap();
    let done = program::run(program::serve(course.path(), &[]));
    assert!(done.error.contains("it is not UTF-8\nhint: "), "{}", done.error);
}

#[test]
fn a_folder_for_courses_that_cannot_be_written_is_told_at_once_and_by_the_doctor() {
    let course = sums::course("{ workers: 0, cache: harness.yaml/courses }");
    let done = program::run(program::serve(course.path(), &[]));
    assert_eq!(done.status, 2, "{}", done.error);
    for part in ["courses cannot be unpacked in ", "harness.yaml/courses: ", "\nhint: "] {
        assert!(done.error.contains(part), "{}", done.error);
    }
    assert!(!done.error.contains("os error"), "{}", done.error);
    assert!(!course.path().join("serve.sqlite").exists());
    let done = program::run(program::serve(course.path(), &["doctor"]));
    assert_eq!(done.status, 5, "{}", done.out);
    assert!(done.out.contains("MISSING   room for courses"), "{}", done.out);
    assert!(!done.out.contains("os error"), "{}", done.out);
}

#[test]
fn a_folder_of_earlier_terms_that_is_not_there_is_told() {
    let course = sums::course("{ workers: 0, earlier_terms: earlier }");
    let done = program::run(program::serve(course.path(), &[]));
    assert_eq!(done.status, 2, "{}", done.error);
    assert!(done.error.contains("earlier is no folder\nhint: make it, "), "{}", done.error);
}

#[test]
fn an_error_of_the_system_is_told_without_its_number() {
    let course = sums::course("workers: 0");
    let missing = course.path().join("missing");
    let missing = missing.to_str().unwrap();
    for args in [["students", missing], ["restore", missing]] {
        let done = program::run(program::serve(course.path(), &args));
        assert_eq!(done.status, 2, "{}", done.error);
        assert!(done.error.contains("No such file or directory\nhint: "), "{}", done.error);
    }
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let done = program::run(program::serve(course.path(), &["--address", &address]));
    assert!(done.error.contains("Address already in use\nhint: "), "{}", done.error);
    let away = "postgres://harness@127.0.0.1:1/harness";
    let done = program::run(program::serve(course.path(), &["audit", "--database", away]));
    assert!(done.error.contains("Connection refused\nhint: look whether"), "{}", done.error);
}

/// A server as a process, on a free port.
fn serving(course: &std::path::Path, args: &[&str], path: Option<&str>) -> (Running, String) {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let address = free.to_string();
    let args = [&["--address", &address], args].concat();
    let mut command = program::serve(course, &args);
    if let Some(path) = path {
        command.env("PATH", path);
    }
    command.stderr(Stdio::piped()).stdout(Stdio::null());
    (Running(command.spawn().unwrap()), format!("http://{address}"))
}

/// Waits until a server answers.
fn answers(url: &str) {
    super::support::grading::wait("the server answers", || {
        ureq::get(format!("{url}/health")).call().is_ok_and(|answer| answer.status() == 200)
    });
}

#[test]
fn a_machine_that_cannot_grade_says_so_at_the_start_and_fails_no_job() {
    let course = sums::course("");
    let (mut server, url) = serving(course.path(), &["--workers", "1"], Some("/nowhere"));
    let lines = BufReader::new(server.0.stderr.take().unwrap()).lines().map(Result::unwrap);
    let mut lines = lines.skip_while(|line| !line.starts_with("warning: "));
    let said = lines.next().unwrap();
    assert!(said.contains("submissions wait") && said.contains("there is no `bwrap`"), "{said}");
    let hint = lines.next().unwrap();
    assert!(hint.starts_with("hint: install bubblewrap"), "{hint}");
    answers(&url);
    let mut worker = program::serve(course.path(), &["worker"]);
    let database = course.path().join("serve.sqlite");
    worker.env("PATH", "/nowhere").arg("--database").arg(database);
    let done = program::run(worker);
    assert_eq!(done.status, 5, "{}", done.error);
    assert!(done.error.contains("there is no `bwrap`"), "{}", done.error);
    assert!(done.error.contains("hint: install bubblewrap"), "{}", done.error);
}

#[test]
fn a_machine_that_can_grade_says_nothing_of_it() {
    if cannot_grade() {
        return;
    }
    let course = sums::course("log: text");
    let (mut server, url) = serving(course.path(), &["--workers", "1"], None);
    answers(&url);
    signal(server.0.id(), "-TERM");
    let mut said = String::new();
    std::io::Read::read_to_string(&mut server.0.stderr.take().unwrap(), &mut said).unwrap();
    assert!(!said.contains("warning: "), "{said}");
}

#[test]
fn two_servers_may_begin_at_once_on_one_database() {
    let both = |database: &str| {
        let course = sums::course("workers: 0");
        let start = || serving(course.path(), &["--database", database], None);
        let servers = [start(), start()];
        servers.iter().for_each(|(_, url)| answers(url));
    };
    let folder = tempfile::tempdir().unwrap();
    both(folder.path().join("shared.sqlite").to_str().unwrap());
    if let Some(url) = postgres::fresh() {
        both(&url);
    }
}
