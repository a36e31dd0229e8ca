//! `harness doctor`.

use super::course::Course;
use super::letters::letters;
use super::run::{command, has_a_sandbox, has_pytest, output};
use super::{Run, folder, harness, repository};
use harness::report::doctor::{Diagnosis, Finding, Health};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// Runs `doctor` with a `PATH` that contains only a shell and what the course `letters` needs.
fn on_a_bare_machine(args: &[&str]) -> Run {
    run_on_a_bare_machine(&[&["doctor"], args].concat())
}

fn run_on_a_bare_machine(args: &[&str]) -> Run {
    let bare = folder(&[]);
    for program in ["sh", "cat", "tr", "sleep"] {
        let path = ["/bin", "/usr/bin"]
            .map(|folder| Path::new(folder).join(program))
            .into_iter()
            .find(|path| path.exists());
        symlink(path.expect("every machine has it"), bare.path().join(program)).unwrap();
    }
    output(command().args(args).env("PATH", bare.path()).env_remove("CARGO")).into()
}

fn diagnosis(run: &Run) -> Diagnosis {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}\n{}", run.stdout))
}

fn find<'a>(diagnosis: &'a Diagnosis, what: &str) -> &'a Finding {
    diagnosis
        .findings
        .iter()
        .find(|finding| finding.what == what)
        .unwrap_or_else(|| panic!("{what} in {diagnosis:?}"))
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_machine_with_everything_that_the_course_needs_is_healthy() {
    let course = letters("{ }");
    let found =
        diagnosis(&on_a_bare_machine(&["--course", &course.word(""), "--format", "json"]).exits(0));
    assert!(found.healthy && found.schema == "harness-doctor/1");
    for what in ["cargo", "C compiler", "sandbox", "browser"] {
        let finding = find(&found, what);
        assert_eq!(finding.health, Health::Optional, "{finding:?}");
        // Nobody must install Rust for a course that is not in Rust.
        assert_eq!(finding.remedy.is_some(), what != "cargo", "{finding:?}");
    }
    assert!(find(&found, "cargo").found.ends_with("; only courses in Rust need it"), "{found:?}");
    assert_eq!(
        find(&found, "C compiler").found,
        "there is no `cc`; only programs in C and Rust need it"
    );
    assert!(find(&found, "sandbox").found.contains("`harness grade`"), "{found:?}");
    let limits = ["time", "output", "memory", "processes"].map(|limit| format!("limit on {limit}"));
    for what in limits.iter().map(String::as_str).chain([
        "temporary files",
        "target folder",
        "course file",
        "reference of letters",
    ]) {
        assert_eq!(find(&found, what).health, Health::Fine, "{what}");
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_crate_requires_cargo_and_doctor_says_how_to_install_it() {
    let run = on_a_bare_machine(&[]).exits(5);
    let cargo = run.stdout.lines().find(|line| line.contains("cargo")).unwrap();
    assert!(cargo.starts_with("MISSING   cargo "), "{}", run.stdout);
    assert!(
        run.stdout.contains("hint: get Rust 1.90 or newer from https://rustup.rs"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.ends_with("\nSomething required is missing\n"), "{}", run.stdout);
}

#[test]
fn a_course_with_unit_tests_requires_the_sandbox() {
    let course = repository().join("examples/library-python");
    let course = course.to_str().unwrap();
    let run = on_a_bare_machine(&["--course", course, "--format", "json"]).exits(5);
    let found = diagnosis(&run);
    let sandbox = find(&found, "sandbox");
    assert_eq!(sandbox.health, Health::Missing, "{sandbox:?}");
    assert!(sandbox.found.ends_with("so `harness score` needs it"), "{sandbox:?}");
    assert!(sandbox.remedy.as_deref().unwrap().starts_with("install bubblewrap"), "{sandbox:?}");
    for finding in &found.findings {
        let hint = format!("{} {:?}", finding.found, finding.remedy);
        assert!(!hint.contains("`harness doctor`"), "{finding:?}");
    }
}

#[test]
#[ignore = "it runs unit tests; .ci/run runs it"]
fn a_reference_of_unit_tests_runs_only_with_test_cases_of_the_course() {
    if !has_a_sandbox() || !has_pytest() {
        return;
    }
    let course = Course::copy_of("examples/library-python");
    let found = course.harness(&["doctor"]).exits(0).stdout;
    assert!(found.contains("is built and runs; 13 test cases pass"), "{found}");
    course.without_line("harness.yaml", "witnesses:");
    let found = course.harness(&["doctor"]).exits(0).stdout;
    assert!(found.contains("is built; the course has no test cases of its own to run"), "{found}");
}

#[test]
fn a_missing_cargo_is_a_failure_of_the_machine_not_of_the_course() {
    // A program that is up to date needs no Cargo.
    let unbuilt = Course::tally();
    let course = unbuilt.word("");
    run_on_a_bare_machine(&["score", &unbuilt.word("student_tests"), "--course", &course]).fails(
        5,
        "\
error: cannot start `cargo`: No such file or directory (os error 2)
hint: `harness doctor` lists what is missing and how to install it
",
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_missing_course_is_reported_with_one_hint() {
    let run = harness(&["doctor", "--course", "no-such-course"]).exits(4);
    assert_eq!(
        run.stdout.matches("hint: give its path with --course").count(),
        1,
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("hint: name another course"), "{}", run.stdout);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_broken_course_is_reported_with_its_place() {
    let course = letters("{ nobody: count }");
    let run = harness(&["doctor", "--course", &course.word("")]).exits(4);
    assert!(
        run.stdout.contains("MISSING   course file") && run.stdout.contains("harness.yaml:9:17"),
        "{}",
        run.stdout
    );

    let course = letters("{ }");
    let yaml = std::fs::read_to_string(course.path("harness.yaml")).unwrap();
    course.write(
        "harness.yaml",
        yaml.replace("reference: {", "reference: { build: [sh, no-such-file],"),
    );
    let found =
        diagnosis(&harness(&["doctor", "--course", &course.word(""), "--format", "json"]).exits(4));
    let reference = find(&found, "reference of letters");
    assert!(
        reference.health == Health::Missing
            && reference.found.contains("cannot build `reference` of `letters`"),
        "{reference:?}"
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_target_folder_that_cannot_be_written_is_an_obstacle_only_if_something_must_be_built() {
    let course = letters("{ }");
    course.write("target", "a file\n");
    let doctor = || harness(&["doctor", "--course", &course.word(""), "--format", "json"]);
    let found = diagnosis(&doctor().exits(0));
    let target = find(&found, "target folder");
    assert!(target.health == Health::Optional && target.remedy.is_some(), "{target:?}");

    let yaml = std::fs::read_to_string(course.path("harness.yaml")).unwrap();
    let builds = yaml.replace("reference: {", "reference: { build: ['true'],");
    course.write("harness.yaml", &builds);
    let found = diagnosis(&doctor().exits(5));
    let reference = find(&found, "reference of letters");
    assert_eq!(reference.health, Health::Missing);
    assert!(reference.found.contains(&course.word("target/harness/letters")), "{reference:?}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_machine_is_no_worse_for_a_harness_of_low_priority() {
    let course = letters("{ }");
    let found = |mut command: Command| {
        command.args(["doctor", "--format", "json", "--course", &course.word("")]);
        let findings = diagnosis(&output(&mut command).into()).findings.into_iter();
        findings.map(|finding| (finding.what, finding.health)).collect::<Vec<_>>()
    };
    // A program gets priority 10.
    let mut low = Command::new("nice");
    low.args(["-n", "11", crate::PROGRAM]).current_dir(repository());
    let (low, usual) = (found(low), found(command()));
    assert_eq!(low, usual);
    assert!(usual.contains(&("reference of letters".to_owned(), Health::Fine)), "{usual:?}");
}
