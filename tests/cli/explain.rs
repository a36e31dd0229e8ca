//! `harness explain`.

use super::run::has_a_compiler;
use super::{folder, harness, path, skip};
use harness::result::Status;
use harness::result::explained::Explained;
use std::process::Command;

/// A fork: north is a wall, east and south lead to the target.
const FORK: &[u8] = b"0 2 3\n// A fork\n@..\n..?\n";

/// Runs `explain` on a file with this name and contents.
fn explain(file: &str, contents: &[u8], options: &[&str]) -> super::Run {
    let suite = folder(&[(file, contents)]);
    let test = suite.path().join(file);
    let mut args =
        vec!["explain", test.to_str().unwrap(), "--assignment", "puzzle", "--spelling", "long"];
    args.extend(options);
    harness(&args)
}

fn document(run: &super::Run) -> Explained {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}\n{}", run.stdout))
}

#[test]
fn a_mutant_is_explained_with_its_command_line_map_and_difference() {
    let run = explain("test-1-ql.txt", FORK, &["discovers-west-before-east"]).exits(0);
    let start = "test-1-ql.txt: puzzle --queue --output list\n\n    0 2 3\n    // A fork\n    @..\n    ..?\n\n\
                 discovers-west-before-east: exposed (output)\n  bug:    ";
    assert!(run.stdout.starts_with(start), "{}", run.stdout);
    let end = "  first:  state 2 of 4 is (^, (0, 1)) in the reference and (^, (1, 0)) in the mutant\n\n    \
                   reference     mutant\n    \
                   (^, (0, 0))   (^, (0, 0))\n    \
                   (^, (0, 1)) | (^, (1, 0))\n         \
                        ^  ^          ^  ^\n    \
                   (^, (0, 2)) | (^, (1, 1))\n         \
                        ^  ^          ^  ^\n    \
                   (^, (1, 2))   (^, (1, 2))\n";
    assert!(run.stdout.ends_with(end), "{}", run.stdout);
    assert!(run.stdout.contains("  source: reference/puzzle/src/search.rs:"), "{}", run.stdout);
}

#[test]
fn without_a_mutant_all_exposed_mutants_are_explained_shortest_difference_first() {
    let all = document(&explain("test-1-qm.txt", FORK, &["--format", "json"]).exits(0));
    let sizes: Vec<_> =
        all.mutants.iter().map(harness::result::explained::MutantExplained::size).collect();
    assert!(sizes.len() > 1 && sizes.is_sorted(), "{sizes:?}");
    assert!(all.mutants.iter().all(|mutant| mutant.difference.is_some()));
    assert_eq!(all.test.exposes.len(), all.mutants.len());
    assert_eq!(all.schema, "harness-explained/1");
    let known = std::fs::read_dir(super::repository().join("mutants/puzzle")).unwrap().count();
    assert_eq!(all.mutants.len() + all.reached.len() + all.unreached.len(), known);
    assert!(all.unreached.contains(&"lists-a-press-as-one-state".to_owned()), "there is no list");
    let suite = folder(&[("test-1-qm.txt", FORK)]);
    let scored = harness(&["score", path(&suite), "--assignment", "puzzle", "--format", "json"])
        .exits(0)
        .report();
    let mut ids: Vec<_> = all.mutants.into_iter().map(|mutant| mutant.id).collect();
    ids.sort();
    assert_eq!(ids, scored.assignments[0].suites[0].tests[0].exposes, "score and explain agree");
}

