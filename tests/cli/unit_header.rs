//! Tests that are programs: students' unit tests of a header in C++, which are compiled with each variant.

use super::course::Course;
use super::run::has_a_sandbox;
use super::skip;
use super::unit_tests::sharing_frameworks;
use harness::result::{SuiteReport, TestReport};
use std::path::Path;

const EXAMPLE: &str = "examples/list-cpp";

pub(crate) fn has_doctest() -> bool {
    let is_there = Path::new("/usr/include/doctest/doctest.h").is_file();
    if !is_there {
        skip("there is no doctest on this machine");
    }
    is_there && has_a_sandbox()
}

#[test]
#[ignore = "it compiles tests with each variant; .ci/run runs it"]
fn the_sample_suites_of_a_header_have_their_scores() {
    if !has_doctest() {
        return;
    }
    let course = sharing_frameworks(Course::copy_of(EXAMPLE), "list");
    let report = course.score("student_tests", &["--format", "json"]).exits(0).report();
    let suites = &report.assignments[0].suites;
    let of = |name: &str| suites.iter().find(|suite| suite.name == name).unwrap();
    let (ann, bob) = (of("ann"), of("bob"));
    assert_eq!((ann.valid_tests(), ann.exposed_by.len()), (10, 16));
    assert_eq!((bob.valid_tests(), bob.tests.len()), (2, 4));
    let exposed: Vec<_> = bob.exposed_by.keys().collect();
    let expected = [
        "adds-to-what-is-there-when-assigned",
        "counts-only-what-is-pushed-at-the-back",
        "keeps-the-back-when-the-last-one-goes",
        "leaves-one-when-cleared",
    ];
    assert_eq!(exposed, expected);
    let is_it = |test: &&TestReport| test.file.ends_with(":an empty list makes no element");
    let problem = bob.tests.iter().find(is_it).and_then(|test| test.reason.as_ref()).unwrap();
    assert!(problem.contains("it fails on the right program also-right/List.h"), "{problem}");
}

/// Ways to look into a header while the tests are compiled.
const ATTACKS: [(&str, &str); 4] = [
    (
        "counts its returns",
        "static int returns;\n#define return ++returns; return\n#include \"List.h\"\n#undef return\n",
    ),
    ("opens its parts", "#define private public\n#include \"List.h\"\n#undef private\n"),
    (
        "reads it again",
        "#undef LIST_H\nstatic int ifs;\nnamespace again {\n#define if ++ifs; if\n#include \"List.h\"\n#undef if\n}\n",
    ),
    ("takes it for bytes", "asm(\".incbin \\\"List.h\\\"\");\n"),
];

#[test]
#[ignore = "it compiles tests with each variant; .ci/run runs it"]
fn a_test_cannot_read_or_change_the_text_of_a_header() {
    if !has_doctest() {
        return;
    }
    let course = sharing_frameworks(Course::copy_of(EXAMPLE), "list");
    course.keep_mutants(&["copies-in-reverse", "leaves-one-when-cleared", "never-frees"]);
    let bodies = [
        "List<int> list; list.push_back(1); list.size(); CHECK(returns == 0);",
        "List<int> list; CHECK(list.first == nullptr);",
        "again::List<int> list; list.push_back(1); CHECK(ifs == 1);",
        "List<int> list; CHECK(list.empty());",
    ];
    for ((name, start), body) in ATTACKS.iter().zip(bodies) {
        let text = format!("#include <doctest/doctest.h>\n{start}TEST_CASE(\"it\") {{ {body} }}\n");
        course.write(&format!("class/{name}/List_tests.cpp"), text);
    }
    let report = course.score("class", &["--format", "json"]).report();
    let exposes = |suite: &SuiteReport| !suite.exposed_by.is_empty();
    let suites = &report.assignments[0].suites;
    assert_eq!(suites.len(), ATTACKS.len());
    let exposing: Vec<_> = suites.iter().filter(|it| exposes(it)).map(|it| &it.name).collect();
    assert!(exposing.is_empty(), "{exposing:?}");
    let of = |name: &str| suites.iter().find(|suite| suite.name == name).unwrap();
    assert_eq!((of("opens its parts").valid_tests(), of("reads it again").valid_tests()), (0, 0));
}
