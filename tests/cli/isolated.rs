//! `harness score --isolated`: a build of its own for each mutant gives the results of the combined build.

use super::course::Course;
use super::run::{Run, command, output_within};
use super::{harness, repository};
use harness::domain::How;
use harness::result::Report;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Scores the sample suite of an assignment with a program of its own for each mutant. Building them without optimization takes a third of
/// the time and changes no result.
fn isolated(course: &Course, assignment: &str) -> Run {
    let mut command = command();
    command
        .args(["score", "student_tests", "--assignment", assignment, "--format", "json"])
        .args(["--isolated", "--course", &course.word("")])
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    output_within(&mut command, Duration::from_secs(900)).into()
}

/// The report, without which limit stopped a mutant. An isolated build counts no steps, so a mutant that never ends may use up its memory
/// before its time.
fn report(run: &Run) -> Report {
    let mut report: Report = run.report();
    let suites = report.assignments.iter_mut().flat_map(|assignment| &mut assignment.suites);
    for exposure in suites.flat_map(|suite| suite.exposed_by.values_mut().flatten()) {
        if matches!(exposure.how, How::Memory | How::OutputLimit) {
            exposure.how = How::Timeout;
        }
    }
    report
}

#[test]
#[ignore = "it builds 216 programs, which takes several minutes; .ci/run runs it"]
fn isolated_and_combined_builds_give_the_same_report_on_every_sample_suite() {
    // The programs have a target folder of their own, which the next run uses again.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("isolated");
    let course = Course::like(".", &target);
    let mut suites = 0;
    for suite in fs::read_dir(repository().join("student_tests")).unwrap() {
        let assignment = suite.unwrap().file_name().into_string().unwrap();
        let args = ["score", "student_tests", "--assignment", &assignment, "--format", "json"];
        let combined = harness(&args).exits(0);
        assert!(combined.report().assignments[0].suites[0].valid_tests() > 0, "{assignment}");
        let isolated = isolated(&course, &assignment).exits(0);
        assert_eq!(report(&isolated), report(&combined), "{assignment}");
        suites += 1;
    }
    assert_eq!(suites, 5);
}