#[test]
fn the_explanation_says_whether_a_missed_mutant_was_reached() {
    let run = explain("test-1-qm.txt", FORK, &["lists-a-press-as-one-state"]).exits(0);
    assert!(
        run.stdout.contains("not exposed: the program does not reach the bug\n"),
        "{}",
        run.stdout
    );
    let mutant = "marks-as-discovered-when-taken";
    let run = explain("test-1-ql.txt", b"0 1 2\n@?\n", &[mutant]).exits(0);
    assert!(
        run.stdout.contains("not exposed: the program reaches the bug, but prints the same\n"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_different_exit_status_is_explained_with_both_ends() {
    let run = explain("test-1-ql.txt", b"0 1 2\n@?\n", &["refuses-maps-of-one-row"]).exits(0);
    let end = "  end:    the reference exits with status 0; the mutant exits with status 1\n  stderr: line 1";
    assert!(run.stdout.contains(end), "{}", run.stdout);
}

#[test]
fn if_many_outputs_are_right_the_judge_says_what_is_wrong_with_this_one() {
    let suite = folder(&[("test-1-p-0-0-2-0.txt", b"73b\n".as_slice())]);
    let test = suite.path().join("test-1-p-0-0-2-0.txt");
    let args = [
        "explain",
        test.to_str().unwrap(),
        "leaves-the-start-out-of-the-path",
        "--assignment",
        "maze-solver",
    ];
    let run = harness(&args).exits(0);
    assert!(
        run.stdout
            .contains("\n  wrong:  line 1: the route begins at (1, 0), not at the start (0, 0)\n"),
        "{}",
        run.stdout
    );
    let document = document(&harness(&[args.as_slice(), &["--format", "json"]].concat()).exits(0));
    let why = document.mutants[0].difference.as_ref().unwrap().why.as_deref();
    assert_eq!(why, Some("line 1: the route begins at (1, 0), not at the start (0, 0)"));
}

#[test]
fn each_way_to_end_is_explained() {
    let ends = [
        ("aborts", "crash", "crashes: "),
        ("exits-with-two", "exit", "exits with status 2"),
        ("loops-with-ticks", "timeout", "does not finish"),
        ("panics", "crash", "crashes: "),
        ("prints-without-end", "output-limit", "prints or writes more than the course allows"),
    ];
    for (mutant, how, end) in ends {
        let run = harness(&[
            "explain",
            "tests/courses/rogue/tests/test-1.txt",
            mutant,
            "--course",
            "tests/courses/rogue",
        ]);
        let run = run.exits(0);
        assert!(run.stdout.contains(&format!("{mutant}: exposed ({how})\n")), "{}", run.stdout);
        assert!(run.stdout.contains(&format!("; the mutant {end}")), "{}", run.stdout);
        assert!(run.stdout.len() < 10_000, "{mutant} prints {} bytes", run.stdout.len());
    }
}

#[test]
fn a_test_that_the_reference_rejects_is_shown_with_a_caret() {
    let run = explain("test-3-sl.txt", b"1 2 3\n@x.\n..?\n", &[]).exits(3);
    assert!(run.stdout.starts_with(
        "test-3-sl.txt (puzzle --stack --output list) is rejected, and exposes nothing\n"
    ));
    assert!(run.stdout.contains("test-3-sl.txt:2:2\n  |\n2 | @x.\n  |  ^\n"), "{}", run.stdout);
    let run = explain("test-3-sl.txt", b"1 2 3\n@x.\n..?\n", &["--format", "json"]).exits(3);
    let test = document(&run).test;
    assert_eq!((test.status, test.line, test.column), (Status::Rejected, Some(2), Some(2)));
}

#[test]
fn a_test_that_breaks_a_rule_is_rejected_with_that_rule() {
    let run = explain("test-3-s1.txt", FORK, &[]).exits(3);
    assert!(run.stdout.contains("error: `1` is not a flag"), "{}", run.stdout);
    assert!(run.stdout.contains("hint: did you mean `test-3-sl.txt`?"), "{}", run.stdout);
    let run = explain("test-3-sl.txt", b"1 12 3\n", &[]).exits(3);
    assert!(
        run.stdout.contains("the map has 12 rows") && run.stdout.contains("1 | 1 12 3"),
        "{}",
        run.stdout
    );
}

#[test]
fn an_unknown_mutant_or_a_missing_file_is_a_command_line_error() {
    let run = explain("test-1-ql.txt", FORK, &["discovers-west-before-eats"]).fails(
        2,
        "\
error: there is no mutant `discovers-west-before-eats`
hint: did you mean `discovers-west-before-east`?
",
    );
    assert_eq!(run.stdout, "");
    harness(&["explain", "no-such/test-1-ql.txt"]).fails(
        2,
        "\
error: there is no file no-such/test-1-ql.txt
hint: name one test file; `harness score` takes a folder
",
    );
}

#[test]
fn colour_appears_only_if_it_is_wanted() {
    let options = |color| ["discovers-west-before-east", "--color", color];
    let plain = explain("test-1-ql.txt", FORK, &["discovers-west-before-east"]).exits(0).stdout;
    assert!(!plain.contains('\u{1b}'));
    assert_eq!(explain("test-1-ql.txt", FORK, &options("never")).exits(0).stdout, plain);
    let colored = explain("test-1-ql.txt", FORK, &options("always")).exits(0).stdout;
    assert!(colored.contains("\u{1b}[1m\u{1b}[7m@\u{1b}[0m"), "{colored:?}");
    // `script` gives it a terminal.
    let suite = folder(&[("test-1-ql.txt", FORK)]);
    let on_a_terminal = |no_color: Option<&str>| {
        let command = format!(
            "{} explain {}/test-1-ql.txt --assignment puzzle",
            env!("CARGO_BIN_EXE_harness"),
            path(&suite)
        );
        let mut script = Command::new("script");
        script
            .args(["-qec", &command, "/dev/null"])
            .current_dir(super::repository())
            .env("TERM", "xterm")
            .env_remove("NO_COLOR");
        no_color.map(|value| script.env("NO_COLOR", value));
        script.output().map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (Ok(colored), Ok(plain)) = (on_a_terminal(None), on_a_terminal(Some("1"))) else {
        skip("there is no program `script` on this machine");
        return;
    };
    let is_colored = |text: &str| text.contains("\u{1b}[1m\u{1b}[7m@");
    assert!(is_colored(&colored) && !is_colored(&plain));
}

#[test]
fn a_program_without_a_combined_build_can_be_explained() {
    if !has_a_compiler() {
        return;
    }
    let args = [
        "explain",
        "docs/any-program/student_tests/test-1-w.txt",
        "words-end-at-two",
        "--course",
        "docs/any-program",
    ];
    let run = harness(&args).exits(0);
    assert!(run.stdout.contains("words-end-at-two: exposed (output)\n"), "{}", run.stdout);
}

#[test]
fn a_test_case_is_named_with_the_path_of_its_file() {
    let course = "examples/library-python";
    let explain = |test: &str| harness(&["explain", "--course", course, test]);
    explain(&format!("{course}/student_tests")).fails(
        2,
        "\
error: examples/library-python/student_tests is not named like a test
hint: name a test case with its file, as in FILE:CASE; `harness score` names them
",
    );
    explain("test_loans.py:test_a_name").fails(
        2,
        "\
error: there is no file test_loans.py:test_a_name
hint: the path of the file comes first, as in `FOLDER/test_loans.py:CASE`
",
    );
}

#[test]
fn a_file_that_is_not_named_like_a_test_is_an_error() {
    harness(&["explain", "README.md"]).fails(
        2,
        "\
error: README.md is not named like a test
hint: a test is named test-n-flags.txt, as for `harness score`
",
    );
}
