//! Tests that are programs: students' unit tests in C++, in each framework.

use super::course::Course;
use super::run::has_a_sandbox;
use super::{repository, skip};
use harness::result::{Report, SuiteReport};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

const EXAMPLE: &str = "examples/matrix-cpp";

/// A framework: its key, the header that says whether it is there, and how the sample suite is written with it.
pub(super) struct Framework {
    pub(super) key: &'static str,
    pub(super) header: &'static str,
    include: &'static str,
    write: fn(&str) -> String,
}

pub(super) const FRAMEWORKS: [Framework; 4] = [
    Framework {
        key: "doctest",
        header: "/usr/include/doctest/doctest.h",
        include: "<doctest/doctest.h>",
        write: str::to_owned,
    },
    Framework {
        key: "catch2",
        header: "/usr/include/catch2/catch.hpp",
        include: "<catch2/catch.hpp>",
        write: str::to_owned,
    },
    Framework {
        key: "gtest",
        header: "/usr/include/gtest/gtest.h",
        include: "<gtest/gtest.h>",
        write: |tests| with_macros(tests, "TEST(Matrix, ", "EXPECT_EQ("),
    },
    Framework {
        key: "unit_test_framework",
        header: "../shared/unit-tests/unit_test_framework.hpp",
        include: "\"unit_test_framework.hpp\"",
        write: |tests| with_macros(tests, "TEST(", "ASSERT_EQUAL(") + "\nTEST_MAIN()\n",
    },
];

/// The tests of doctest with other macros, whose names are words and whose assertions have two arguments.
fn with_macros(tests: &str, test: &str, equal: &str) -> String {
    let line = |line: &str| {
        if let Some(name) = line.strip_prefix("TEST_CASE(\"") {
            let name = name.trim_end_matches("\") {").replace(' ', "_");
            return format!("{test}{name}) {{\n");
        }
        format!("{}\n", line.replace("CHECK(", equal).replacen(" == ", ", ", 1))
    };
    tests.lines().map(line).collect()
}

/// Lets the tests of an assignment use the framework that another course has built: compiling one takes seconds.
pub(super) fn sharing_frameworks(course: Course, assignment: &str) -> Course {
    let shared = Path::new(env!("CARGO_TARGET_TMPDIR")).join("frameworks");
    fs::create_dir_all(&shared).unwrap();
    let folder = course.path(&format!("target/harness/{assignment}"));
    fs::create_dir_all(&folder).unwrap();
    symlink(shared, folder.join("unit")).unwrap();
    course
}

/// The example with this framework, and the suite `ann` written with it.
pub(super) fn course(framework: &Framework) -> Option<Course> {
    let header = repository().join(framework.header);
    if !header.is_file() {
        skip(&format!("there is no {}", header.display()));
        return None;
    }
    let course = sharing_frameworks(Course::copy_of(EXAMPLE), "matrix");
    let key = format!("unit: {} ", framework.key);
    course.replace("harness.yaml", "unit: doctest ", &key);
    if !header.is_absolute() || header.starts_with(repository().parent().unwrap_or(Path::new("/")))
    {
        course.replace(
            "harness.yaml",
            "with: [Matrix.h]",
            "with: [Matrix.h, unit_test_framework.hpp]",
        );
        course.write("unit_test_framework.hpp", fs::read(&header).unwrap());
    }
    let file = "student_tests/ann/Matrix_tests.cpp";
    let tests = course.read(file).replace("<doctest/doctest.h>", framework.include);
    course.write(file, (framework.write)(&tests));
    // The witnesses are test cases of doctest.
    course.without_line("harness.yaml", "witnesses:");
    Some(course)
}

fn suite(report: &Report) -> &SuiteReport {
    &report.assignments[0].suites[0]
}

pub(super) fn exposed(course: &Course, folder: &str) -> BTreeSet<String> {
    let report = course.score(folder, &["--format", "json"]).exits(0).report();
    suite(&report).exposed_by.keys().cloned().collect()
}

