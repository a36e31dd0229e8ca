//! `harness score --format`: several at once, into files.

use super::{Run, folder, harness, path};
use std::fs;

const FORK: &[u8] = b"0 3 3\n@..\n.#.\n..?\n";

/// Scores `folder` as puzzle tests.
fn score(folder: &str, options: &[&str]) -> Run {
    harness(&[&["score", folder, "--assignment", "puzzle"], options].concat())
}

#[test]
fn several_formats_are_written_at_once_and_text_goes_to_standard_output() {
    let suite = folder(&[("test-1-ql.txt", FORK)]);
    let out = folder(&[]);
    let (json, text) = (out.path().join("all.json"), out.path().join("all.txt"));
    let formats = format!("json={},text={}", json.display(), text.display());
    let run = score(path(&suite), &["--format", &formats]).exits(0);
    assert_eq!(run.stdout, fs::read_to_string(&text).unwrap());
    assert_eq!(fs::read_to_string(&json).unwrap(), score(path(&suite), &["--format", "json"]).exits(0).stdout);
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), 2, "nothing else is left behind");
    let alone = score(path(&suite), &["--format", &format!("text={},json", out.path().join("new.txt").display())]).exits(0);
    assert_eq!(alone.stdout, fs::read_to_string(&json).unwrap());
}

#[test]
fn a_file_that_is_there_is_left_as_it_is_unless_it_may_be_overwritten() {
    let suite = folder(&[("test-1-ql.txt", FORK)]);
    let out = folder(&[("mine.txt", b"precious")]);
    let mine = out.path().join("mine.txt");
    let format = format!("text={}", mine.display());
    let run = score(path(&suite), &["--format", &format]).exits(2);
    assert_eq!(
        run.stderr,
        format!(
            "error: {} is there already, and was left as it is\nhint: name a new file, or overwrite it with --overwrite\n",
            mine.display()
        )
    );
    assert_eq!((run.stdout.as_str(), fs::read(&mine).unwrap().as_slice()), ("", b"precious".as_slice()));
    let run = score(path(&suite), &["--format", &format, "--overwrite"]).exits(0);
    assert_eq!(fs::read_to_string(&mine).unwrap(), run.stdout);
}

#[test]
fn a_run_that_fails_leaves_the_file_that_was_there() {
    let out = folder(&[("mine.json", b"precious")]);
    let format = format!("json={}", out.path().join("mine.json").display());
    let course = "tests/courses/disagreeing";
    harness(&["score", "tests/courses/disagreeing/tests", "--course", course, "--format", &format, "--overwrite"]).exits(4);
    assert_eq!(fs::read(out.path().join("mine.json")).unwrap(), b"precious");
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), 1);
}

#[test]
fn a_place_that_cannot_be_written_is_found_out_before_the_run() {
    let suite = folder(&[("test-1-ql.txt", FORK)]);
    let nowhere = score(path(&suite), &["--format", "json=no-such-folder/all.json"]).exits(2);
    assert!(nowhere.stderr.starts_with("error: cannot write no-such-folder/all.json: "), "{}", nowhere.stderr);
    let there = score(path(&suite), &["--format", &format!("json={}", path(&suite))]).exits(2);
    assert!(there.stderr.ends_with("is a folder\nhint: name a file in it\n"), "{}", there.stderr);
    assert!(score(path(&suite), &["--format", "json=/dev/null"]).exits(0).stdout.starts_with("Puzzle Solver: one suite\n"));
}

#[test]
fn formats_that_are_unknown_or_go_to_one_place_are_wrong_command_lines() {
    let unknown = score("student_tests/puzzle", &["--format", "text,jsn"]).exits(2);
    assert!(unknown.stderr.contains("there is no format `jsn`\nhint: did you mean `json`?\n"), "{}", unknown.stderr);
    let twice = score("student_tests/puzzle", &["--format", "text,json"]).exits(2);
    let expected =
        "error: `text` and `json` both go to standard output\nhint: name a file for each but one, for example json=report.json\n";
    assert_eq!(twice.stderr, expected);
    score("student_tests/puzzle", &["--format", "text=a,json=a"]).exits(2);
}
