//! Programs in any language, started once for each case: the C example of the documentation.

use super::course::Course;
use super::harness;
use super::run::has_a_compiler;

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn each_mutant_of_a_c_program_affects_only_its_own_verdict() {
    if !has_a_compiler() {
        return;
    }
    let run = harness(&[
        "score",
        "docs/any-program/student_tests",
        "--course",
        "docs/any-program",
        "--format",
        "json",
    ])
    .exits(0);
    let suite = &run.report().assignments[0].suites[0];
    let hows: Vec<_> = suite
        .exposed_by
        .iter()
        .map(|(id, by)| (id.as_str(), by.len(), by[0].file.as_str(), by[0].how.word()))
        .collect();
    let expected = [
        ("crashes-from-nine", 1, "test-9.txt", "crash"),
        ("eats-memory-from-eight", 1, "test-8.txt", "memory"),
        ("never-ends-from-seven", 1, "test-7.txt", "timeout"),
        ("prints-without-end-from-six", 1, "test-6.txt", "output-limit"),
        ("starts-a-crowd-from-five", 1, "test-5.txt", "crash"),
        ("words-end-at-two", 1, "test-1-w.txt", "output"),
    ];
    assert_eq!(hows, expected);
}

#[test]
fn a_failed_build_breaks_the_course_and_exposes_nothing() {
    let program = "{ reference: { build: ['false'], run: ['true'] }, mutant: { run: ['true'] } }";
    let course = Course::new("a", program).mutant("m", &[]).file("suite/test-1.txt", "x");
    let run = course.score("suite", &[]).fails(4, "error: cannot build `reference` of `a`\n\n");
    assert_eq!(run.stdout, "");
}

#[test]
fn a_missing_program_fails_the_run_and_exposes_nothing() {
    let course = Course::of_commands("a", "true", "/no/such/program")
        .mutant("m", &[])
        .file("suite/test-1.txt", "x");
    course
        .score("suite", &[])
        .fails(5, "error: cannot run /no/such/program: No such file or directory (os error 2)\n");
}
