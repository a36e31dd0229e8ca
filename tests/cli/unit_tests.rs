//! Tests that are programs: students' unit tests in C++, in each framework.

use super::course::{self, Course};
use super::run::has_a_sandbox;
use super::{Run, folder, harness, path, repository, skip};
use harness::result::{Report, SuiteReport};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::mem;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

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

/// The folder of the frameworks that were built: compiling one takes seconds.
fn frameworks() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("frameworks");
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Lets the tests of an assignment use the framework that another course has built.
pub(super) fn sharing_frameworks(course: Course, assignment: &str) -> Course {
    share_frameworks(&course.path(""), assignment);
    course
}

/// The same for the course in this folder.
pub(super) fn share_frameworks(course: &Path, assignment: &str) {
    let folder = course.join("target/harness").join(assignment);
    fs::create_dir_all(&folder).unwrap();
    symlink(frameworks(), folder.join("unit")).unwrap();
}

/// A copy of the example in which all tests build the variants of its program, once. Beside the example's course file, it has one for each
/// framework, and another one with few mutants. Tests change nothing in it.
pub(super) static SHARED: LazyLock<PathBuf> = LazyLock::new(|| {
    let shared = Path::new(env!("CARGO_TARGET_TMPDIR")).join("matrix-cpp");
    let built = shared.join("target/harness/matrix");
    fs::create_dir_all(&built).unwrap();
    // Another process of tests waits until this one has ended.
    let lock = File::create(built.join("tests.lock")).unwrap();
    lock.lock().unwrap();
    mem::forget(lock);
    for entry in fs::read_dir(&shared).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_file() {
            fs::remove_file(entry).unwrap();
        } else if !entry.ends_with("target") {
            fs::remove_dir_all(entry).unwrap();
        }
    }
    course::copy(&repository().join(EXAMPLE), &shared);
    fs::create_dir(shared.join("few")).unwrap();
    for id in FEW {
        let file = |folder: &str| shared.join(folder).join(id).with_extension("yaml");
        fs::copy(file("mutants"), file("few")).unwrap();
    }
    if !built.join("unit").is_symlink() {
        symlink(frameworks(), built.join("unit")).unwrap();
    }
    for framework in &FRAMEWORKS {
        framework.write_course(&shared);
    }
    shared
});

/// Some of its mutants.
pub(super) const FEW: [&str; 2] = ["fills-all-but-the-last", "swaps-width-and-height"];

impl Framework {
    fn path(&self) -> PathBuf {
        repository().join(self.header)
    }

    /// Whether this machine has it. If not, the test is skipped.
    pub(super) fn is_there(&self) -> bool {
        let is_there = self.path().is_file();
        if !is_there {
            skip(&format!("there is no {}", self.path().display()));
        }
        is_there
    }

    /// Writes course files for it into a copy of the example.
    fn write_course(&self, folder: &Path) {
        let text = fs::read_to_string(folder.join("harness.yaml")).unwrap();
        // The witnesses are test cases of doctest.
        let lines = text.split_inclusive('\n').filter(|line| !line.contains("witnesses:"));
        let mut text = lines.collect::<String>();
        let replace = |text: &mut String, from: &str, to: &str| {
            assert!(text.contains(from), "there is no `{from}`");
            *text = text.replacen(from, to, 1);
        };
        replace(&mut text, "unit: doctest ", &format!("unit: {} ", self.key));
        let header = Path::new(self.header);
        if !header.is_absolute() {
            let name = header.file_name().unwrap().to_str().unwrap();
            replace(&mut text, "with: [Matrix.h]", &format!("with: [Matrix.h, {name}]"));
            let _ = fs::copy(self.path(), folder.join(name));
        }
        fs::write(folder.join(self.key).with_extension("yaml"), &text).unwrap();
        replace(&mut text, "mutants: mutants ", "mutants: few ");
        fs::write(folder.join(self.few()), &text).unwrap();
    }

