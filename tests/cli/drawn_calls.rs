//! `harness generate` for unit tests: calls are drawn, and become tests in the framework's form.

use super::course::Course;
use super::run::{has_a_sandbox, has_pytest};
use super::unit_tests::{FEW, FRAMEWORKS};
use super::{folder, harness};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// What the files of a report expose.
fn reported(report: &Value) -> BTreeSet<String> {
    let files = report["files"].as_array().unwrap().iter();
    let exposes = files.flat_map(|file| file["exposes"].as_array().unwrap());
    exposes.map(|id| id.as_str().unwrap().to_owned()).collect()
}

/// Draws tests with a course, and checks that each is valid and that together they expose what the report says. Also gives the folder
/// in which `drawn` has the tests.
fn draw(course: &Path, more: &[&str]) -> (Value, TempDir) {
    let place = folder(&[]);
    let drawn = place.path().join("drawn");
    let out = drawn.to_str().unwrap();
    let course = ["--format", "json", "--course", course.to_str().unwrap()];
    let args = ["generate", "--out", out, "--budget", "900"];
    let drawn = harness(&[&args, more, &course].concat());
    assert_eq!(drawn.status, 0, "{}", drawn.stderr);
    let report: Value = drawn.json();
    let scored = harness(&[&["score", out], &course[..]].concat()).report();
    let suite = &scored.assignments[0].suites[0];
    assert_eq!(suite.valid_tests(), suite.tests.len(), "{:?}", suite.tests);
    let is_exposed = |id: &String| suite.exposed_by.contains_key(id);
    assert!(reported(&report).iter().all(is_exposed), "{report}");
    (report, place)
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn drawn_tests_in_each_framework_of_cpp_are_valid_and_expose_what_the_report_says() {
    if !has_a_sandbox() {
        return;
    }
    for framework in FRAMEWORKS.iter().filter(|framework| framework.is_there()) {
        let (report, _) = draw(&framework.few_mutants(), &[]);
        let found = reported(&report);
        assert!(FEW.iter().all(|it| found.contains(*it)), "{}: {found:?}", framework.key);
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn drawn_tests_of_a_module_in_python_ask_for_values_and_for_exceptions() {
    if !has_a_sandbox() {
        return;
    }
    for framework in ["unittest", "pytest"] {
        if framework == "pytest" && !has_pytest() {
            continue;
        }
        let course = Course::copy_of("examples/library-python");
        course.replace("harness.yaml", "unit: pytest ", &format!("unit: {framework} "));
        // The witnesses are test cases of pytest.
        course.without_line("harness.yaml", "witnesses:");
        let wanted = ["--mutants", "takes-any-book-back,rounds-the-half-down"];
        let (report, place) = draw(&course.path(""), &wanted);
        assert_eq!(reported(&report).len(), 2, "{report}");
        let text = fs::read_to_string(place.path().join("drawn/test_generated.py")).unwrap();
        assert!(text.contains("KeyError"), "{text}");
        assert!(text.contains("fee("), "{text}");
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_missing_witness_is_drawn_and_added_to_the_courses_own_cases() {
    if !has_a_sandbox() || !has_pytest() {
        return;
    }
    let course = Course::copy_of("examples/library-python");
    course.keep_mutants(&["lists-each-title-once", "rounds-the-half-down", "takes-any-book-back"]);
    let case = "def test_the_half_of_students_is_rounded_up():\n    assert fee(3, True) == 38\n";
    course.replace("test_witnesses.py", case, "");
    let before = fs::read_to_string(course.path("test_witnesses.py")).unwrap();

    let report: Value =
        course.harness(&["mutants", "witness", "--all", "--format", "json"]).exits(0).json();
    let mutants = report["drawn"][0]["mutants"].as_array().unwrap();
    assert_eq!(mutants.len(), 3);
    for mutant in mutants {
        let is_missing = mutant["id"] == "rounds-the-half-down";
        assert_eq!(mutant["status"], if is_missing { "written" } else { "kept" }, "{mutant}");
    }
    let after = fs::read_to_string(course.path("test_witnesses.py")).unwrap();
    assert!(after.starts_with(before.trim_end()), "what was there is as it was: {after}");
    let again = course.harness(&["mutants", "witness", "--missing"]).exits(0);
    assert_eq!(again.stdout, "nothing to do: every mutant has a witness\n");
}

#[test]
fn an_assignment_that_does_not_describe_calls_says_how_to() {
    let course = Course::copy_of("examples/library-python");
    course.replace(
        "harness.yaml",
        "      calls: calls.yaml                 # what `harness generate` may call\n",
        "",
    );
    let message = "error: nothing says which calls of this program tests can make\nhint: describe them with `calls:` in `tests` of the course file, and generate again\n";
    course.harness(&["generate"]).fails(2, message);
}

#[test]
fn calls_in_a_language_in_which_none_can_be_drawn_are_not_asked_for() {
    let course = Course::copy_of("examples/bank-java");
    let message = "error: calls of programs in this language cannot be drawn\nhint: they can for programs in C, C++ and Python\n";
    course.harness(&["generate"]).fails(2, message);
}
