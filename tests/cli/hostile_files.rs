//! Hostile files in a student's folder. Each is reported, and affects no other result.

use super::run::NO_VALID_TEST;
use super::{folder, harness, path};
use harness::result::Status;
use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::time::{Duration, Instant};

const VALID: &[u8] = b"1 1 3\n@.?\n";

#[test]
fn every_bad_file_is_reported_quickly_and_affects_no_other_result() {
    let suite = folder(&[
        ("test-1-ql.txt", VALID),
        ("test-2-ql.txt", b"\x7fELF\x00\x01\x02"),
        ("test-3-ql.txt", b""),
        ("test-5-ql.txt/inside.txt", VALID),
        ("test-10-sm.txt", VALID),
        ("test-11-q1.txt", VALID),
        ("README.md", b"notes"),
    ]);
    let at = |name: &str| suite.path().join(name);
    File::create(at("test-4-ql.txt")).unwrap().set_len(1 << 30).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, at("test-6-ql.txt"), rustix::fs::Mode::RWXU).unwrap();
    symlink("nowhere", at("test-7-ql.txt")).unwrap();
    symlink("/etc/passwd", at("test-8-ql.txt")).unwrap();
    std::fs::write(suite.path().join(OsStr::from_bytes(b"test-\xff-ql.txt")), VALID).unwrap();
    std::fs::write(at("test-9-\u{1b}[31mql.txt"), VALID).unwrap();

    let start = Instant::now();
    let run = harness(&[
        "score",
        suite.path().to_str().unwrap(),
        "--assignment",
        "puzzle",
        "--format",
        "json",
    ])
    .exits(0);
    // The limit leaves time for builds. A read from the pipe, which nobody writes to, would never end.
    assert!(start.elapsed() < Duration::from_secs(300));
    let report = run.report();
    let tests = &report.assignments[0].suites[0].tests;
    let rejected: Vec<_> = tests
        .iter()
        .filter(|test| test.status == Status::Rejected)
        .map(|test| (test.file.as_str(), test.reason.as_deref().unwrap()))
        .collect();
    let flags = "the flags are `s`, `q`, `m`, `l`";
    let expected = [
        ("test-2-ql.txt", "the file is binary"),
        ("test-3-ql.txt", "the file is empty"),
        ("test-4-ql.txt", "the file is larger than 65536 bytes"),
        ("test-5-ql.txt", "this is a folder, not a regular file"),
        ("test-6-ql.txt", "this is a special file, not a regular file"),
        ("test-7-ql.txt", "this is a link, not a regular file"),
        ("test-8-ql.txt", "this is a link, not a regular file"),
        ("test-9-\\u{1b}[31mql.txt", &format!("`\\u{{1b}}` is not a flag: {flags}")),
        ("test-11-q1.txt", &format!("`1` is not a flag: {flags}")),
        ("test-\u{fffd}-ql.txt", "the file's name is not valid UTF-8"),
    ];
    assert_eq!(rejected, expected);
    let valid: Vec<_> = tests
        .iter()
        .filter(|test| test.status == Status::Valid)
        .map(|test| test.file.as_str())
        .collect();
    assert_eq!(valid, ["test-1-ql.txt", "test-10-sm.txt"]);
    assert_eq!(report.assignments[0].suites[0].ignored, ["README.md"]);
    assert!(!run.stdout.contains("root:"), "a link's target is never read");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn only_the_files_that_count_are_read() {
    let suite =
        folder(&[("test-1-q.txt", VALID), ("test-1-qm.txt", VALID), ("test-1-ql.txt", VALID)]);
    let at = |name: &str| suite.path().join(name);
    for number in 2..=15 {
        std::fs::write(at(&format!("test-{number}-q.txt")), VALID).unwrap();
    }
    // Names of the maximum length cost no more than others,
    for number in 0..3000 {
        std::fs::write(at(&format!("test-{}{number}.txt", "q".repeat(240))), VALID).unwrap();
    }
    let start = Instant::now();
    let run = harness(&["score", path(&suite), "--assignment", "puzzle"]).exits(0);
    assert!(start.elapsed() < Duration::from_secs(120));
    let surplus = |line: &&str| line.ends_with("only the first 15 tests count");
    assert_eq!(run.stdout.lines().filter(surplus).count(), 2);
    // and do not widen the first column.
    assert!(
        run.stdout
            .lines()
            .any(|line| line.starts_with("  test-1-q.txt  ") && line.find("puzzle").unwrap() < 70)
    );
}

#[test]
fn a_student_folder_may_have_a_name_that_begins_with_test() {
    let class = folder(&[
        ("ada/test-1-q.txt", VALID),
        ("testa/test-1-q.txt", VALID),
        ("teststudent/notes.txt", b""),
    ]);
    let report = harness(&["score", path(&class), "--assignment", "puzzle", "--format", "json"])
        .exits(0)
        .report();
    let suites: Vec<_> = report.assignments[0]
        .suites
        .iter()
        .map(|suite| (suite.name.as_str(), suite.valid_tests()))
        .collect();
    assert_eq!(suites, [("ada", 1), ("testa", 1), ("teststudent", 0)]);
}

#[test]
fn viewing_a_hostile_file_takes_little_memory_and_prints_no_control_characters() {
    harness(&["view", "/dev/zero", "--assignment", "puzzle"]).fails(
        2,
        "error: /dev/zero is larger than 16 MiB\nhint: inputs, answers and shapes are smaller\n",
    );
    let suite = folder(&[("map.txt", b"1 1 3\n@\x1b?\n")]);
    let file = suite.path().join("map.txt");
    let run = harness(&["view", file.to_str().unwrap(), "--assignment", "puzzle"]).exits(0);
    assert!(run.stdout.contains("@ \u{fffd} ?"), "{}", run.stdout);
    assert!(!run.stdout.contains('\u{1b}') && !run.stderr.contains('\u{1b}'));
}

#[test]
fn a_quoted_part_of_a_test_is_short_and_has_no_control_characters() {
    let word = [b"\x1b[31m", "9".repeat(60_000).as_bytes(), b" 2\n"].concat();
    let suites = folder(&[
        ("sliding/test-1.txt", &word),
        ("maze-generator/test-1.txt", b"\x1b]0;title\x07 2 2\n"),
    ]);
    for format in ["text", "json"] {
        let run = harness(&["score", path(&suites), "--format", format]).fails(3, NO_VALID_TEST);
        assert!(
            run.stdout.contains("u{1b}[31m999") && run.stdout.contains("u{1b}]0;title"),
            "{}",
            run.stdout
        );
        assert!(
            !run.stdout.contains('\u{1b}') && !run.stdout.contains("\\u001b"),
            "{}",
            run.stdout
        );
        assert!(run.stdout.lines().all(|line| format == "json" || line.chars().count() < 300));
    }
}

#[test]
fn a_suite_without_a_valid_test_exits_with_3() {
    let suite = folder(&[("test-1-sq.txt", VALID)]);
    let run = harness(&["score", suite.path().to_str().unwrap(), "--assignment", "puzzle"])
        .fails(3, NO_VALID_TEST);
    assert!(run.stdout.contains("`s` and `q` cannot be used together"), "{}", run.stdout);
}