    fn few(&self) -> String {
        format!("{}-few.yaml", self.key)
    }

    /// The course file with few mutants.
    pub(super) fn few_mutants(&self) -> PathBuf {
        SHARED.join(self.few())
    }

    /// The course file with all mutants.
    pub(super) fn course(&self) -> PathBuf {
        SHARED.join(self.key).with_extension("yaml")
    }
}

/// Scores this file of tests.
fn score(course: &Path, tests: &str) -> Run {
    let mine = folder(&[("Matrix_tests.cpp", tests.as_bytes())]);
    harness(&["score", path(&mine), "--course", course.to_str().unwrap(), "--format", "json"])
}

fn suite(report: &Report) -> &SuiteReport {
    &report.assignments[0].suites[0]
}

fn exposed(run: Run) -> BTreeSet<String> {
    suite(&run.exits(0).report()).exposed_by.keys().cloned().collect()
}

#[test]
#[ignore = "it compiles tests in four frameworks; .ci/run runs it"]
fn the_same_tests_expose_the_same_mutants_in_each_framework() {
    if !has_a_sandbox() {
        return;
    }
    let file = repository().join(EXAMPLE).join("student_tests/ann/Matrix_tests.cpp");
    let ann = fs::read_to_string(file).unwrap();
    let there = FRAMEWORKS.iter().filter(|framework| framework.is_there());
    let mut all = there.map(|framework| {
        let tests = ann.replace(FRAMEWORKS[0].include, framework.include);
        let run = score(&framework.course(), &(framework.write)(&tests));
        (framework.key, exposed(run))
    });
    let (_, expected) = all.next().unwrap();
    assert_eq!(expected.len(), 13);
    for (framework, exposed) in all {
        assert_eq!(exposed, expected, "{framework}");
    }
}

/// A suite of one file with these test cases of doctest.
fn report(tests: &str) -> Option<Report> {
    report_with(&FRAMEWORKS[0], tests)
}

/// The same with another framework.
fn report_with(framework: &Framework, tests: &str) -> Option<Report> {
    if !has_a_sandbox() || !framework.is_there() {
        return None;
    }
    let text = format!("#include {}\n#include \"Matrix.h\"\n{tests}", framework.include);
    Some(score(&SHARED.join(framework.few()), &text).report())
}

