//! Unit tests with Catch2 3, on a machine that has it and not Catch2 2.

use super::course::Course;
use super::machine::on_other_disks;
use super::run::has_a_sandbox;
use super::{repository, skip};
use harness::result::Report;
use std::fs;
use std::path::Path;

/// Cases of which each meets the framework in a way of its own: it has a name with characters that a filter reads, it has parts, it comes
/// from a template, it is skipped, it asks for more than is promised, it draws a number, and it is hidden.
const ODD: &str = r#"
int height(int width, int height) {
    Matrix matrix;
    Matrix_init(&matrix, width, height);
    return Matrix_height(&matrix);
}

TEST_CASE("a, \"b\" [c] \\ d*") {
    const int width = GENERATE(1, 3);
    SECTION("low") { CHECK(height(width, 1) == 1); }
    SECTION("high") { CHECK(height(width, 9) == 9); }
}
TEMPLATE_TEST_CASE("every number", "", int, long) { CHECK(height(TestType(1), TestType(2)) == 2); }
TEST_CASE("another day") { SKIP("not on Mondays"); }
TEST_CASE("asks for more") { CHECK(height(1, 2) == 3); }
TEST_CASE("draws") { CHECK(GENERATE(take(1, random(1, 1'000'000))) == 0); }
TEST_CASE("hides", "[.]") { CHECK(false); }
"#;

/// A script that makes Catch2 3 the only one of the machine. None if it is not installed, so that the test is skipped.
fn with_version_3() -> Option<String> {
    let catch2 = repository().join("target/readers/catch2");
    if !catch2.join("lib/libCatch2.a").is_file() {
        skip("there is no Catch2 3 in target/readers; tests/readers/install.sh installs it");
        return None;
    }
    let mount = |from: &str, to: &str| format!("mount --bind {}/{from} {to}", catch2.display());
    let mut mounts = vec![
        mount("node_modules/catch2.cxx", "/usr/local/include"),
        mount("lib", "/usr/local/lib"),
    ];
    if Path::new("/usr/include/catch2").is_dir() {
        mounts.push("mount -t tmpfs disk /usr/include/catch2".to_owned());
    }
    Some(mounts.join(" && "))
}

#[test]
#[ignore = "it compiles tests; .ci/run runs it"]
fn tests_for_version_3_are_scored_like_those_for_version_2() {
    let Some(script) = with_version_3().filter(|_| has_a_sandbox()) else { return };
    let course = Course::copy_of("examples/matrix-cpp");
    course.replace("harness.yaml", "unit: doctest ", "unit: catch2 ");
    course.without_line("harness.yaml", "witnesses:");
    let ann = course.read("student_tests/ann/Matrix_tests.cpp");
    let tests = ann.replace("doctest/doctest.h", "catch2/catch_all.hpp") + ODD;
    fs::remove_dir_all(course.path("student_tests")).unwrap();
    course.write("student_tests/ann/Matrix_tests.cpp", tests);
    let args = [
        "score",
        &course.word("student_tests"),
        "--course",
        &course.word("harness.yaml"),
        "--format",
        "json",
    ];
    let score = || on_other_disks(&script, &args, &["true"]);
    let Some(run) = score() else { return };
    assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
    assert_eq!(score().unwrap().stdout, run.stdout);
    let report: Report = serde_json::from_str(run.stdout.trim_end_matches("list:\n")).unwrap();
    let suite = &report.assignments[0].suites[0];
    assert_eq!(suite.exposed_by.len(), 13);
    let tests = suite.tests.iter().map(|test| {
        let case = test.file.strip_prefix("Matrix_tests.cpp:").unwrap();
        (case, test.reason.as_deref().unwrap_or("it is valid"))
    });
    let [.., parts, int, long, skipped, more, draws, _] = &tests.collect::<Vec<_>>()[..] else {
        panic!("cases are missing")
    };
    assert_eq!(*parts, ("a, \"b\" [c] \\ d*", "it is valid"));
    assert_eq!(*int, ("every number - int", "it is valid"));
    assert_eq!(*long, ("every number - long", "it is valid"));
    assert_eq!(*skipped, ("another day", "it is skipped: not on Mondays"));
    let failed = "it fails on a right program: CHECK( height(1, 2) == 3 ) with expansion: 2 == 3";
    assert_eq!(*more, ("asks for more", failed));
    assert!(draws.0 == "draws" && draws.1.starts_with("it fails on a right program"), "{draws:?}");
}
