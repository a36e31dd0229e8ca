//! `harness score`.

use super::run::NO_VALID_TEST;
use super::{folder, harness, path};
use harness::result::{Report, Status};

const FORK: &[u8] = b"0 3 3\n@..\n.#.\n..?\n";

#[test]
fn the_report_says_which_test_exposes_each_bug() {
    let suite = folder(&[("test-1-ql.txt", FORK), ("test-2-sm.txt", FORK)]);
    let report = harness(&["score", path(&suite), "--assignment", "puzzle", "--format", "json"])
        .exits(0)
        .report();
    let assignment = &report.assignments[0];
    let suite = &assignment.suites[0];
    let score = suite.score.as_ref().unwrap();
    assert_eq!(report.schema, "harness-report/1");
    assert_eq!(score.mutants as usize, assignment.mutants.len());
    assert_eq!(score.exposed as usize, suite.exposed_by.len());
    for (id, exposures) in &suite.exposed_by {
        assert!(assignment.mutants.iter().any(|mutant| mutant.id == *id));
        for exposure in exposures {
            let test = suite.tests.iter().find(|test| test.file == exposure.file).unwrap();
            assert!(test.exposes.contains(id), "{id} and {}", test.file);
        }
    }
}

#[test]
fn the_same_files_and_seed_give_the_same_bytes_whatever_the_jobs() {
    let suite = folder(&[("test-1-ql.txt", FORK), ("test-2-sm.txt", FORK), ("test-3-s.txt", FORK)]);
    let run = |options: &[&str]| {
        let mut args = vec!["score", path(&suite), "--assignment", "puzzle"];
        args.extend(options);
        harness(&args).exits(0).stdout
    };
    assert_eq!(run(&["--jobs", "1"]), run(&["--jobs", "7"]));
    assert_ne!(
        run(&["--seed", "1"]),
        run(&["--seed", "2"]),
        "the seed changes how options are spelled"
    );
    assert!(run(&["--spelling", "long"]).contains("puzzle --queue --output list"));
    assert!(run(&["--spelling", "short"]).contains("puzzle -q -o list"));
}

#[test]
fn a_student_sees_counts_and_no_ids() {
    let suite = folder(&[("test-1-ql.txt", FORK), ("test-2-q1.txt", FORK)]);
    for format in ["text", "json"] {
        let run = |audience| {
            harness(&[
                "score",
                path(&suite),
                "--assignment",
                "puzzle",
                "--format",
                format,
                "--audience",
                audience,
            ])
            .exits(0)
        };
        let staff = harness(&["score", path(&suite), "--assignment", "puzzle", "--format", "json"])
            .exits(0)
            .report();
        let (student, staff_reads) = (run("student").stdout, run("staff").stdout);
        for mutant in &staff.assignments[0].mutants {
            assert!(!student.contains(&mutant.id), "{format} tells {}", mutant.id);
            assert!(staff_reads.contains(&mutant.id), "{format} hides {}", mutant.id);
        }
        assert!(
            student.contains("test-2-q1.txt") && student.contains("did you mean `test-2-ql.txt`?"),
            "{student}"
        );
    }
    let student = harness(&[
        "score",
        path(&suite),
        "--assignment",
        "puzzle",
        "--format",
        "json",
        "--audience",
        "student",
    ])
    .exits(0)
    .report();
    assert!(student.assignments[0].suites[0].score.is_some());
}

#[test]
fn a_student_folder_may_have_a_name_like_a_test() {
    let class = folder(&[("Ann/test-1-ql.txt", FORK), ("Testa/test-1-ql.txt", FORK)]);
    let run = harness(&["score", path(&class), "--assignment", "puzzle"]).exits(0);
    assert!(run.stdout.starts_with("Puzzle Solver: a class of 2 suites\n"), "{}", run.stdout);
}

#[test]
fn a_folder_without_tests_is_an_error_or_a_rejected_suite_if_its_assignment_is_known() {
    let empty = folder(&[("mine/notes.txt", b"nothing yet")]);
    let none = format!("error: there are no tests in {}\n", path(&empty));
    harness(&["score", path(&empty)]).fails(2, &format!("{none}hint: [..]\n"));
    let run = harness(&["score", path(&empty), "--assignment", "puzzle"]).fails(3, NO_VALID_TEST);
    assert!(run.stdout.contains("there are no tests in the folder `"), "{}", run.stdout);
    assert!(run.stdout.contains("tests have names like `test-1-sm.txt`"), "{}", run.stdout);
}

