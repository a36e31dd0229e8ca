//! `score --coverage`: which lines of the reference the valid unit tests reach.

use super::course::Course;
use super::run::{harness, has_a_sandbox, has_pytest};
use super::unit_header::has_doctest;
use super::unit_tests::sharing_frameworks;
use harness::result::coverage::CoverageReport;
use harness::result::graded::Graded;

/// What is reported of a suite `mine` with one file, for a reader.
#[track_caller]
pub(super) fn coverage(course: &Course, file: &str, tests: &str, audience: &str) -> CoverageReport {
    course.write(&format!("mine/{file}"), tests);
    let args = ["--coverage", "--format", "json", "--audience", audience];
    let mut report = course.score("mine", &args).report();
    let suite = report.assignments.remove(0).suites.remove(0);
    suite.coverage.expect("it was asked for")
}

/// The lines of a file that no test reached.
pub(super) fn missed(course: &Course, coverage: &CoverageReport, file: &str) -> String {
    let text = course.read(file);
    let lines: Vec<_> = text.lines().collect();
    let ranges = coverage.missed.get(file).into_iter().flatten();
    ranges.flat_map(|[first, last]| lines[first - 1..*last].to_vec()).collect::<Vec<_>>().join("\n")
}

#[test]
#[ignore = "it compiles each variant; .ci/run runs it"]
fn staff_see_the_lines_that_no_valid_case_reaches_and_students_how_many() {
    if !has_doctest() {
        return;
    }
    let course = sharing_frameworks(Course::copy_of("examples/matrix-cpp"), "matrix");
    course.without_line("harness.yaml", "witnesses:");
    let tests = "#include \"Matrix.h\"
#include <doctest/doctest.h>
TEST_CASE(\"a new matrix is empty\") {
    Matrix matrix;
    Matrix_init(&matrix, 2, 3);
    CHECK(*Matrix_at(&matrix, 2, 1) == 0);
}
TEST_CASE(\"this is wrong\") {
    Matrix matrix;
    Matrix_init(&matrix, 2, 3);
    CHECK(Matrix_max(&matrix) == 7);
}
";
    let seen = coverage(&course, "Matrix_tests.cpp", tests, "staff");
    let missed = missed(&course, &seen, "Matrix.cpp");
    // A case that is rejected reaches nothing.
    assert!(missed.contains("most = std::max(most,"), "{missed}");
    assert!(missed.contains("bool top = row == 0;"), "{missed}");
    assert!(!missed.contains("std::fill(matrix->data"), "{missed}");
    // What only a bug does is no line of a right program.
    assert!(!missed.contains("count -= 1;"), "{missed}");
    assert!((20..60).contains(&seen.percent), "{seen:?}");
    let student = coverage(&course, "Matrix_tests.cpp", tests, "student");
    assert_eq!(student, seen.clone().brief());
    assert!(seen.lines.is_some() && student.lines.is_none());

    let text = course.score("mine", &["--coverage"]).stdout;
    assert!(text.contains(&format!("Coverage: {} % of the ", seen.percent)), "{text}");
    assert!(text.contains("Matrix.cpp, not reached: "), "{text}");
    let page = course
        .score("mine", &["--coverage", "--html", course.path("page.html").to_str().unwrap()])
        .exits(0);
    assert!(page.stdout.contains("Coverage: "));
    let without = course.score("mine", &[]).stdout;
    assert!(!without.contains("Coverage"), "{without}");
    assert_eq!(without, text.split_once("\nCoverage").unwrap().0.to_owned() + "\n");
}

