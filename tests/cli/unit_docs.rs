//! Follows `docs/unit-tests.md`, and tries each pair in the table of `docs/languages.md`.

use super::course::Course;
use super::run::{has_a_sandbox, has_pytest};
use super::unit_header::has_doctest;
use super::unit_java::has_junit;
use super::unit_tests::{FRAMEWORKS, Framework, sharing_frameworks};
use super::your_own_course::{Reader, steps};
use super::{folder, repository};
use std::fs;

fn page(name: &str) -> String {
    fs::read_to_string(repository().join("docs").join(name)).unwrap()
}

#[test]
#[ignore = "it compiles tests; .ci/run runs it"]
fn unit_tests_have_a_score_by_following_the_page() {
    if !has_doctest() {
        return;
    }
    let folder = folder(&[]);
    let mut reader = Reader(folder.path().to_owned());
    let steps = steps(&page("unit-tests.md"), "## From nothing to a score");
    assert_eq!(steps.len(), 8);
    steps.iter().for_each(|step| reader.follow(step));
}

/// A program with one mutant, in a row of the table: the row's name, the value of `program`, its files, and how tests get it.
struct Row {
    name: &'static str,
    program: &'static str,
    files: &'static [(&'static str, &'static str)],
    with: &'static str,
    import: &'static str,
}

const ROWS: [Row; 5] = [
    Row {
        name: "C, C++: sources",
        program: "{ cpp: twice.cpp }",
        files: &[
            (
                "twice.cpp",
                "#include \"subject.h\"\nint twice(int n) { return BUG(\"once\") ? n : 2 * n; }\n",
            ),
            ("twice.h", "int twice(int n);\n"),
        ],
        with: "twice.h",
        import: "#include \"twice.h\"\n",
    },
    Row {
        name: "C++: a header",
        program: "{ cpp: twice.h }",
        files: &[(
            "twice.h",
            "#pragma once\n#include \"subject.h\"\ntemplate <class T> T twice(T n) { return BUG(\"once\") ? n : 2 * n; }\n",
        )],
        with: "",
        import: "#include \"twice.h\"\n",
    },
    Row {
        name: "Python",
        program: "{ python: twice.py }",
        files: &[(
            "twice.py",
            "from subject import bug\n\ndef twice(n):\n    return n if bug(\"once\") else 2 * n\n",
        )],
        with: "",
        import: "from twice import twice\n",
    },
    Row {
        name: "Java",
        program: "{ java: Twice.java }",
        files: &[
            (
                "Twice.java",
                "class Twice { static int twice(int n) { return Bug.on(\"once\") ? n : 2 * n; } }\n",
            ),
            ("Bug.java", include_str!("../../crates/subject/java/Bug.java")),
        ],
        with: "",
        import: "import static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.Test;\n",
    },
    Row {
        name: "Rust: a crate",
        program: "{ cargo: twice }",
        files: &[
            (
                "twice/Cargo.toml",
                concat!(
                    "[package]\nname = \"twice\"\nedition = \"2024\"\n[features]\nonce = []\n[dependencies]\nsubject = { path = \"",
                    env!("CARGO_MANIFEST_DIR"),
                    "/crates/subject\" }\n"
                ),
            ),
            (
                "twice/src/lib.rs",
                "pub fn twice(n: i32) -> i32 { if subject::bug!(\"once\") { n } else { 2 * n } }\n",
            ),
        ],
        with: "",
        import: "",
    },
];

