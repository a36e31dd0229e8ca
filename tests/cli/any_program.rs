//! Programs in any language, started once for each case: the C example of the documentation.

use super::{folder, harness, path};
use std::process::Command;

/// Whether there is a C compiler. Prints a note if there is none.
pub(super) fn has_a_compiler() -> bool {
    let found = Command::new("cc").arg("--version").output().is_ok();
    if !found {
        eprintln!("skipped: there is no C compiler `cc` on this machine");
    }
    found
}

#[test]
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
    let course = "course: c\nassignments:\n  a:\n    domain: text\n    program:\n      reference: { build: ['false'], run: ['true'] }\n      \
         mutant: { run: ['true'] }\n    mutants: mutants\n    tests: { files: 1, flags: [] }\n    scoring: { start: 1, full: 1 }\n";
    let mutant = "summary: s\nkind: misreading\narea: a\nspec: s\nhint: h\npoints: 1\n";
    let files = [
        ("harness.yaml", course.as_bytes()),
        ("mutants/m.yaml", mutant.as_bytes()),
        ("suite/test-1.txt", b"x"),
    ];
    let course = folder(&files);
    let suite = course.path().join("suite");
    let run = harness(&["score", suite.to_str().unwrap(), "--course", path(&course)]).exits(4);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.starts_with("error: cannot build `reference` of `a`"), "{}", run.stderr);
}

#[test]
fn a_missing_program_fails_the_run_and_exposes_nothing() {
    let course = "course: c\nassignments:\n  a:\n    domain: text\n    program:\n      reference: { run: ['true'] }\n      \
         mutant: { run: [/no/such/program] }\n    mutants: mutants\n    tests: { files: 1, flags: [] }\n    scoring: { start: 1, full: 1 }\n";
    let mutant = "summary: s\nkind: misreading\narea: a\nspec: s\nhint: h\npoints: 1\nwitness: { flags: \"\", input: x }\n";
    let files = [
        ("harness.yaml", course.as_bytes()),
        ("mutants/m.yaml", mutant.as_bytes()),
        ("suite/test-1.txt", b"x"),
    ];
    let course = folder(&files);
    let suite = course.path().join("suite");
    let run = harness(&["score", suite.to_str().unwrap(), "--course", path(&course)]).exits(5);
    assert!(run.stderr.starts_with("error: cannot run /no/such/program: "), "{}", run.stderr);
}
