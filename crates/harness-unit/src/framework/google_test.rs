//! GoogleTest.

use super::{Failed, Framework, passed, place};
use crate::installed::installed_header;

pub(super) struct GoogleTest;

impl Framework for GoogleTest {
    fn main(&self) -> Option<&'static str> {
        Some(concat!(
            "#include <gtest/gtest.h>\n",
            "int main(int count, char** words) {\n",
            "    return (testing::InitGoogleTest(&count, words), RUN_ALL_TESTS()) == 0 ? ",
            passed!(),
            " : 1;\n}\n"
        ))
    }

    fn passed(&self, status: u8, _: &[u8]) -> bool {
        status == passed!()
    }

    fn libraries(&self) -> &'static [&'static str] {
        // Tests may use its matchers where the machine has them.
        if installed_header("gmock/gmock.h").is_some() {
            return &["-lgmock", "-lgtest", "-pthread"];
        }
        &["-lgtest", "-pthread"]
    }

    fn header(&self) -> Option<&'static str> {
        Some("gtest/gtest.h")
    }

    fn form(&self) -> &'static str {
        "`TEST(Suite, name) { … }`"
    }

    fn list(&self) -> &'static [&'static str] {
        &["--gtest_list_tests"]
    }

    /// `Suite.` on a line, and below it its tests, each after two spaces, with `  # GetParam() = …` behind one with parameters.
    fn cases(&self, listed: &str) -> Vec<String> {
        let (mut suite, mut cases) = ("", Vec::new());
        for line in listed.lines() {
            let name = line.split("  #").next().unwrap_or_default().trim_end();
            match name.strip_prefix("  ") {
                Some(test) if !suite.is_empty() => cases.push(format!("{suite}{test}")),
                None if name.ends_with('.') => suite = name,
                Some(_) | None => {}
            }
        }
        cases
    }

    fn run(&self, case: &str, _: usize) -> Vec<String> {
        vec![format!("--gtest_filter={case}"), "--gtest_color=no".to_owned()]
    }

    /// `FILE:LINE: Skipped`, the reason, and `[  SKIPPED ] SUITE.TEST`, or a count of what begins with `DISABLED_`.
    fn skipped(&self, printed: &str) -> Option<String> {
        if printed.contains("YOU HAVE 1 DISABLED TEST") {
            return Some("its name begins with `DISABLED_`".to_owned());
        }
        let is_end = |line: &&str| line.starts_with("[  SKIPPED ] ");
        printed.lines().find(is_end)?;
        let reason = printed.lines().skip_while(|line| !line.ends_with(": Skipped")).skip(1);
        let reason = reason.take_while(|line| !is_end(line)).map(str::trim);
        let reason: Vec<_> = reason.filter(|line| !line.is_empty()).take(6).collect();
        Some(reason.join("; "))
    }

    /// `FILE:LINE: Failure`, or of an exception `unknown file: Failure`, and the values on the lines below.
    fn failure(&self, printed: &str) -> Option<Failed> {
        let mut lines = printed.lines().skip_while(|line| !line.ends_with(": Failure"));
        let line = place(lines.next()?).map(|(line, _)| line);
        let values = lines.take_while(|line| !line.is_empty() && !line.starts_with("[  "));
        let values: Vec<_> = values.map(str::trim).take(6).collect();
        Some(Failed { line, message: values.join("; ") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_listed_by_their_whole_names() {
        let listed = "Running main() from gtest_main.cc\nMatrix.\n  fills\n  DISABLED_later\nAll/Sizes.\n  fits/0  # GetParam() = 3\n";
        assert_eq!(
            GoogleTest.cases(listed),
            ["Matrix.fills", "Matrix.DISABLED_later", "All/Sizes.fits/0"]
        );
    }

    #[test]
    fn the_first_failure_is_told_with_its_line_and_values() {
        let printed = "[ RUN      ] M.a\nm_tests.cpp:12: Failure\nExpected equality of these values:\n  width(m)\n    Which is: 3\n  2\n\n[  FAILED  ] M.a (0 ms)\n";
        let message = "Expected equality of these values:; width(m); Which is: 3; 2".to_owned();
        assert_eq!(GoogleTest.failure(printed), Some(Failed { line: Some(12), message }));
    }
}
