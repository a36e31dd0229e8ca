//! How each framework writes a test.

use super::value::Value;
use crate::course::Framework;
use std::fmt::Write;
use std::iter;

/// The parts of a file of tests. `{}` stands for what is put there, in order.
struct Form {
    /// The beginning of the file.
    start: &'static str,
    /// Includes or imports one file or module.
    uses: &'static str,
    /// What comes before the first case.
    cases: &'static str,
    /// The beginning of a case with a name.
    case: &'static str,
    indent: &'static str,
    /// Asserts that an expression has a value.
    equal: &'static str,
    near: &'static str,
    /// Asserts that an expression throws an exception: the type, and the expression.
    throws: &'static str,
    case_end: &'static str,
    end: &'static str,
}

const C_CASE_END: &str = "}\n";

fn form(framework: Framework) -> Option<Form> {
    Some(match framework {
        Framework::GoogleTest => Form {
            start: "#include <gtest/gtest.h>\n#include <stdexcept>\n#include <string>\n#include <vector>\n",
            uses: "#include \"{}\"\n",
            cases: "",
            case: "\nTEST(Drawn, {}) {\n",
            indent: "    ",
            equal: "EXPECT_EQ(({}), ({}));",
            near: "EXPECT_NEAR(({}), {}, 1e-9);",
            throws: "EXPECT_THROW((void)({1}), {0});",
            case_end: C_CASE_END,
            end: "",
        },
        Framework::Catch2 => Form {
            start: match crate::framework::of(framework).header() {
                Some("catch2/catch.hpp") => {
                    "#include <catch2/catch.hpp>\n#include <cmath>\n#include <stdexcept>\n#include <string>\n#include <vector>\n"
                }
                _ => {
                    "#include <catch2/catch_test_macros.hpp>\n#include <cmath>\n#include <stdexcept>\n#include <string>\n#include <vector>\n"
                }
            },
            uses: "#include \"{}\"\n",
            cases: "",
            case: "\nTEST_CASE(\"{}\") {\n",
            indent: "    ",
            equal: "REQUIRE(({}) == ({}));",
            near: "REQUIRE(std::abs(({}) - {}) <= 1e-9);",
            throws: "REQUIRE_THROWS_AS((void)({1}), {0});",
            case_end: C_CASE_END,
            end: "",
        },
        Framework::Doctest => Form {
            start: "#include <cmath>\n#include <doctest/doctest.h>\n#include <stdexcept>\n#include <string>\n#include <vector>\n",
            uses: "#include \"{}\"\n",
            cases: "",
            case: "\nTEST_CASE(\"{}\") {\n",
            indent: "    ",
            equal: "CHECK(({}) == ({}));",
            near: "CHECK(std::abs(({}) - {}) <= 1e-9);",
            throws: "CHECK_THROWS_AS((void)({1}), {0});",
            case_end: C_CASE_END,
            end: "",
        },
        Framework::UnitTestFramework => Form {
            start: "#include \"unit_test_framework.hpp\"\n#include <stdexcept>\n#include <string>\n#include <vector>\n",
            uses: "#include \"{}\"\n",
            cases: "",
            case: "\nTEST({}) {\n",
            indent: "    ",
            equal: "ASSERT_EQUAL(({}), ({}));",
            near: "ASSERT_ALMOST_EQUAL(({}), {}, 1e-9);",
            throws: "bool throws = false;\n    try { (void)({1}); } catch (const {0} &) { throws = true; }\n    ASSERT_TRUE(throws);",
            case_end: C_CASE_END,
            end: "\nTEST_MAIN()\n",
        },
        Framework::Pytest => Form {
            start: "import pytest\n",
            uses: "from {} import *\n",
            cases: "",
            case: "\n\ndef test_{}():\n",
            indent: "    ",
            equal: "assert {} == {}",
            near: "assert {} == pytest.approx({})",
            throws: "with pytest.raises({0}):\n        {1}",
            case_end: "",
            end: "",
        },
        Framework::Unittest => Form {
            start: "import unittest\n",
            uses: "from {} import *\n",
            cases: "\n\nclass Drawn(unittest.TestCase):",
            case: "\n    def test_{}(self):\n",
            indent: "        ",
            equal: "self.assertEqual({}, {})",
            near: "self.assertAlmostEqual({}, {}, 9)",
            throws: "with self.assertRaises({0}):\n            {1}",
            case_end: "",
            end: "",
        },
        Framework::JUnit | Framework::Cargo => return None,
    })
}

