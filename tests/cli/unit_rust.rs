//! Tests that are programs: students' integration tests of a crate in Rust.

use super::course::Course;
use super::repository;
use super::run::has_a_sandbox;
use harness::report::surveyed::Surveyed;
use harness::result::Report;

const COURSE: &str = "\
course: Rust
assignments:
  lists:
    program: { cargo: reference }
    mutants: mutants
    references: [also-right]
    tests: { unit: cargo, files: [\"*_tests.rs\"] }
    scoring: { start: 1, full: 3 }
";

pub(super) const LISTS: &str = "\
use subject::bug;

/// The last so many of the items, or all if there are fewer.
pub fn last<T: Clone>(items: &[T], many: usize) -> Vec<T> {
    if bug!(\"takes-the-first\") {
        return items.iter().take(many).cloned().collect();
    }
    let many = if bug!(\"panics-if-there-are-fewer\") { many } else { many.min(items.len()) };
    items[items.len() - many..].to_vec()
}

/// The middle of two numbers, rounded.
pub fn middle(a: i64, b: i64) -> i64 {
    if bug!(\"adds-only\") { a + b } else { (a + b) / 2 }
}
";

const ALSO_RIGHT: &str = "\
pub fn last<T: Clone>(items: &[T], many: usize) -> Vec<T> {
    let mut last: Vec<_> = items.iter().rev().take(many).cloned().collect();
    last.reverse();
    last
}

pub fn middle(a: i64, b: i64) -> i64 {
    (a + b).div_euclid(2)
}
";

const TESTS: &str = "\
use my_lists::{last, middle};

#[test]
fn takes_the_last() {
    assert_eq!(last(&[1, 2, 3], 2), [2, 3]);
}

#[test]
fn takes_all_if_there_are_fewer() {
    assert_eq!(last(&[\"a\"], 2), [\"a\"]);
}

mod middles {
    use super::*;

    #[test]
    fn is_between() {
        assert_eq!(middle(2, 4), 3);
    }

    #[test]
    fn is_wrong() {
        assert_eq!(middle(2, 4), 4, \"so I think\");
    }
}

#[test]
fn rounds_towards_zero() {
    assert_eq!(middle(-2, 1), 0);
}

#[test]
#[ignore = \"later\"]
fn is_left_for_later() {
    assert_eq!(middle(2, 4), 5);
}

#[test]
#[should_panic]
fn overflows() {
    middle(i64::MAX, 1);
}
";

/// A course with one crate, another right one, and a mutant for each bug.
pub(super) fn course() -> Course {
    let subject = repository().join("crates/subject");
    let manifest = format!(
        "[package]\nname = \"my-lists\"\nedition = \"2024\"\n\n[dependencies]\nsubject = {{ path = \"{}\" }}\n\n[features]\ntakes-the-first = []\npanics-if-there-are-fewer = []\nadds-only = []\n",
        subject.display()
    );
    let mut course = Course::from_yaml(COURSE)
        .file("reference/Cargo.toml", manifest)
        .file("reference/src/lib.rs", LISTS)
        .file("also-right/Cargo.toml", "[package]\nname = \"other\"\nedition = \"2024\"\n")
        .file("also-right/src/lib.rs", ALSO_RIGHT);
    for id in ["takes-the-first", "panics-if-there-are-fewer", "adds-only"] {
        let text = "summary: It is wrong.\nkind: implementation\ntopic: lists\nspec: lists\nhint: Try more.\npoints: 1\n";
        course = course.file(&format!("mutants/{id}.yaml"), text);
    }
    course
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn integration_tests_of_a_crate_expose_its_mutants() {
    if !has_a_sandbox() {
        return;
    }
    let course = course().file("ann/lists_tests.rs", TESTS).file(
        "ann/more_tests.rs",
        "#[test]\nfn a() {\n    assert!(my_lists::lsat(&[1], 1).len() == 1);\n}\n",
    );
    let report: Report = course.score("ann", &["--format", "json"]).exits(0).report();
    let suite = &report.assignments[0].suites[0];
    let exposed = suite.exposed_by.iter().map(|(id, by)| format!("{id} by {}", by[0].file));
    let expected = [
        "adds-only by lists_tests.rs:middles::is_between",
        "panics-if-there-are-fewer by lists_tests.rs:takes_all_if_there_are_fewer",
        "takes-the-first by lists_tests.rs:takes_the_last",
    ];
    assert_eq!(exposed.collect::<Vec<_>>(), expected);
    let rejected = suite.tests.iter().filter_map(|test| {
        let line = test.line.map(|line| format!(":{line}")).unwrap_or_default();
        Some(format!("{}{line}: {}", test.file, test.reason.as_ref()?))
    });
    let mut rejected: Vec<_> = rejected.collect();
    rejected.sort();
    let expected = [
        "lists_tests.rs:is_left_for_later:34: it is skipped: later",
        "lists_tests.rs:middles::is_wrong:23: it fails on a right program: assertion `left == right` failed: so I think; left: 3; right: 4",
        "lists_tests.rs:rounds_towards_zero:29: it fails on the right program also-right: assertion `left == right` failed; left: -1; right: 0",
        "more_tests.rs:3: cannot find function `lsat` in crate `my_lists`",
    ];
    assert_eq!(rejected, expected);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn what_the_witnesses_of_a_crate_expose_is_found_again_when_the_crate_changes() {
    if !has_a_sandbox() {
        return;
    }
    let witnesses = TESTS.replace("middle(2, 4), 4", "middle(2, 4), 3");
    // What a student hands in makes no difference, and nothing is run for a test that is wrong.
    let wrong = "#[test]\nfn is_wrong() {\n    panic!();\n}\n";
    let course = course().file("ann/lists_tests.rs", wrong).file("witnesses_tests.rs", witnesses);
    let files = "files: [\"*_tests.rs\"]";
    course.replace("harness.yaml", files, &format!("{files}, witnesses: witnesses_tests.rs"));
    let counted = || {
        let run = course.score("ann", &["--format", "json"]);
        let mutants = run.report().assignments.remove(0).mutants;
        mutants.into_iter().map(|mutant| mutant.id).collect::<Vec<_>>()
    };
    let all = ["adds-only", "panics-if-there-are-fewer", "takes-the-first"];
    assert_eq!(counted(), all);
    // Nothing tells which mutants a case reaches.
    let survey: Surveyed = course.mutants(&["survey", "--format", "json"]).exits(0).json();
    assert!(survey.mutants.iter().all(|it| it.cases > 0 && it.reached.is_none()), "{survey:?}");
    course.replace("reference/src/lib.rs", "{ a + b } else", "{ (a + b) / 2 } else");
    assert_eq!(counted(), all[1..]);
    course.replace("witnesses_tests.rs", "last(&[\"a\"], 2)", "last(&[\"a\"], 1)");
    assert_eq!(counted(), all[2..]);
}

#[test]
fn a_framework_of_another_language_is_a_mistake_in_the_course() {
    let course = course().file("ann/lists_tests.rs", TESTS);
    course.replace("harness.yaml", "unit: cargo", "unit: gtest");
    let message = "error: `gtest` is no framework for the language of `program`\n --> [..]harness.yaml:[..]\n...\n";
    course.score("ann", &[]).fails(2, message);
}