#[test]
#[ignore = "it compiles tests with each variant; .ci/run runs it"]
fn a_member_of_a_template_that_no_test_uses_is_not_reached() {
    if !has_doctest() {
        return;
    }
    let course = sharing_frameworks(Course::copy_of("examples/list-cpp"), "list");
    course.keep_mutants(&["copies-in-reverse"]);
    let tests = "#include \"List.h\"
#include <doctest/doctest.h>
TEST_CASE(\"a new list is empty\") {
    List<int> list;
    CHECK(list.empty());
}
";
    let seen = coverage(&course, "List_tests.cpp", tests, "staff");
    let missed = missed(&course, &seen, "List.h");
    assert!(missed.contains("void push_front(const T &value) {"), "{missed}");
    assert!(!missed.contains("bool empty()"), "{missed}");
    assert!(seen.percent < 30, "{seen:?}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn lines_of_a_program_in_python_are_told_by_the_frameworks() {
    if !has_a_sandbox() || !has_pytest() {
        return;
    }
    let course = Course::copy_of("examples/library-python");
    course.keep_mutants(&["takes-any-book-back"]);
    course.without_line("harness.yaml", "witnesses:");
    let tests = "import unittest
from loans import is_leap
class Years(unittest.TestCase):
    def test_leap(self):
        assert is_leap(2000)
";
    let seen = coverage(&course, "test_loans.py", tests, "staff");
    let missed = missed(&course, &seen, "loans.py");
    assert!(missed.contains("day += DAYS") && !missed.contains("% 400 == 0"), "{missed}");
    assert!(!missed.contains("DAYS = 14") && !missed.contains("def due"), "{missed}");
    course.replace("harness.yaml", "unit: pytest ", "unit: unittest ");
    assert_eq!(coverage(&course, "test_loans.py", tests, "staff"), seen);
}

#[test]
#[ignore = "it compiles each variant; .ci/run runs it"]
fn a_course_that_asks_for_coverage_has_it_in_every_report() {
    if !has_doctest() || !has_a_sandbox() {
        return;
    }
    let course = sharing_frameworks(Course::copy_of("examples/matrix-cpp"), "matrix");
    course.replace(
        "harness.yaml",
        "      unit: doctest",
        "      coverage: true\n      unit: doctest",
    );
    let seen = course.score("student_tests/bob", &["--format", "json"]).report();
    let seen = seen.assignments[0].suites[0].coverage.clone().unwrap();
    assert!(seen.lines.is_some() && !seen.missed.is_empty(), "{seen:?}");

    let bob = course.word("student_tests/bob");
    let graded = |args: &[&str]| course.harness(&[&["grade", &bob], args].concat()).exits(0).stdout;
    let coverage = |json: &str| {
        let mut graded: Graded = serde_json::from_str(json).unwrap();
        graded.submissions.remove(0).tests.unwrap().coverage.unwrap()
    };
    let json = format!("json={}", course.word("bob.json"));
    let page = course.word("bob.html");
    let text =
        graded(&["--audience", "staff", "--format", "text", "--format", &json, "--html", &page]);
    assert!(text.contains(&format!("  coverage: {} % of the ", seen.percent)), "{text}");
    assert!(text.contains("    Matrix.cpp, not reached: "), "{text}");
    assert!(course.read("bob.html").contains("<p>Coverage: "));
    assert_eq!(coverage(&course.read("bob.json")), seen);
    let of_student = graded(&["--audience", "student", "--format", "json"]);
    assert_eq!(coverage(&of_student), seen.clone().brief());

    let results = course.word("results");
    let class = course.word("student_tests");
    course.harness(&["grade", &class, "--out", &results]).exits(0);
    let page = course.read("results/class.html");
    let row = format!("<td>{} %</td><td class=\"said\">rejected: Matrix_tests.cpp:", seen.percent);
    assert!(page.contains(&row), "{page}");
    let gradebook = course.read("results/gradebook.csv");
    let (first, rest) = gradebook.split_once('\n').unwrap();
    assert!(first.ends_with(",coverage_percent"), "{gradebook}");
    assert!(
        rest.lines()
            .any(|line| line.starts_with("bob,") && line.ends_with(&format!(",{}", seen.percent))),
        "{gradebook}"
    );
}

#[test]
fn tests_that_are_inputs_reach_no_lines_that_are_told() {
    harness(&["score", "student_tests/puzzle", "--coverage"]).fails(
        2,
        "error: the lines that tests of `puzzle` reach cannot be told
hint: --coverage is for unit tests
",
    );
}