/// The text of a file with a case for each call, of which it is known what comes of it, after those that `before` has. `uses` are the files
/// or modules that the tests include or import. `None` if tests in this framework cannot be written.
pub(super) fn written(
    framework: Framework,
    before: &str,
    uses: &[String],
    cases: &[(String, &str, &Value)],
) -> Option<String> {
    let form = form(framework)?;
    let (mut text, end) = around(&form, before, uses);
    for (name, code, value) in cases {
        text.push_str(&form.case.replace("{}", name));
        let (statements, expression) = super::parts(code);
        // A shape may offer the choice to do nothing.
        for statement in statements.lines().filter(|statement| *statement != ";") {
            let _ = writeln!(text, "{}{statement}", form.indent);
        }
        let assertion = match value {
            Value::Literal(value) => filled(form.equal, [expression, value]),
            Value::Near(value) => filled(form.near, [expression, value]),
            Value::Throws(kind) => form.throws.replace("{0}", kind).replace("{1}", expression),
            Value::Fails => continue,
        };
        let _ = writeln!(text, "{}{assertion}", form.indent);
        text.push_str(form.case_end);
    }
    text.push_str(&end);
    if before.contains("\r\n") {
        text = text.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    Some(text)
}

/// What comes before and after the new cases of a file.
fn around(form: &Form, before: &str, uses: &[String]) -> (String, String) {
    let uses = uses.iter().map(|it| form.uses.replace("{}", it));
    let head: String = iter::once(form.start.to_owned()).chain(uses).collect();
    if before.trim().is_empty() {
        return (head + form.cases, form.end.to_owned());
    }
    let (start, end) = before.split_at(end_of_cases(form, before));
    let has = |line: &str| start.lines().any(|it| it.trim() == line.trim());
    let missing = head.lines().filter(|line| !has(line));
    let missing: String = missing.flat_map(|line| [line, "\n"]).collect();
    let gap = if missing.is_empty() { "" } else { "\n" };
    // A class of the same name would take the place of one that is there.
    let mut names = iter::once("Drawn".to_owned()).chain((2..).map(|it| format!("Drawn{it}")));
    let name = names.find(|name| !before.contains(&format!("class {name}("))).unwrap_or_default();
    let cases = form.cases.replace("Drawn", &name);
    let end = if end.is_empty() { String::new() } else { format!("\n{end}") };
    (format!("{}\n{gap}{missing}{cases}", start.trim_end()), end)
}

/// Where the cases of a file end: before the line that ends a file in this form, or that runs a file in Python as a program.
fn end_of_cases(form: &Form, text: &str) -> usize {
    let is_end = |line: &str| {
        let line = line.trim();
        let is_of_form = !form.end.is_empty() && line.trim_end_matches(';') == form.end.trim();
        is_of_form || line.starts_with("if __name__ ==")
    };
    let mut at = text.len();
    text.split_inclusive('\n')
        .rev()
        .find_map(|line| {
            at -= line.len();
            is_end(line).then_some(at)
        })
        .unwrap_or(text.len())
}

/// The template with two texts in the places of `{}`.
fn filled(template: &str, [first, second]: [&str; 2]) -> String {
    let mut parts = template.split("{}");
    let mut part = || parts.next().unwrap_or_default();
    [part(), first, part(), second, part()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_that_does_nothing_is_left_out() {
        let value = Value::Literal("3".to_owned());
        let cases = [("1".to_owned(), "Matrix m(3);\n;\nm.width()", &value)];
        let text = written(Framework::Doctest, "", &[], &cases).unwrap();
        let case = "{\n    Matrix m(3);\n    CHECK((m.width()) == (3));\n}\n";
        assert!(text.ends_with(case), "{text}");
    }

    #[test]
    fn a_test_says_what_is_called_before_and_what_must_come_of_it() {
        let value = Value::Literal("3".to_owned());
        let throws = Value::Throws("KeyError".to_owned());
        let cases = [
            ("1".to_owned(), "m = make(3)\nwidth(m)", &value),
            ("2".to_owned(), "width({})", &throws),
        ];
        let text = written(Framework::Pytest, "", &["matrix".to_owned()], &cases).unwrap();
        let expected = "import pytest\nfrom matrix import *\n\n\ndef test_1():\n    m = make(3)\n    assert width(m) == 3\n\n\ndef test_2():\n    with pytest.raises(KeyError):\n        width({})\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn cases_come_after_those_that_a_file_has_with_what_they_need_more() {
        let value = Value::Literal("3".to_owned());
        let cases = [("2".to_owned(), "width(3)", &value)];
        let uses = ["matrix.h".to_owned()];
        let before = "#include \"unit_test_framework.hpp\"\n#include \"matrix.h\"\n\nTEST(mine) {\n}\n\nTEST_MAIN()\n";
        let text = written(Framework::UnitTestFramework, before, &uses, &cases).unwrap();
        let expected = "#include \"unit_test_framework.hpp\"\n#include \"matrix.h\"\n\nTEST(mine) {\n}\n\n#include <stdexcept>\n#include <string>\n#include <vector>\n\nTEST(2) {\n    ASSERT_EQUAL((width(3)), (3));\n}\n\nTEST_MAIN()\n";
        assert_eq!(text, expected);
        let uses = ["matrix".to_owned()];
        let first = written(Framework::Unittest, "", &uses, &cases).unwrap();
        let text = written(Framework::Unittest, &first, &uses, &cases).unwrap();
        let more = "\n\nclass Drawn2(unittest.TestCase):\n    def test_2(self):\n        self.assertEqual(width(3), 3)\n";
        assert_eq!(text, first + more);
    }

    #[test]
    fn what_runs_a_file_stays_its_end_and_lines_end_as_they_did() {
        let value = Value::Literal("3".to_owned());
        let cases = [("2".to_owned(), "width(3)", &value)];
        let before =
            "import unittest\r\n\r\nif __name__ == \"__main__\":\r\n    unittest.main()\r\n";
        let text = written(Framework::Unittest, before, &[], &cases).unwrap();
        let expected = "import unittest\r\n\r\n\r\nclass Drawn(unittest.TestCase):\r\n    def test_2(self):\r\n        self.assertEqual(width(3), 3)\r\n\r\nif __name__ == \"__main__\":\r\n    unittest.main()\r\n";
        assert_eq!(text, expected);
    }
}
