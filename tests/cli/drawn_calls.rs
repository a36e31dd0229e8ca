//! `harness generate` for unit tests: calls are drawn, and become tests in the framework's form.

use super::course::Course;
use super::run::{has_a_sandbox, has_pytest};
use super::unit_tests::{FRAMEWORKS, course};
use serde_json::Value;
use std::collections::BTreeSet;

/// What the files of a report expose.
fn reported(report: &Value) -> BTreeSet<String> {
    let files = report["files"].as_array().unwrap().iter();
    let exposes = files.flat_map(|file| file["exposes"].as_array().unwrap());
    exposes.map(|id| id.as_str().unwrap().to_owned()).collect()
}

/// Draws tests, and checks that each is valid and that together they expose what the report says.
fn draw(course: &Course, more: &[&str]) -> Value {
    let out = course.word("drawn");
    let args = [&["generate", "--out", &out, "--budget", "900", "--format", "json"], more];
    let report: Value = course.harness(&args.concat()).exits(0).json();
    let scored = course.score("drawn", &["--format", "json"]).exits(0).report();
    let suite = &scored.assignments[0].suites[0];
    assert_eq!(suite.valid_tests(), suite.tests.len(), "{:?}", suite.tests);
    let is_exposed = |id: &String| suite.exposed_by.contains_key(id);
    assert!(reported(&report).iter().all(is_exposed), "{report}");
    report
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn drawn_tests_in_each_framework_of_cpp_are_valid_and_expose_what_the_report_says() {
    if !has_a_sandbox() {
        return;
    }
    for framework in &FRAMEWORKS {
        let Some(course) = course(framework) else { continue };
        let wanted = ["swaps-width-and-height", "takes-zero-for-the-least-maximum"];
        let report = draw(&course, &["--mutants", &wanted.join(",")]);
        let found = reported(&report);
        assert!(wanted.iter().all(|it| found.contains(*it)), "{}: {found:?}", framework.key);
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
        let report = draw(&course, &wanted);
        assert_eq!(reported(&report).len(), 2, "{report}");
        let text = course.read("drawn/test_generated.py");
        assert!(text.contains("KeyError"), "{text}");
        assert!(text.contains("fee("), "{text}");
    }
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