#[test]
#[ignore = "it compiles tests in four frameworks; .ci/run runs it"]
fn the_same_tests_expose_the_same_mutants_in_each_framework() {
    if !has_a_sandbox() {
        return;
    }
    let mut all = FRAMEWORKS.iter().filter_map(|it| Some((it.key, course(it)?)));
    let (_, first) = all.next().unwrap();
    let expected = exposed(&first, "student_tests/ann");
    assert_eq!(expected.len(), 13);
    for (framework, course) in all {
        assert_eq!(exposed(&course, "student_tests/ann"), expected, "{framework}");
    }
}

/// A suite of one file with these test cases of doctest.
fn report(tests: &str) -> Option<Report> {
    report_with(&FRAMEWORKS[0], tests)
}

/// The same with another framework.
fn report_with(framework: &Framework, tests: &str) -> Option<Report> {
    if !has_a_sandbox() {
        return None;
    }
    let course = course(framework)?;
    course.keep_mutants(&["fills-all-but-the-last", "swaps-width-and-height"]);
    let text = format!("#include {}\n#include \"Matrix.h\"\n{tests}", framework.include);
    course.write("mine/Matrix_tests.cpp", text);
    Some(course.score("mine", &["--format", "json"]).report())
}

/// The problem of the rejected test whose name ends so.
pub(crate) fn rejected(report: &Report, name: &str) -> String {
    let tests = &suite(report).tests;
    let test = tests.iter().find(|test| test.file.ends_with(name)).expect("it is listed");
    let line = test.line.map(|line| format!("line {line}: ")).unwrap_or_default();
    line + test.reason.as_ref().expect("it is rejected")
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_case_that_fails_on_a_right_program_is_rejected_alone_with_its_assertion() {
    let tests = "TEST_CASE(\"right\") { Matrix m; Matrix_init(&m, 2, 1); CHECK(m.width == 2); }
TEST_CASE(\"wrong\") {
    Matrix m; Matrix_init(&m, 2, 1);
    CHECK(m.width == 3);
}
TEST_CASE(\"by row\") { Matrix m; Matrix_init(&m, 2, 3); *Matrix_at(&m, 1, 0) = 8; CHECK(m.data[2] == 8); }
TEST_CASE(\"crashes\") { int *volatile p = nullptr; *p = 1; }
TEST_CASE(\"never ends\") { for (volatile int i = 0;; i = i + 1) {} }
";
    let Some(report) = report(tests) else { return };
    let assertion =
        "line 6: it fails on a right program: CHECK( m.width == 3 ); values: CHECK( 2 == 3 )";
    assert_eq!(rejected(&report, ":wrong"), assertion);
    let other = rejected(&report, ":by row");
    assert!(other.contains("it fails on the right program also-right/Matrix.cpp"), "{other}");
    let crash = "line 9: it crashes on a right program (signal 11)";
    assert_eq!(rejected(&report, ":crashes"), crash);
    assert_eq!(rejected(&report, ":never ends"), "it does not end on a right program");
    assert_eq!(suite(&report).valid_tests(), 1);
    assert_eq!(suite(&report).exposed_by.len(), 1);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_file_that_does_not_compile_is_rejected_with_the_first_error() {
    let Some(report) = report("TEST_CASE(\"a\") { int x = Matrix_widht(nullptr); }\n") else {
        return;
    };
    let problem = rejected(&report, "Matrix_tests.cpp");
    assert!(problem.starts_with("line 3: ") && problem.contains("Matrix_widht"), "{problem}");
    let Some(report) = self::report("int f();\nTEST_CASE(\"a\") { CHECK(f() == 1); }\n") else {
        return;
    };
    let problem = rejected(&report, "Matrix_tests.cpp");
    assert!(problem.contains("f()") && problem.contains("not defined"), "{problem}");
}

/// Test cases with these names. Each but the first is wrong.
fn one_is_right(names: &[&str]) -> String {
    let case = |(at, name): (usize, &&str)| {
        format!("TEST_CASE(\"{name}\") {{ CHECK(1 == {}); }}\n", at + 1)
    };
    names.iter().enumerate().map(case).collect()
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_case_is_run_by_itself_whatever_it_is_called() {
    let names = ["a*", "A*", "a*b", "", "line\\nbreak", "a, b", "back\\\\", "~a", "exclude:a"];
    let Some(report) = report(&one_is_right(&names)) else { return };
    let valid: Vec<_> = suite(&report).tests.iter().filter(|test| test.reason.is_none()).collect();
    assert_eq!(valid.len(), 1, "{valid:?}");
    assert!(valid[0].file.ends_with(":a*"), "{valid:?}");
    assert!(rejected(&report, ":back\\").starts_with("line 9: "));
    let tests = one_is_right(&["a, b", "[a]", "~a", "\\\"", "-a", "#a", "Twice", "twice"]);
    let Some(report) = report_with(&FRAMEWORKS[1], &tests) else { return };
    assert_eq!(suite(&report).valid_tests(), 1);
    for (name, line) in [(":[a]", 4), (":~a", 5), (":\"", 6), (":-a", 7), (":#a", 8)] {
        let problem = rejected(&report, name);
        assert!(problem.starts_with(&format!("line {line}: it fails")), "{name}: {problem}");
    }
    let confused = rejected(&report, ":Twice");
    assert_eq!(confused, "the framework takes its name for that of another case, `twice`");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_case_that_ends_the_program_does_not_pass() {
    let ends = "it fails on a right program: it ends the program, as `exit` does";
    let Some(report) = report("#include <cstdlib>\nTEST_CASE(\"ends\") { std::exit(0); }\n") else {
        return;
    };
    assert_eq!(rejected(&report, ":ends"), ends);
    let own = "#include <unistd.h>\nTEST(right) { }\nTEST(ends) { _exit(0); }\nTEST_MAIN()\n";
    let Some(report) = report_with(&FRAMEWORKS[3], own) else { return };
    assert_eq!(suite(&report).valid_tests(), 1);
    assert_eq!(rejected(&report, ":ends"), ends);
    let main = "TEST(A, wrong) { EXPECT_EQ(1, 2); }\nint main(int count, char** words) { testing::InitGoogleTest(&count, words); return RUN_ALL_TESTS() * 0; }\n";
    let Some(report) = report_with(&FRAMEWORKS[2], main) else { return };
    let problem = rejected(&report, "Matrix_tests.cpp");
    assert_eq!(problem, "`main' is defined, and is there already");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_case_that_is_skipped_is_not_valid() {
    let tests = "TEST(A, right) { EXPECT_EQ(1, 1); }\nTEST(A, skips) { GTEST_SKIP() << \"later\"; }\nTEST(A, DISABLED_b) { EXPECT_EQ(1, 2); }\n";
    let Some(report) = report_with(&FRAMEWORKS[2], tests) else { return };
    assert_eq!(suite(&report).valid_tests(), 1);
    assert_eq!(rejected(&report, ":A.skips"), "it is skipped");
    let disabled = "it is skipped: its name begins with `DISABLED_`";
    assert_eq!(rejected(&report, ":A.DISABLED_b"), disabled);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_test_of_an_exception_does_not_look_at_the_program() {
    if !has_a_sandbox() || course(&FRAMEWORKS[0]).is_none() {
        return;
    }
    let course = Course::empty();
    course.write("harness.yaml", "course: Halves\nassignments:\n  half:\n    title: Half\n    program: { cpp: half.cpp }\n    mutants: mutants\n    tests: { unit: doctest, files: [\"*_tests.cpp\"], compile: { with: [half.h] } }\n    scoring: { start: 0, full: 1, points: 1 }\n");
    course.write("half.h", "int half(int n);\n");
    course.write("half.cpp", "#include \"half.h\"\n#include <stdexcept>\n#include \"subject.h\"\nint half(int n) {\n    if (n % 2) { if (BUG(\"takes-odd\")) return 0; throw std::invalid_argument(\"odd\"); }\n    return n / 2;\n}\n");
    course.write("mutants/takes-odd.yaml", "summary: Takes odd numbers.\nkind: implementation\ntopic: errors\nspec: half.h\nhint: Which numbers have no half?\npoints: 1\n");
    course.write("mine/half_tests.cpp", "#include <doctest/doctest.h>\n#include <stdexcept>\n#include \"half.h\"\nTEST_CASE(\"throws\") { CHECK_THROWS_AS(half(3), std::invalid_argument); }\n");
    assert_eq!(exposed(&course, "mine"), BTreeSet::from(["takes-odd".to_owned()]));
}
