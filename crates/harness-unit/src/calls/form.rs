//! How each framework writes a test.

use super::value::Value;
use crate::course::Framework;
use std::fmt::Write;

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

/// The text of a file with a case for each call, of which it is known what comes of it. `uses` are the files or modules that the tests
/// include or import. `None` if tests in this framework cannot be written.
pub(super) fn written(
    framework: Framework,
    uses: &[String],
    cases: &[(String, &str, &Value)],
) -> Option<String> {
    let form = form(framework)?;
    let mut text = form.start.to_owned();
    uses.iter().for_each(|it| text.push_str(&form.uses.replace("{}", it)));
    text.push_str(form.cases);
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
    text.push_str(form.end);
    Some(text)
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
        let text = written(Framework::Doctest, &[], &cases).unwrap();
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
        let text = written(Framework::Pytest, &["matrix".to_owned()], &cases).unwrap();
        let expected = "import pytest\nfrom matrix import *\n\n\ndef test_1():\n    m = make(3)\n    assert width(m) == 3\n\n\ndef test_2():\n    with pytest.raises(KeyError):\n        width({})\n";
        assert_eq!(text, expected);
    }
}
