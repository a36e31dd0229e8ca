//! Mistakes in `harness.yaml`: each shows its line, and says what to do.

use super::{folder, harness, path};

/// Replaces `from` by `to` in the repository's course file, scores, and compares standard error.
#[track_caller]
fn check(from: &str, to: &str, expected: &str) {
    let text = super::puzzle_alone();
    assert!(text.contains(from), "{from}");
    let course = folder(&[
        ("harness.yaml", text.replacen(from, to, 1).as_bytes()),
        ("reference/puzzle/Cargo.toml", b""),
        ("mutants/puzzle/a.yaml", b""),
        ("tests/test-1-s.txt", b"1 1 2\n@?\n"),
    ]);
    let file = course.path().join("harness.yaml");
    let tests = course.path().join("tests");
    let run = harness(&[
        "score",
        tests.to_str().unwrap(),
        "--assignment",
        "puzzle",
        "--course",
        path(&course),
    ])
    .exits(2);
    assert_eq!(run.stdout, "");
    assert_eq!(run.stderr.replace(file.to_str().unwrap(), "harness.yaml"), expected);
}

#[test]
fn an_unknown_key_is_an_error_with_its_line_and_a_suggestion() {
    check(
        "    title: Puzzle Solver",
        "    titel: Puzzle Solver",
        "error: unknown key `titel`\n --> harness.yaml:6:5\n  |\n6 |     titel: Puzzle Solver\n  |     ^\nhint: did you mean `title`?\n",
    );
}

#[test]
fn a_wrong_type_is_an_error_with_its_line_and_the_expected_type() {
    check(
        "files: 15                       #",
        "files: many #",
        "error: expected a whole number from 0 to 4294967295, found `many`\n  --> harness.yaml:13:14\n   |\n\
         13 |       files: many # at most, and n goes from 1 to this\n   |              ^\n",
    );
}

#[test]
fn the_error_for_a_wrong_type_uses_plain_words() {
    let wrong = [
        (
            "files: 15   ",
            "files: -1   ",
            "expected a whole number from 0 to 4294967295, found `-1`",
        ),
        ("files: 15   ", "files: [15] ", "expected one value, found a list"),
        ("required: true", "required: perhaps", "expected `true` or `false`, found `perhaps`"),
        ("points: 10", "points: ten", "expected a number, found `ten`"),
        ("title: Puzzle Solver", "title: { a: b }", "expected one value, found keys with values"),
        (
            "limits: { rows: 10, columns: 10 }",
            "limits: 10",
            "expected keys with values, as in `{ key: value }`, or lines of",
        ),
        (
            "limits: { rows: 10, columns: 10 }",
            "limits: { rows: ten }",
            "expected a whole number, 0 or more, found `ten`",
        ),
        (
            "s: { long: --stack, short: -s }",
            "s: --stack",
            "expected keys with values, as in `{ key: value }`, or lines of",
        ),
        ("normal: count ", "normal: [count] ", "expected one word, found a list"),
        ("order: listed ", "order: listd ", "expected one of listed, any, found `listd`"),
    ];
    for (from, to, expected) in wrong {
        let text = super::puzzle_alone();
        assert!(text.contains(from), "{from}");
        let course = folder(&[("harness.yaml", text.replacen(from, to, 1).as_bytes())]);
        let run = harness(&["mutants", "list", "--course", path(&course)]).exits(2);
        assert!(run.stderr.starts_with(&format!("error: {expected}")), "{to}: {}", run.stderr);
        assert!(run.stderr.contains(" |\n") && run.stderr.contains('^'), "{to}: {}", run.stderr);
    }
}

#[test]
fn a_missing_folder_is_an_error_with_a_suggestion() {
    check(
        "mutants: mutants/puzzle",
        "mutants: mutants/puzle",
        "error: there is no folder mutants/puzle\n  --> harness.yaml:10:14\n   |\n10 |     mutants: mutants/puzle           # one file for each mutant\n   |              ^\n\
         hint: did you mean `mutants/puzzle`?\n",
    );
}

#[test]
fn a_duplicate_id_is_an_error() {
    let course = folder(&[
        ("harness.yaml", b"course: x\nassignments:\n  a: {}\n  a: {}\n"),
        ("t/test-1.txt", b"x"),
    ]);
    let run = harness(&["score", path(&course), "--course", path(&course)]).exits(2);
    assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
    assert!(run.stderr.contains("harness.yaml:"), "{}", run.stderr);
}

#[test]
fn the_error_for_a_missing_course_file_says_what_to_do() {
    let nothing = folder(&[]);
    let run = harness(&["score", path(&nothing), "--course", path(&nothing)]).exits(2);
    assert!(run.stderr.starts_with("error: there is no course file "), "{}", run.stderr);
    assert!(run.stderr.contains("hint: give its path with --course"), "{}", run.stderr);
}

#[test]
fn deep_nesting_is_rejected_quickly() {
    let deep = "[".repeat(100_000);
    let course = folder(&[("harness.yaml", format!("course: {deep}\n").as_bytes())]);
    let run = harness(&["score", path(&course), "--course", path(&course)]).exits(2);
    assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
}

#[test]
fn a_file_that_is_not_yaml_is_an_error() {
    let of = |text: &str| {
        let course = folder(&[("harness.yaml", text.as_bytes())]);
        harness(&["mutants", "list", "--course", path(&course)]).exits(2).stderr
    };
    let broken = of("course: \"x\nassignments:\n  a: {}\n");
    assert!(
        broken.ends_with("hint: this is not valid YAML: check this line and the one before it\n"),
        "{broken}"
    );
    assert!(of("\n").starts_with("error: the file is empty\n"), "{}", of("\n"));
}
