//! Submissions of unit tests: `grade`, `explain` and what else reads suites.

use super::course::Course;
use super::run::has_a_sandbox;
use super::skip;
use harness::result::graded::Graded;
use std::path::Path;

/// A copy of the example in C++, if its framework is there.
fn matrix() -> Option<Course> {
    if !has_a_sandbox() {
        return None;
    }
    if !Path::new("/usr/include/doctest/doctest.h").is_file() {
        skip("there is no doctest");
        return None;
    }
    Some(Course::copy_of("examples/matrix-cpp"))
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_submission_of_unit_tests_earns_points_for_the_mutants_that_it_exposes() {
    let Some(course) = matrix() else { return };
    let page = course.word("bob.html");
    let folder = course.word("student_tests/bob");
    let run = course.harness(&["grade", &folder, "--format", "json", "--html", &page]);
    let graded: Graded = run.exits(0).json();
    let report = &graded.submissions[0];
    let tests = report.tests.as_ref().unwrap();
    assert_eq!((tests.valid_tests(), tests.exposed_by.len()), (2, 2));
    let rejected = tests.tests.iter().find(|test| test.reason.is_some()).unwrap();
    assert_eq!(rejected.file, "Matrix_tests.cpp:minimum in the whole row");
    let parts: Vec<_> = report.points.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!((parts, report.findings.len()), (vec!["tests"], 0));
    assert!(report.build.is_none() && report.groups.is_empty());
    let page = course.read("bob.html");
    assert!(page.contains("minimum in the whole row") && !page.contains("Build"), "{page}");
}

#[test]
fn a_program_of_a_submission_has_no_effect_where_tests_are_unit_tests() {
    let course = Course::copy_of("examples/matrix-cpp");
    course.replace("harness.yaml", "      points:", "      program: matrix\n      points:");
    let run = course.score("student_tests/bob", &[]);
    run.fails(2, "...\n[..]`program` and `cases` have no effect where tests are unit tests\n...\n");
}