/// How a framework writes a test: its key, the beginning, and the test.
const WRITTEN: [(&str, &str, &str); 8] = [
    ("gtest", "#include <gtest/gtest.h>\n", "TEST(Twice, two) { EXPECT_EQ(twice(2), 4); }\n"),
    ("catch2", "#include <catch2/catch.hpp>\n", "TEST_CASE(\"two\") { CHECK(twice(2) == 4); }\n"),
    ("doctest", "#include <doctest/doctest.h>\n", "TEST_CASE(\"two\") { CHECK(twice(2) == 4); }\n"),
    (
        "unit_test_framework",
        "#include \"unit_test_framework.hpp\"\n",
        "TEST(two) { ASSERT_EQUAL(twice(2), 4); }\nTEST_MAIN()\n",
    ),
    ("pytest", "", "\ndef test_two():\n    assert twice(2) == 4\n"),
    (
        "unittest",
        "import unittest\n",
        "\nclass Twice(unittest.TestCase):\n    def test_two(self):\n        self.assertEqual(twice(2), 4)\n",
    ),
    ("junit", "", "class ItTest { @Test void two() { assertEquals(4, Twice.twice(2)); } }\n"),
    ("cargo", "", "#[test]\nfn two() { assert_eq!(twice::twice(2), 4); }\n"),
];

/// Whether this machine has a framework.
fn is_there(key: &str) -> bool {
    FRAMEWORKS.iter().find(|framework| framework.key == key).is_none_or(Framework::is_there)
        && match key {
            "pytest" => has_pytest(),
            "junit" => has_junit(),
            _ => true,
        }
}

/// Whether tests in a framework expose the mutant of a program. The course has the programs that were built for others.
fn exposes(course: &Course, row: &Row, (key, start, test): (&str, &str, &str)) -> bool {
    let header = (key == "unit_test_framework").then_some("unit_test_framework.hpp");
    let with: Vec<_> = header.into_iter().chain([row.with]).filter(|it| !it.is_empty()).collect();
    let file = match key {
        "pytest" | "unittest" => "test_it.py",
        "junit" => "ItTest.java",
        "cargo" => "it.rs",
        _ => "test_it.cpp",
    };
    let yaml = format!(
        "course: T\nassignments:\n  twice:\n    program: {}\n    mutants: mutants\n    tests: {{ unit: {key}, files: [{file}], \
         compile: {{ with: [{}] }} }}\n    scoring: {{ start: 0, full: 1 }}\n",
        row.program,
        with.join(", "),
    );
    course.write("harness.yaml", yaml);
    let mutant = "summary: s\nkind: misreading\ntopic: a\nspec: s\nhint: h\npoints: 1\n";
    course.write("mutants/once.yaml", mutant);
    row.files.iter().for_each(|(name, text)| course.write(name, text));
    if header.is_some() {
        let framework = FRAMEWORKS.iter().find(|it| it.key == key).expect("it is listed");
        let text = fs::read(repository().join(framework.header)).unwrap();
        course.write("unit_test_framework.hpp", text);
    }
    course.write(&format!("{key}/{file}"), format!("{start}{}{test}", row.import));
    let run = course.score(key, &["--format", "json"]);
    run.status == 0 && run.report().assignments[0].suites[0].exposed_by.contains_key("once")
}

/// The cells of a line of a table.
fn cells(line: &str) -> Vec<&str> {
    line.trim_matches('|').split('|').map(str::trim).collect()
}

#[test]
#[ignore = "it compiles tests in four frameworks; .ci/run runs it"]
fn the_table_of_languages_and_frameworks_says_what_works() {
    if !has_a_sandbox() {
        return;
    }
    let page = page("languages.md");
    let table: Vec<_> = page.lines().filter(|line| line.starts_with('|')).map(cells).collect();
    for row in &ROWS {
        let said = table.iter().find(|cells| cells[0] == row.name).expect("the table has the row");
        let course = sharing_frameworks(Course::empty(), "twice");
        for written in WRITTEN.into_iter().filter(|(key, ..)| is_there(key)) {
            let key = format!("`{}`", written.0);
            let column = table[0].iter().position(|cell| *cell == key).expect("it has the column");
            let found = if exposes(&course, row, written) { "yes" } else { "–" };
            assert_eq!(said[column], found, "{} {key}", row.name);
        }
    }
}
