//! How a test case is written in each framework.

use super::Case;
use super::language::{CPP, JAVA, Language, PYTHON, RUST};
use crate::cli::NewUnit;
use std::path::Path;

/// A framework. In its texts, `{class}` is the name of the file without its ending. `{name}` is the name of a case as the framework wants
/// it, and `{function}`, `{numbers}`, their `{count}` and `{expected}` are its other parts.
pub(super) struct Framework {
    /// The word in the course file.
    pub(super) key: &'static str,
    /// The files of tests: a student's, and the course's.
    pub(super) suite: &'static str,
    pub(super) witnesses: &'static str,
    pub(super) language: &'static Language,
    start: &'static str,
    case: &'static str,
    end: &'static str,
    name: fn(&str) -> String,
}

const DOCTEST: Framework = Framework {
    key: "doctest",
    suite: "measures_tests.cpp",
    witnesses: "witnesses_tests.cpp",
    language: &CPP,
    start: "#include <doctest/doctest.h>\n\n#include \"measures.h\"\n",
    case: "\nTEST_CASE(\"{name}\") {\n    const int numbers[] = {{numbers}};\n    CHECK({function}(numbers, {count}) == {expected});\n}\n",
    end: "",
    name: str::to_owned,
};

const PYTEST: Framework = Framework {
    key: "pytest",
    suite: "test_measures.py",
    witnesses: "test_witnesses.py",
    language: &PYTHON,
    start: "from measures import largest, mean\n",
    case: "\n\ndef test_{name}():\n    assert {function}([{numbers}]) == {expected}\n",
    end: "",
    name: with_underscores,
};

const JUNIT: Framework = Framework {
    key: "junit",
    suite: "MeasuresTest.java",
    witnesses: "WitnessesTest.java",
    language: &JAVA,
    start: "import static org.junit.jupiter.api.Assertions.assertEquals;\n\nimport org.junit.jupiter.api.Test;\n\nclass {class} {\n",
    case: "\n    @Test\n    void {name}() {\n        assertEquals({expected}, Measures.{function}({numbers}));\n    }\n",
    end: "}\n",
    name: in_camel_case,
};

const CARGO: Framework = Framework {
    key: "cargo",
    suite: "measures_tests.rs",
    witnesses: "witnesses_tests.rs",
    language: &RUST,
    start: "use measures::{largest, mean};\n",
    case: "\n#[test]\nfn {name}() {\n    assert_eq!({function}(&[{numbers}]), {expected});\n}\n",
    end: "",
    name: with_underscores,
};

impl Framework {
    pub(super) fn of(unit: NewUnit) -> Self {
        match unit {
            NewUnit::Doctest => DOCTEST,
            NewUnit::Catch2 => Self {
                key: "catch2",
                start: "#if __has_include(<catch2/catch_test_macros.hpp>)\n#include <catch2/catch_test_macros.hpp>\n#else // version 2\n\
                        #include <catch2/catch.hpp>\n#endif\n\n#include \"measures.h\"\n",
                ..DOCTEST
            },
            NewUnit::Gtest => Self {
                key: "gtest",
                start: "#include <gtest/gtest.h>\n\n#include \"measures.h\"\n",
                case: "\nTEST(Measures, {name}) {\n    const int numbers[] = {{numbers}};\n    EXPECT_EQ({function}(numbers, {count}), {expected});\n}\n",
                name: with_underscores,
                ..DOCTEST
            },
            NewUnit::Pytest => PYTEST,
            NewUnit::Unittest => Self {
                key: "unittest",
                start: "import unittest\n\nfrom measures import largest, mean\n\n\nclass Measures(unittest.TestCase):\n",
                case: "\n    def test_{name}(self):\n        self.assertEqual({function}([{numbers}]), {expected})\n",
                ..PYTEST
            },
            NewUnit::Junit => JUNIT,
            NewUnit::Cargo => CARGO,
        }
    }

    /// A file with these cases.
    pub(super) fn text(&self, file: &str, cases: &[Case]) -> String {
        let class = Path::new(file).with_extension("");
        let start = self.start.replace("{class}", &class.to_string_lossy());
        let cases = cases.iter().map(|&(name, function, numbers, expected)| {
            self.case
                .replace("{name}", &(self.name)(name))
                .replace("{function}", function)
                .replace("{numbers}", numbers)
                .replace("{count}", &numbers.split(',').count().to_string())
                .replace("{expected}", expected)
        });
        [start].into_iter().chain(cases).chain([self.end.to_owned()]).collect()
    }
}

fn with_underscores(name: &str) -> String {
    name.replace(' ', "_")
}

fn in_camel_case(name: &str) -> String {
    let mut words = name.split(' ');
    let first = words.next().unwrap_or_default().to_owned();
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    first + &words.map(capital).collect::<String>()
}