/// The problem of the rejected case whose name ends so, without the line that it has.
pub(crate) fn rejected_at_a_line(report: &Report, name: &str) -> String {
    let problem = rejected(report, name);
    let (line, said) = problem.split_once(": ").expect("it has a line");
    assert!(line.starts_with("line "), "{problem}");
    said.to_owned()
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
    assert_eq!(rejected(&report, ":never ends"), "line 10: it does not end on a right program");
    assert_eq!(suite(&report).valid_tests(), 1);
    assert_eq!(suite(&report).exposed_by.len(), 1);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_suite_that_takes_too_long_is_rejected() {
    let framework = &FRAMEWORKS[0];
    if !has_a_sandbox() || !framework.is_there() {
        return;
    }
    let course = SHARED.join(framework.few());
    let text = fs::read_to_string(&course).unwrap();
    let text = text.replace("unit: doctest ", "suite_seconds: 4\n      unit: doctest ");
    let impatient = SHARED.join("impatient.yaml");
    fs::write(&impatient, text).unwrap();
    let tests = |pause: &str| {
        format!(
            "#include <doctest/doctest.h>\n#include <unistd.h>\n#include \"Matrix.h\"\n\
             TEST_CASE(\"one\") {{ usleep({pause}); CHECK(1 == 1); }}\n"
        )
    };
    let told = |pause: &str| {
        let report = score(&impatient, &tests(pause)).report();
        suite(&report).tests[0].reason.clone()
    };
    assert_eq!(told("0"), None);
    let why = "the suite takes more than 4 seconds on all programs";
    assert_eq!(told("500000").as_deref(), Some(why));
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
    assert!(problem.starts_with("line 3: `f()' is used but not defined"), "{problem}");
    let in_a_header = "#include <algorithm>\nstruct S { int x; };\nTEST_CASE(\"a\") {\n    S all[2];\n    std::sort(all, all + 2);\n}\n";
    let Some(report) = self::report(in_a_header) else { return };
    let problem = rejected(&report, "Matrix_tests.cpp");
    assert!(problem.starts_with("line 7: no match for"), "{problem}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_file_that_is_written_with_another_framework_is_told_so() {
    let [doctest, _, gtest, own] = &FRAMEWORKS;
    if !has_a_sandbox() || ![doctest, gtest, own].iter().all(|it| it.is_there()) {
        return;
    }
    let tests = "#include <doctest/doctest.h>\nTEST_CASE(\"a\") { CHECK(1 == 1); }\n";
    let report = score(&SHARED.join(gtest.few()), tests).report();
    let why = "the file is written with doctest, and tests here with gtest";
    assert_eq!(rejected(&report, "Matrix_tests.cpp"), why);
    let tests = "#include \"unit_test_framework.hpp\"\nTEST(a) { ASSERT_EQUAL(1, 1); }\n";
    let report = score(&SHARED.join(own.few()), tests).report();
    assert_eq!(rejected(&report, "Matrix_tests.cpp"), "the file has no `TEST_MAIN()`");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn tests_of_google_test_may_use_matchers_and_mocks() {
    let gtest = &FRAMEWORKS[2];
    if !has_a_sandbox() || !gtest.is_there() {
        return;
    }
    if !Path::new("/usr/include/gmock/gmock.h").is_file() {
        return skip("there is no GoogleMock");
    }
    let tests = "#include <gmock/gmock.h>
#include <vector>
#include \"Matrix.h\"
struct Source {
    virtual ~Source() = default;
    virtual int next() = 0;
};
struct Mock : Source {
    MOCK_METHOD(int, next, (), (override));
};
TEST(Matrix, has_its_sizes) {
    Mock source;
    EXPECT_CALL(source, next()).WillOnce(testing::Return(2)).WillOnce(testing::Return(3));
    const int width = source.next(), height = source.next();
    Matrix matrix;
    Matrix_init(&matrix, width, height);
    const std::vector<int> sizes = {Matrix_width(&matrix), Matrix_height(&matrix)};
    EXPECT_THAT(sizes, testing::ElementsAre(2, 3));
}
TEST(Matrix, is_read_once) {
    Mock source;
    EXPECT_CALL(source, next()).Times(1);
}
";
    let report = score(&SHARED.join(gtest.few()), tests).report();
    assert_eq!(suite(&report).exposed_by.keys().collect::<Vec<_>>(), ["swaps-width-and-height"]);
    let problem = rejected(&report, "Matrix.is_read_once");
    assert!(problem.starts_with("line 22: it fails on a right program: "), "{problem}");
    assert!(problem.contains("Actual function call count doesn't match"), "{problem}");
}

#[test]
fn a_framework_that_is_missing_is_not_the_fault_of_a_student() {
    if !has_a_sandbox() || !FRAMEWORKS[0].is_there() {
        return;
    }
    let course = Course::copy_of(EXAMPLE);
    course.replace("harness.yaml", "unit: doctest ", "unit: unit_test_framework ");
    let expected = "\
error: there is no `unit_test_framework.hpp` on this machine
hint: name the header in the course file, as `compile: { with: [unit_test_framework.hpp] }` in `tests`
";
    course.score("student_tests/ann", &[]).fails(4, expected);
    let found = course.harness(&["doctor"]).exits(4).stdout;
    assert!(found.contains("there is no `unit_test_framework.hpp`"), "{found}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn no_mutant_counts_while_the_file_of_witnesses_is_empty() {
    if !has_a_sandbox() || !FRAMEWORKS[0].is_there() {
        return;
    }
    let course = sharing_frameworks(Course::copy_of(EXAMPLE), "matrix");
    course.keep_mutants(&FEW);
    course.write("witnesses_tests.cpp", "");
    let run = course.score("student_tests/ann", &[]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.contains("2 mutants of `matrix` do not count"), "{}", run.stderr);
    assert!(run.stdout.contains("Score: no mutant counts"), "{}", run.stdout);
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
    let confused = rejected_at_a_line(&report, ":Twice");
    assert_eq!(confused, "the framework takes its name for that of another case, `twice`");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_case_that_ends_the_program_does_not_pass() {
    let ends = "it fails on a right program: it ends the program, as `exit` does";
    let Some(report) = report("#include <cstdlib>\nTEST_CASE(\"ends\") { std::exit(0); }\n") else {
        return;
    };
    assert_eq!(rejected_at_a_line(&report, ":ends"), ends);
    let own = "#include <unistd.h>\nTEST(right) { }\nTEST(ends) { _exit(0); }\nTEST_MAIN()\n";
    let Some(report) = report_with(&FRAMEWORKS[3], own) else { return };
    assert_eq!(suite(&report).valid_tests(), 1);
    assert_eq!(rejected_at_a_line(&report, ":ends"), ends);
    let main = "TEST(A, wrong) { EXPECT_EQ(1, 2); }\nint main(int count, char** words) { testing::InitGoogleTest(&count, words); return RUN_ALL_TESTS() * 0; }\n";
    let Some(report) = report_with(&FRAMEWORKS[2], main) else { return };
    let problem = rejected(&report, "Matrix_tests.cpp");
    assert_eq!(problem, "line 4: `main' is defined, and is there already");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_case_that_is_skipped_is_not_valid() {
    let tests = "TEST(A, right) { EXPECT_EQ(1, 1); }\nTEST(A, skips) { GTEST_SKIP() << \"later\"; }\nTEST(A, DISABLED_b) { EXPECT_EQ(1, 2); }\nTEST(A, is_mute) { GTEST_SKIP(); }\n";
    let Some(report) = report_with(&FRAMEWORKS[2], tests) else { return };
    assert_eq!(suite(&report).valid_tests(), 1);
    assert_eq!(rejected(&report, ":A.skips"), "line 4: it is skipped: later");
    assert_eq!(rejected(&report, ":A.is_mute"), "line 6: it is skipped");
    let disabled = "it is skipped: its name begins with `DISABLED_`";
    assert_eq!(rejected_at_a_line(&report, ":A.DISABLED_b"), disabled);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_test_of_an_exception_does_not_look_at_the_program() {
    if !has_a_sandbox() || !FRAMEWORKS[0].is_there() {
        return;
    }
    let course = sharing_frameworks(Course::empty(), "half");
    course.write("harness.yaml", "course: Halves\nassignments:\n  half:\n    title: Half\n    program: { cpp: half.cpp }\n    mutants: mutants\n    tests: { unit: doctest, files: [\"*_tests.cpp\"], compile: { with: [half.h] } }\n    scoring: { start: 0, full: 1, points: 1 }\n");
    course.write("half.h", "int half(int n);\n");
    course.write("half.cpp", "#include \"half.h\"\n#include <stdexcept>\n#include \"subject.h\"\nint half(int n) {\n    if (n % 2) { if (BUG(\"takes-odd\")) return 0; throw std::invalid_argument(\"odd\"); }\n    return n / 2;\n}\n");
    course.write("mutants/takes-odd.yaml", "summary: Takes odd numbers.\nkind: implementation\ntopic: errors\nspec: half.h\nhint: Which numbers have no half?\npoints: 1\n");
    course.write("mine/half_tests.cpp", "#include <doctest/doctest.h>\n#include <stdexcept>\n#include \"half.h\"\nTEST_CASE(\"throws\") { CHECK_THROWS_AS(half(3), std::invalid_argument); }\n");
    let run = course.score("mine", &["--format", "json"]);
    assert_eq!(exposed(run), BTreeSet::from(["takes-odd".to_owned()]));
}
