//! Hostile unit tests. The first lines of each say what must come of it: that its cases are rejected with some words, or that it exposes
//! nothing. None reads or changes anything outside.

use super::course::Course;
use super::run::has_a_sandbox;
use super::run::has_pytest;
use super::unit_tests::sharing_frameworks;
use super::{repository, skip, unit_java, unit_rust};
use harness::result::SuiteReport;
use std::fs;
use std::path::Path;

/// What no test may find out.
const SECRET: &str = "the answers of the instructor";

/// What must come of an attack.
enum Comes {
    /// All its cases are rejected, with one of these texts.
    Rejected(Vec<String>),
    Nothing,
    /// By chance, it may expose one mutant.
    Little,
}

/// Each attack, with what must come of it.
fn attacks(folder: &str) -> Vec<(String, String, Comes)> {
    let folder = repository().join("tests/attacks/unit").join(folder);
    let mut attacks = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let text = fs::read_to_string(entry.path()).unwrap();
        let said = text.lines().find_map(|line| line.split_once("Comes of it: "));
        let said = said.unwrap_or_else(|| panic!("{} does not say", entry.path().display())).1;
        let comes = match said {
            "nothing" => Comes::Nothing,
            "at most one mutant" => Comes::Little,
            _ => Comes::Rejected(
                said.split(" | ").map(|it| it.strip_prefix("rejected: ").unwrap().into()).collect(),
            ),
        };
        attacks.push((entry.file_name().into_string().unwrap(), text, comes));
    }
    attacks
}

/// What is wrong with what came of an attack.
fn mistake(suite: &SuiteReport, comes: &Comes) -> Option<String> {
    let reasons: Vec<_> = suite.tests.iter().filter_map(|test| test.reason.clone()).collect();
    let most = usize::from(matches!(comes, Comes::Little));
    if suite.exposed_by.len() > most {
        return Some(format!("it exposes {:?}", suite.exposed_by));
    }
    let Comes::Rejected(words) = comes else { return None };
    let is_right = |reason: &String| words.iter().any(|words| reason.contains(words));
    (reasons.is_empty() || suite.valid_tests() > 0 || !reasons.iter().all(is_right)).then(|| {
        format!("{} are valid, and others are rejected: {reasons:#?}", suite.valid_tests())
    })
}

/// Hands in each attack of a folder, of which there are at least so many, as the tests of one student, with other settings for files.
fn try_all(course: &Course, folder: &str, [old, new]: [&str; 2], least: usize) {
    course.replace("harness.yaml", old, new);
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret");
    fs::write(&secret, SECRET).unwrap();
    let attacks = attacks(folder);
    for (name, text, _) in &attacks {
        let text = text.replace("OUTSIDE", outside.path().to_str().unwrap());
        course.write(&format!("attacks/{name}/{name}"), text);
    }
    let run = course.score("attacks", &["--format", "json"]);
    assert!(!run.stdout.contains(SECRET) && !run.stderr.contains(SECRET), "{}", run.stdout);
    assert_eq!(fs::read_to_string(&secret).unwrap(), SECRET);
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
    for left in ["/tmp/seen", "/var/tmp/seen", "/dev/shm/seen"] {
        assert!(!Path::new(left).exists(), "{left}");
    }
    let report = run.report();
    let suites = &report.assignments[0].suites;
    assert!(attacks.len() >= least && suites.len() == attacks.len());
    let mut mistakes = Vec::new();
    for (name, _, comes) in &attacks {
        let suite = suites.iter().find(|suite| suite.name == *name).expect("it is scored");
        mistakes.extend(mistake(suite, comes).map(|it| format!("{name}: {it}")));
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

#[test]
#[ignore = "it compiles many files; .ci/run runs it"]
fn hostile_tests_in_cpp_gain_nothing() {
    if !has_a_sandbox() {
        return;
    }
    if !Path::new("/usr/include/doctest/doctest.h").is_file() {
        skip("there is no doctest on this machine");
        return;
    }
    let course = sharing_frameworks(Course::copy_of("examples/matrix-cpp"), "matrix");
    course.keep_mutants(&[
        "begins-the-minimum-in-the-first-column",
        "leaves-the-left-out-of-the-border",
        "swaps-width-and-height",
        "takes-zero-for-the-least-maximum",
    ]);
    try_all(
        &course,
        "cpp",
        ["files: [Matrix_tests.cpp]", "files: [\"*.cpp\"]\n      cases: 60"],
        25,
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn hostile_tests_in_python_gain_nothing() {
    if has_a_sandbox() && has_pytest() {
        let course = Course::copy_of("examples/library-python");
        course.keep_mutants(&[
            "hands-out-its-own-list",
            "lists-each-title-once",
            "rounds-the-half-down",
            "takes-any-book-back",
        ]);
        try_all(
            &course,
            "python",
            ["files: [\"test_*.py\"]", "files: [\"*.py\"]\n      cases: 100"],
            25,
        );
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn hostile_tests_in_java_gain_nothing() {
    let Some(course) = unit_java::course() else { return };
    course.keep_mutants(&["computes-interest-in-ints", "gives-no-credit", "rounds-interest-down"]);
    try_all(
        &course,
        "java",
        ["files: [\"*Test.java\"]", "files: [\"*Test.java\"]\n      cases: 60"],
        1,
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn hostile_tests_in_rust_gain_nothing() {
    if has_a_sandbox() {
        let files = ["files: [\"*_tests.rs\"]", "files: [\"*_tests.rs\"], cases: 60"];
        try_all(&unit_rust::course(), "rust", files, 1);
    }
}
