//! The formats of grading platforms, read into strict types that follow each platform's documentation.

use super::{score, zoo};
use crate::run::NO_VALID_TEST;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;

/// The text that `format` wrote.
pub(crate) fn decoded(format: &str, written: &str) -> String {
    let decode = || BASE64_STANDARD.decode(written.trim_end()).expect("it is base64 on one line");
    if format == "github-classroom" {
        String::from_utf8(decode()).expect("it is UTF-8")
    } else {
        written.to_owned()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Gradescope {
    score: f64,
    output: String,
    output_format: Format,
    test_output_format: Format,
    test_name_format: Format,
    tests: Vec<GradescopeTest>,
}

/// Texts of students are no markup.
#[derive(Deserialize, Debug, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Format {
    Text,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GradescopeTest {
    name: String,
    number: String,
    output: String,
    status: Option<Status>,
    score: Option<f64>,
    max_score: Option<f64>,
    visibility: Visibility,
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Status {
    Passed,
    Failed,
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Visibility {
    Visible,
    Hidden,
    AfterDueDate,
    AfterPublished,
}

const SUITE: [(&str, &[u8]); 2] = [("suite/test-1.txt", b"cat\n"), ("suite/test-x.txt", b"cat\n")];

#[test]
fn gradescope_gets_the_points_and_a_test_for_each_rejected_file() {
    let written = zoo("count", &SUITE).score("suite", &["--format", "gradescope"]).exits(0).stdout;
    let results: Gradescope = serde_json::from_str(&written).unwrap();
    let formats = [&results.output_format, &results.test_output_format, &results.test_name_format];
    assert_eq!(formats, [&Format::Text; 3]);
    assert_eq!(results.score.to_string(), "5");
    assert!(results.output.starts_with("Zoo\n1 of 2 bugs exposed\n"), "{}", results.output);
    let tests: Vec<_> = results
        .tests
        .iter()
        .map(|test| (test.number.as_str(), test.name.as_str(), &test.status))
        .collect();
    assert_eq!(
        tests,
        [
            ("1", "Zoo: bugs exposed", &Some(Status::Failed)),
            ("1.1", "test-x.txt", &Some(Status::Failed))
        ]
    );
    assert_eq!((results.tests[0].score, results.tests[0].max_score), (Some(5.0), Some(10.0)));
    let expected = "a test is named test-n-flags.txt, for example test-1.txt\nhint: did you mean `test-2.txt`?";
    assert_eq!(results.tests[1].output, expected);
    assert!(results.tests.iter().all(|test| test.visibility == Visibility::Visible));
}

#[test]
fn gradescope_hides_a_score_that_students_may_not_see() {
    let written = zoo("none", &SUITE).score("suite", &["--format", "gradescope"]).exits(0).stdout;
    let results: Gradescope = serde_json::from_str(&written).unwrap();
    let seen: Vec<_> = results
        .tests
        .iter()
        .map(|test| (test.name.as_str(), &test.visibility, test.score))
        .collect();
    let expected = [
        ("Zoo: bugs exposed", &Visibility::Hidden, Some(5.0)),
        ("test-x.txt", &Visibility::Visible, None),
    ];
    assert_eq!(seen, expected);
    assert_eq!(results.output, "Zoo\n1 valid test, 1 rejected");
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Prairielearn {
    gradable: bool,
    score: Option<f64>,
    format_errors: Option<Vec<String>>,
    #[serde(default)]
    tests: Vec<PrairielearnTest>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PrairielearnTest {
    name: String,
    points: f64,
    max_points: f64,
    message: String,
    output: String,
}

#[test]
fn prairielearn_gets_a_share_and_points_in_every_test() {
    let written =
        zoo("exposed", &SUITE).score("suite", &["--format", "prairielearn"]).exits(0).stdout;
    let results: Prairielearn = serde_json::from_str(&written).unwrap();
    assert_eq!((results.gradable, results.score, results.format_errors), (true, Some(0.5), None));
    let tests: Vec<_> = results
        .tests
        .iter()
        .map(|test| (test.name.as_str(), test.points, test.max_points))
        .collect();
    assert_eq!(tests, [("Zoo: bugs exposed", 5.0, 10.0), ("test-x.txt: rejected", 0.0, 0.0)]);
    assert_eq!(results.tests[0].message, "5 of 10 points");
    assert!(
        results.tests[0].output.ends_with("\nexposed bugs:\n  cat: test-1.txt (output)"),
        "{}",
        results.tests[0].output
    );
    assert!(results.tests[1].message.starts_with("a test is named "));
}

#[test]
fn prairielearn_does_not_count_an_attempt_without_a_valid_test() {
    let zoo = zoo("count", &[("suite/test-x.txt", b"cat\n")]);
    let written = zoo.score("suite", &["--format", "prairielearn"]).fails(3, NO_VALID_TEST).stdout;
    let results: Prairielearn = serde_json::from_str(&written).unwrap();
    assert_eq!((results.gradable, results.score, results.tests.len()), (false, None, 0));
    let errors = results.format_errors.unwrap();
    assert_eq!(errors[0], "there is no valid test");
    assert!(errors[1].starts_with("test-x.txt: a test is named "), "{errors:?}");
}

#[test]
fn a_folder_of_a_thousand_bad_files_makes_a_small_result() {
    let name = |number| format!("suite/test-{}{number}.txt", "x".repeat(200));
    let names: Vec<_> = (0..1000).map(name).collect();
    let mut files: Vec<(&str, &[u8])> =
        names.iter().map(|name| (name.as_str(), b"cat\n".as_slice())).collect();
    files.push(("suite/test-1.txt", b"cat\n"));
    let zoo = zoo("count", &files);
    for format in ["gradescope", "prairielearn", "github-classroom"] {
        let written = zoo.score("suite", &["--format", format]).exits(0).stdout;
        assert!(written.len() < 100_000, "{format}: {}", written.len());
        assert!(decoded(format, &written).contains("900 more"), "{format}");
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Classroom {
    version: u32,
    status: String,
    max_score: f64,
    tests: Vec<ClassroomTest>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "it is read to see that it is there, and of this type")]
struct ClassroomTest {
    name: String,
    status: String,
    message: String,
    test_code: String,
    filename: String,
    line_no: u32,
    execution_time: u32,
    score: f64,
}

#[test]
fn classroom_gets_one_line_of_base64_that_passes_with_all_points() {
    for (input, status, points) in [("cat\n", "fail", 5.0), ("cat dog\n", "pass", 10.0)] {
        let zoo = zoo("count", &[("suite/test-1.txt", input.as_bytes())]);
        let written = zoo.score("suite", &["--format", "github-classroom"]).exits(0).stdout;
        assert_eq!(written.lines().count(), 1);
        let result: Classroom =
            serde_json::from_str(&decoded("github-classroom", &written)).unwrap();
        assert_eq!((result.version, result.status.as_str(), result.max_score), (1, status, 10.0));
        let test = &result.tests[0];
        assert_eq!(
            (test.name.as_str(), test.status.as_str(), test.score),
            ("Zoo: bugs exposed", status, points)
        );
        assert!(test.message.contains("of 2 bugs exposed"), "{}", test.message);
    }
}

#[test]
fn several_assignments_of_one_student_give_one_result() {
    let suites = super::folder(&[
        ("puzzle/test-1-ql.txt", super::FORK),
        ("sliding/test-1.txt", b"no board\n"),
    ]);
    let written =
        super::harness(&["score", super::path(&suites), "--format", "gradescope"]).exits(0).stdout;
    let results: Gradescope = serde_json::from_str(&written).unwrap();
    let parts: Vec<_> =
        results.tests.iter().map(|test| (test.number.as_str(), test.name.as_str())).collect();
    let expected = [
        ("1", "Puzzle Solver: bugs exposed"),
        ("2", "Sliding Blocks: bugs exposed"),
        ("2.1", "test-1.txt"),
    ];
    assert_eq!(parts, expected);
    let sum: f64 = results.tests.iter().filter_map(|test| test.score).sum();
    assert_eq!(results.score.to_string(), sum.to_string());
}

#[test]
fn platforms_refuse_a_class_and_a_reader_who_may_not_see_the_score() {
    let files: [(&str, &[u8]); 3] = [
        ("class/ann/test-1.txt", b"cat\n"),
        ("class/bob/test-1.txt", b"cat\n"),
        ("suite/test-1.txt", b"cat\n"),
    ];
    let class = zoo("none", &files);
    for format in ["gradescope", "prairielearn", "github-classroom"] {
        let expected = format!(
            "error: `{format}` holds the result of one student, and COURSE/class is a class\nhint: [..]name a folder: {format}=DIR/\n"
        );
        class.score("class", &["--format", format]).fails(2, &expected);
    }
    for format in ["prairielearn", "github-classroom"] {
        let expected = format!(
            "error: `{format}` always shows the score, but its reader may not see the score of `zoo`\n\
             hint: set `feedback:` in the course file to `count` or more, or name another --audience\n"
        );
        class.score("suite", &["--format", format]).fails(2, &expected);
        class.score("suite", &["--format", format, "--audience", "staff"]).exits(0);
    }
    score("student_tests/puzzle", &["--format", "stryker", "--audience", "student"]).fails(2, "\
error: `stryker` shows every mutant in the source, but its reader may not see the mutants of `puzzle`
hint: this format is for staff: --audience staff
");
}
