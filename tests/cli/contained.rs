//! Programs that try to escape, to end others, or to use up the machine.

use super::course::Course;
use super::run::has_a_compiler;
use super::{harness, repository, skip};
use harness::report::doctor::{Diagnosis, Health};
use std::fs;
use std::process::Command;

/// Whether runs have PID namespaces; if not, the test is skipped.
fn has_namespaces() -> bool {
    let diagnosis: Diagnosis =
        harness(&["doctor", "--course", "docs/any-program", "--format", "json"]).json();
    let containment = diagnosis.findings.iter().find(|finding| finding.what == "containment");
    let found = containment.expect("doctor reports it").health == Health::Fine;
    if !found {
        skip("there are no PID namespaces on this machine");
    }
    found
}

/// A course whose mutants are what `contained.c` can do.
fn course(mutants: &[(&str, &str)]) -> Course {
    let course = Course::of_commands("a", "./program", "./program {mutant} MARKER");
    course.replace("harness.yaml", "MARKER", &marker(&course));
    let source = repository().join("tests/cli/contained.c");
    let compiled =
        Command::new("cc").arg(source).arg("-o").arg(course.path("program")).status().unwrap();
    assert!(compiled.success());
    mutants
        .iter()
        .fold(course, |course, (id, _)| course.mutant(id, &[]))
        .with("run", "{ seconds: 0.5, output_kb: 64, processes: 20 }")
        .file("tests/test-1.txt", "x")
}

/// A word of the command line of each mutant.
fn marker(course: &Course) -> String {
    course.path("").file_name().expect("it is in a folder").to_string_lossy().into_owned()
}

/// Scores a suite of one test against `mutants`, and requires that each is exposed in this way and leaves no process behind.
#[track_caller]
fn each_is_exposed(mutants: &[(&str, &str)]) {
    let course = course(mutants);
    let report = course.score("tests", &["--format", "json", "--jobs", "2"]).exits(0).report();
    let exposed = &report.assignments[0].suites[0].exposed_by;
    let hows: Vec<_> = exposed.iter().map(|(id, by)| (id.as_str(), by[0].how.word())).collect();
    assert_eq!(hows, mutants);
    let marker = marker(&course);
    let left = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
        let words = fs::read(entry.path().join("cmdline")).ok()?;
        Some(String::from_utf8_lossy(&words).into_owned()).filter(|words| words.contains(&marker))
    });
    assert_eq!(left.collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_program_that_disturbs_its_own_run_affects_only_its_own_verdict() {
    if has_a_compiler() {
        each_is_exposed(&[
            ("changes-its-folder", "output"),
            ("closes-its-streams", "output"),
            ("exits-at-once", "output"),
            ("ignores-signals", "timeout"),
            ("kills-its-group", "crash"),
            ("leaves-its-group", "timeout"),
            ("limits-itself", "output"),
            ("overflows-the-stack", "crash"),
            ("prints-otherwise", "output"),
            ("prints-without-end", "output-limit"),
            ("starts-a-crowd", "crash"),
            ("stops-its-group", "timeout"),
        ]);
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_program_can_neither_escape_nor_end_what_it_did_not_start() {
    if has_a_compiler() && has_namespaces() {
        each_is_exposed(&[
            ("kills-everything", "exit"),
            ("kills-its-parent", "crash"),
            ("kills-the-first-process", "exit"),
            ("leaves-a-daemon", "output"),
            ("leaves-a-daemon-that-holds-its-streams", "output"),
            ("prints-otherwise", "output"),
            ("starts-a-crowd-of-sessions", "crash"),
        ]);
    }
}