#[test]
fn a_class_has_a_line_for_each_student() {
    let class = folder(&[
        ("ann/test-1-ql.txt", FORK),
        ("bob/test-1-sq.txt", FORK),
        ("cyd/notes.txt", b"nothing handed in"),
    ]);
    let run = harness(&["score", path(&class), "--assignment", "puzzle"]).exits(0);
    assert!(run.stdout.starts_with("Puzzle Solver: a class of 3 suites\n"), "{}", run.stdout);
    let lines: Vec<_> = run
        .stdout
        .lines()
        .filter(|line| ["ann", "bob", "cyd"].iter().any(|name| line.trim().starts_with(name)))
        .collect();
    let counts: Vec<_> =
        lines.iter().map(|line| line.split_whitespace().take(3).collect::<Vec<_>>()).collect();
    let why = ["cyd/:", "there", "are"];
    assert_eq!(counts, [["ann", "1", "0"], ["bob", "0", "1"], ["cyd", "0", "1"], why]);
}

#[test]
fn a_folder_named_like_an_assignment_is_scored_as_that_assignment() {
    let tests = folder(&[("puzzle/test-1-ql.txt", FORK)]);
    let run = harness(&["score", path(&tests)]).exits(0);
    assert!(run.stdout.starts_with("Puzzle Solver: one suite\n"), "{}", run.stdout);
}

#[test]
fn a_score_under_the_threshold_exits_with_1() {
    let suite = folder(&[("test-1-ql.txt", b"0 1 2\n@?\n")]);
    harness(&["score", path(&suite), "--assignment", "puzzle", "--fail-under", "10"]).exits(1);
    harness(&["score", path(&suite), "--assignment", "puzzle", "--fail-under", "0"]).exits(0);
}

#[test]
fn a_missing_folder_or_an_unknown_assignment_is_a_command_line_error() {
    harness(&["score", "no-such-folder"])
        .fails(2, "error: no-such-folder does not exist\nhint: give a folder of tests\n");
    harness(&["score", "student_tests", "--assignment", "puzle"]).fails(
        2,
        "\
error: there is no assignment `puzle`
hint: did you mean `puzzle`?
",
    );
}

#[test]
fn crlf_is_converted_before_a_program_reads_it() {
    let suite = folder(&[("test-1-ql.txt", b"0 1 3\r\n@.?\r\n\r\n")]);
    let report = harness(&["score", path(&suite), "--assignment", "puzzle", "--format", "json"])
        .exits(0)
        .report();
    assert_eq!(report.assignments[0].suites[0].tests[0].status, Status::Valid);
}

#[test]
fn each_common_mistake_in_a_test_is_rejected_with_its_line() {
    let class = folder(&[
        ("ann/test-1-ql.txt", FORK),
        ("ann/test-2-sq.txt", FORK),
        ("ann/test-3-q.txt", b"// one colour\n1 1 3\n@a?\n"),
        ("ann/test-4-q.txt", b"0 1 3\n@+?\n"),
        ("ann/test-5-q.txt", b"0 1 3\n@..?\n"),
        ("ann/test-6-q.txt", b"0 1 3\n..?\n"),
        ("ann/test-7-q.txt", b"0 1 3\n@..\n"),
        ("ann/test-8-q.txt", b"0 11 3\n@.?\n"),
        ("ann/test-9-flags.txt", FORK),
        ("ann/test-10-q.txt", b"1 1 4\n@b.?\n"),
        ("ann/test-11-q.txt", b"0 1 3\n@.?\n#\n"),
        ("ann/test-12-q.txt", b"0 2 3\n@.?\n"),
    ]);
    let args = ["score", path(&class), "--assignment", "puzzle", "--format", "json"];
    let expected = "\
ann/test-2-sq.txt `s` and `q` cannot be used together
ann/test-3-q.txt 1: the number of colors is not an unsigned integer: '//'
ann/test-4-q.txt 2: '+' is not a map character
ann/test-5-q.txt 2: the row is longer than 3 tiles
ann/test-6-q.txt 2: the map has no '@'
ann/test-7-q.txt 2: the map has no '?'
ann/test-8-q.txt 1: the map has 11 rows; a test may have at most 10
ann/test-9-flags.txt `f` is not a flag: the flags are `s`, `q`, `m`, `l`
ann/test-10-q.txt 2: 'b' is none of the map's 1 colors
ann/test-11-q.txt 3: '#' is left over after the map
ann/test-12-q.txt 3: the map ends after 1 of its 2 rows";
    assert_eq!(rejected(&harness(&args).exits(0).report()), expected);
}

/// The rejected files, each with its reason.
pub(crate) fn rejected(report: &Report) -> String {
    let rejected: Vec<String> = report.assignments[0]
        .suites
        .iter()
        .flat_map(|suite| suite.tests.iter().map(move |test| (suite, test)))
        .filter(|(_, test)| test.status == Status::Rejected)
        .map(|(suite, test)| {
            let line = test.line.map(|line| format!("{line}: ")).unwrap_or_default();
            format!(
                "{}/{} {line}{}",
                suite.name,
                test.file,
                test.reason.as_deref().unwrap_or_default()
            )
        })
        .collect();
    rejected.join("\n")
}
