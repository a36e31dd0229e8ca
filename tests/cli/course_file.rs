//! Mistakes in `harness.yaml`: each shows its line, and says what to do.

use super::course::{Course, puzzle_alone};
use super::{folder, harness, path};

/// Replaces `from` by `to` in the repository's course file, scores, and compares standard error.
#[track_caller]
fn check(from: &str, to: &str, expected: &str) {
    let text = puzzle_alone();
    assert!(text.contains(from), "{from}");
    let course = Course::from_yaml(&text.replacen(from, to, 1))
        .file("reference/puzzle/Cargo.toml", "")
        .file("mutants/puzzle/a.yaml", "")
        .file("tests/test-1-s.txt", "1 1 2\n@?\n");
    let run = course.score("tests", &["--assignment", "puzzle"]).fails(2, expected);
    assert_eq!(run.stdout, "");
}

#[test]
fn an_unknown_key_is_an_error_with_its_line_and_a_suggestion() {
    check(
        "    title: Puzzle Solver",
        "    titel: Puzzle Solver",
        "error: unknown key `titel`\n --> COURSE/harness.yaml:6:5\n  |\n6 |     titel: Puzzle Solver\n  |     ^\nhint: did you mean `title`?\n",
    );
}

#[test]
fn a_limit_that_no_program_could_keep_or_reach_is_an_error_with_its_place() {
    for (key, column, value, problem) in [
        ("seconds", 21, "-1", "seconds must be more than 0 and at most 86400"),
        ("seconds", 21, "1e300", "seconds must be more than 0 and at most 86400"),
        ("memory_mb", 23, "99999999999", "this limit must be at least 1 and at most 1073741824"),
        ("processes", 23, "0", "this limit must be at least 1 and at most 65535"),
    ] {
        let run = format!("    run: {{ {key}: {value} }}");
        check(
            "    title: Puzzle Solver",
            &format!("    title: Puzzle Solver\n{run}"),
            &format!(
                "error: {problem}\n --> COURSE/harness.yaml:7:{column}\n  |\n7 | {run}\n  | {}^\n",
                " ".repeat(column - 1)
            ),
        );
    }
}

#[test]
fn a_key_that_has_no_effect_on_the_program_is_an_error() {
    check(
        "      cargo: reference/puzzle  ",
        "      flags: [-O3]\n      cargo: reference/puzzle  ",
        "error: `flags:` has no effect here\n --> COURSE/harness.yaml:9:7\n  |\n9 |       flags: [-O3]\n  |       ^\n\
         hint: remove it; it belongs to `c:`, `cpp:`, `python:` and `java:`\n",
    );
}

#[test]
fn a_wrong_type_is_an_error_with_its_line_and_the_expected_type() {
    check(
        "files: 15                       #",
        "files: many #",
        "error: expected a number of files, found `many`\n  --> COURSE/harness.yaml:13:14\n   |\n\
         13 |       files: many # at most, and n goes from 1 to this\n   |              ^\n",
    );
}

#[test]
fn the_error_for_a_wrong_type_uses_plain_words() {
    let wrong = [
        ("required: true", "required: perhaps", "expected `true` or `false`, found `perhaps`", ""),
        ("points: 10", "points: ten", "expected a number, found `ten`", ""),
        (
            "title: Puzzle Solver",
            "title: { a: b }",
            "expected one value, found keys with values",
            "",
        ),
        (
            "limits: { rows: 10, columns: 10 }",
            "limits: 10",
            "expected keys with values, as in `{ key: value }`, or lines of `key: value`, found `10`",
            "",
        ),
        (
            "limits: { rows: 10, columns: 10 }",
            "limits: { rows: ten }",
            "expected a whole number, 0 or more, found `ten`",
            "",
        ),
        (
            "s: { long: --stack, short: -s }",
            "s: --stack",
            "expected keys with values, as in `{ key: value }`, or lines of `key: value`, found `--stack`",
            "",
        ),
        ("normal: count ", "normal: [count] ", "expected one word, found a list", ""),
        (
            "order: listed ",
            "order: listd ",
            "expected one of listed, any, found `listd`",
            "hint: did you mean `listed`?\n",
        ),
    ];
    for (from, to, expected, hint) in wrong {
        let text = puzzle_alone();
        assert!(text.contains(from), "{from}");
        let course = Course::from_yaml(&text.replacen(from, to, 1));
        let expected = format!(
            "error: {expected}\n[..]--> COURSE/harness.yaml:[..]\n[..] |\n[..] | [..]\n[..] | [..]^\n{hint}"
        );
        course.harness(&["mutants", "list"]).fails(2, &expected);
    }
}

#[test]
fn a_missing_folder_is_an_error_with_a_suggestion() {
    check(
        "mutants: mutants/puzzle",
        "mutants: mutants/puzle",
        "error: there is no folder mutants/puzle\n  --> COURSE/harness.yaml:10:14\n   |\n10 |     mutants: mutants/puzle           # one file for each mutant\n   |              ^\n\
         hint: did you mean `mutants/puzzle`?\n",
    );
}

#[test]
fn a_duplicate_id_is_an_error() {
    let course = Course::from_yaml("course: x\nassignments:\n  a: {}\n  a: {}\n");
    course.score("", &[]).fails(
        2,
        "\
error: the key `program` is missing
 --> [..]/harness.yaml:3:6
  |
3 |   a: {}
  |      ^
",
    );
}

#[test]
fn the_error_for_a_missing_course_file_says_what_to_do() {
    let nothing = folder(&[]);
    harness(&["score", path(&nothing), "--course", path(&nothing)]).fails(
        2,
        "\
error: there is no course file [..]/harness.yaml
hint: give its path with --course, or create one with `harness init DIR`
",
    );
}

#[test]
fn deep_nesting_is_rejected_quickly() {
    let deep = "[".repeat(100_000);
    let course = Course::from_yaml(&format!("course: {deep}\n"));
    course.score("", &[]).fails(
        2,
        "\
error: expected one value, found a list
 --> [..]/harness.yaml:1:9
  |
1 | course: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[…
  |         ^
",
    );
}

#[test]
fn a_file_that_is_not_yaml_is_an_error() {
    Course::from_yaml("course: \"x\nassignments:\n  a: {}\n").harness(&["mutants", "list"]).fails(
        2,
        "\
error: invalid indentation in multiline quoted scalar
 --> COURSE/harness.yaml:2:1
  |
2 | assignments:
  | ^
hint: this is not valid YAML: check this line and the one before it
",
    );
    Course::from_yaml("\n")
        .harness(&["mutants", "list"])
        .fails(2, "error: the file is empty\n --> COURSE/harness.yaml:2:1\n");
}

#[test]
fn a_source_that_is_not_there_is_shown_where_the_course_file_names_it() {
    for (program, column) in [("{ c: taly.c }", 19), ("{ c: [taly.c] }", 20)] {
        let caret = format!("{:>column$}", '^');
        Course::new("tally", program).mutant("a", &[]).harness(&["mutants", "list"]).fails(
            2,
            &format!(
                "\
error: there is no file taly.c
 --> COURSE/harness.yaml:5:{column}
  |
5 |     program: {program}
  | {caret}
hint: paths are relative to the folder of harness.yaml
"
            ),
        );
    }
}
