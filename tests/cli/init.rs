//! `harness init`.

use super::course::Course;
use super::language::PYTHON;
use super::run::{has_a_sandbox, has_pytest};
use super::{folder, harness, path, skip, unit_java, unit_tests};
use harness::result::graded::{Graded, Verdict};
use std::collections::BTreeMap;
use std::process::Command;
use tempfile::TempDir;

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_new_course_builds_and_scores_at_once() {
    let parent = folder(&[]);
    let course = parent.path().join("course");
    let course = course.to_str().unwrap();
    harness(&["init", course]).exits(0);
    let run = harness(&[
        "score",
        &format!("{course}/student_tests"),
        "--course",
        course,
        "--format",
        "json",
    ])
    .exits(0);
    let score = run.report().assignments[0].suites[0].score.clone().unwrap();
    assert_eq!((score.exposed, score.mutants), (2, 3));
}

/// A new course for unit tests, whose sample suite scores.
fn scored(framework: &str) -> TempDir {
    let parent = folder(&[]);
    let course = parent.path().join("course");
    let word = course.to_str().unwrap();
    harness(&["init", "--unit", framework, word]).exits(0);
    unit_tests::share_frameworks(&course, "measures");
    let suite = format!("{word}/student_tests");
    let run = harness(&["score", &suite, "--course", word, "--format", "json"]).exits(0);
    let suites = &run.report().assignments[0].suites;
    let score = suites[0].score.clone().unwrap();
    assert_eq!((score.exposed, score.mutants, suites[0].valid_tests()), (2, 3, 2), "{framework}");
    parent
}

#[test]
#[ignore = "it compiles tests; .ci/run runs it"]
fn a_new_course_for_unit_tests_scores_in_each_framework() {
    if !has_a_sandbox() {
        return;
    }
    for framework in &unit_tests::FRAMEWORKS[..3] {
        if framework.is_there() {
            scored(framework.key);
        }
    }
    if has_pytest() {
        scored("unittest");
    }
    if unit_java::has_junit() {
        scored("junit");
    }
    scored("cargo");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_test_cases_of_a_new_course_for_unit_tests_expose_its_mutants() {
    if !has_a_sandbox() || !has_pytest() {
        return;
    }
    let parent = scored("pytest");
    let course = parent.path().join("course");
    let run = harness(&["mutants", "verify", "--course", course.to_str().unwrap()]).exits(0);
    assert!(run.stdout.starts_with("measures: 3 mutants verified"), "{}", run.stdout);
}

/// Grades the sample submissions of a new course in a language, which `tool` builds or runs.
fn samples_are_graded(language: &str, tool: &str) {
    if Command::new(tool).arg("--version").output().is_err() {
        return skip(&format!("there is no `{tool}` on this machine"));
    }
    if !has_a_sandbox() {
        return;
    }
    let course = Course::tally_in(language);
    // A program that is slower than full points allow need not run on for long, and what leaks on one case would leak on all of them.
    let cases = "      cases: cases/tally/cases.yaml\n";
    let sooner = format!("{cases}      leaks: {{ cases: 1 }}\n      time: {{ none: 10 }}\n");
    course.replace("harness.yaml", cases, &sooner);
    let class = course.word("submissions/tally");
    let graded: Graded =
        course.harness(&["grade", &class, "--jobs", "1", "--format", "json"]).exits(0).json();
    let report = |name: &str| {
        let found = graded.submissions.iter().find(|report| report.name == name);
        found.unwrap_or_else(|| panic!("{name} is not graded"))
    };
    let verdicts = |name: &str| {
        let cases = report(name).groups.iter().flat_map(|group| &group.cases);
        cases.map(|case| (case.name.clone(), case.verdict)).collect::<BTreeMap<_, _>>()
    };
    let names = |name: &str| {
        let verdicts = verdicts(name).into_iter();
        let failed = verdicts.filter(|(_, verdict)| *verdict != Verdict::Passed);
        failed.map(|(case, _)| case).collect::<Vec<_>>()
    };
    let right = report("right");
    assert!(right.findings.is_empty(), "{:?}", right.findings);
    assert_eq!(names("right"), [""; 0]);
    assert_eq!(right.points.earned.to_string(), right.points.max.to_string());
    assert_eq!(names("slow"), ["L2m"]);
    let slow = verdicts("slow")["L2m"];
    assert!(matches!(slow, Verdict::Slow | Verdict::Timeout), "{slow:?}");
    let wrong = verdicts("wrong");
    assert!(names("wrong").len() == 1 && wrong["Negative"] == Verdict::Wrong, "{wrong:?}");
    let error = report("broken").build.as_ref().and_then(|build| build.error.as_ref());
    assert!(error.is_some_and(|error| error.line.is_some()), "{error:?}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_samples_of_a_new_course_in_rust_are_graded() {
    samples_are_graded("rust", "rustc");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_samples_of_a_new_course_in_c_are_graded() {
    samples_are_graded("c", "gcc");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_samples_of_a_new_course_in_cpp_are_graded() {
    samples_are_graded("cpp", "g++");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_samples_of_a_new_course_in_python_are_graded() {
    samples_are_graded("python", "python3");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_samples_of_a_new_course_in_java_are_graded() {
    samples_are_graded("java", "javac");
}

#[test]
fn nothing_is_overwritten() {
    let full = folder(&[("notes.txt", b"mine")]);
    harness(&["init", path(&full)]).fails(
        2,
        "\
error: [..] already exists and is not an empty folder
hint: name a new folder; existing files are never overwritten
",
    );
    assert_eq!(std::fs::read_dir(full.path()).unwrap().count(), 1);
}

#[test]
fn a_course_that_cannot_be_written_is_an_error_with_a_hint() {
    let files = folder(&[("file", b"")]);
    harness(&["init", &format!("{}/file/course", path(&files))]).fails(
        5,
        "\
error: cannot write [..]: Not a directory (os error 20)
hint: name a place where you may write, or make this one writable
",
    );
}

#[test]
fn a_language_without_a_sample_is_one_for_commands() {
    harness(&["init", "--language", "fortran", "course"]).fails(
        2,
        "\
error: invalid value 'fortran' for '--language <LANGUAGE>'
  [possible values: rust, cpp, c, python, java]

hint: for a program in any other language, the course file names commands: see docs/any-program

For more information, try '--help'.
",
    );
}

#[test]
fn a_new_course_forgives_what_nobody_sees_at_the_end_of_a_line() {
    let Some(course) = PYTHON.course() else { return };
    let course: Course = course
        .file("t/test-1-m.txt", "1\n2")
        .file("t/test-2-m.txt", "1 \n2\t\n")
        .file("t/test-3-m.txt", "1\r\n2\r\n")
        .file("t/test-4-m.txt", "\u{feff}1\n2\n");
    let run = course.score("t", &["--format", "json"]).exits(0);
    let suite = &run.report().assignments[0].suites[0];
    let rejected = suite.tests.iter().filter_map(|test| Some((&test.file, test.reason.as_ref()?)));
    let rejected: Vec<_> = rejected.collect();
    let [(file, reason)] = rejected.as_slice() else { panic!("{rejected:?}") };
    assert_eq!(file.as_str(), "test-4-m.txt");
    assert!(reason.starts_with("the file begins with a byte order mark: "), "{reason}");
}
