//! `harness score --isolated`: a build of its own for each mutant gives the results of the combined build.

use super::course::Course;
use super::harness;
use super::run::{Run, command, output};
use harness::domain::How;
use harness::result::Report;
use std::path::Path;

/// Scores the sample suite of an assignment with a program of its own for each mutant. Building them without optimization takes a third of
/// the time and changes no result.
fn isolated(course: &Course) -> Run {
    let mut command = command();
    command
        .args(["score", "student_tests", "--assignment", ASSIGNMENT, "--format", "json"])
        .args(["--isolated", "--course", &course.word("")])
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1");
    output(&mut command).into()
}

fn is_stopped(how: How) -> bool {
    matches!(how, How::Timeout | How::Memory | How::OutputLimit)
}

/// Gives each verdict of `isolated` the manner that `combined` has, if a limit stopped the mutant in one of them: an isolated build counts
/// no steps, so that it may go on for longer, or use up its memory before its time.
fn ignore_limits(isolated: &mut Report, combined: &Report) {
    let (Some(isolated), Some(combined)) =
        (isolated.assignments[0].suites.first_mut(), combined.assignments[0].suites.first())
    else {
        return;
    };
    let pairs = isolated.exposed_by.values_mut().zip(combined.exposed_by.values());
    for (one, other) in pairs.flat_map(|(ones, others)| ones.iter_mut().zip(others)) {
        if is_stopped(one.how) || is_stopped(other.how) {
            one.how = other.how;
        }
    }
}

/// The one with the fewest mutants. `harness mutants verify` compares the builds of all of them on each witness, and takes minutes.
const ASSIGNMENT: &str = "maze-generator";

#[test]
#[ignore = "it builds a program for each mutant of an assignment; .ci/run runs it"]
fn isolated_and_combined_builds_give_the_same_verdicts_on_a_sample_suite() {
    // The programs have a target folder of their own, which the next run uses again.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("isolated");
    let course = Course::like(".", &target);
    let args = ["score", "student_tests", "--assignment", ASSIGNMENT, "--format", "json"];
    let combined = harness(&args).exits(0).report();
    assert!(combined.assignments[0].suites[0].valid_tests() > 0);
    let mut isolated = isolated(&course).exits(0).report();
    ignore_limits(&mut isolated, &combined);
    assert_eq!(isolated, combined);
}
