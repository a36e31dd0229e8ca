//! `unit_test_framework.hpp`, a header that courses use. A file of tests ends with `TEST_MAIN()`.

use super::{Failed, Framework};

pub(super) struct UnitTestFramework;

impl Framework for UnitTestFramework {
    /// It prints its results after the case. A case that calls `_exit` ends before.
    fn passed(&self, status: u8, printed: &[u8]) -> bool {
        status == 0 && String::from_utf8_lossy(printed).contains("\n*** Results ***\n")
    }

    fn form(&self) -> &'static str {
        "`TEST(name) { … }`, and `TEST_MAIN()` ends the file"
    }

    fn list(&self) -> &'static [&'static str] {
        &["--show_test_names"]
    }

    /// A name on each line.
    fn cases(&self, listed: &str) -> Vec<String> {
        let names = listed.lines().map(str::trim);
        names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
    }

    /// `In ASSERTION, line LINE:`, and the values on the next line; or `Uncaught TYPE in test "NAME":`, and what the exception says.
    fn failure(&self, printed: &str) -> Option<Failed> {
        let mut lines = printed.lines();
        while let Some(line) = lines.next() {
            let assertion = line.strip_prefix("In ").and_then(|it| it.strip_suffix(':'));
            if let Some((assertion, line)) = assertion.and_then(|it| it.rsplit_once(", line ")) {
                let message = format!("{assertion}: {}", lines.next().unwrap_or_default());
                return Some(Failed { line: line.parse().ok(), message });
            }
            let uncaught = line.strip_prefix("Uncaught ").and_then(|it| it.split_once(" in test "));
            if let Some((kind, _)) = uncaught {
                let message = format!("uncaught {kind}: {}", lines.next().unwrap_or_default());
                return Some(Failed { line: None, message });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assertion_has_its_line_and_an_exception_what_it_says() {
        let failure = |printed: &str| UnitTestFramework.failure(printed).unwrap();
        let printed = "one\nIn ASSERT_EQUAL(2, 3), line 7:\n2 != 3\n";
        let message = "ASSERT_EQUAL(2, 3): 2 != 3".to_owned();
        assert_eq!(failure(printed), Failed { line: Some(7), message });
        let printed = "\n---- one ----\nUncaught std::out_of_range in test \"one\": \nno row 9\n";
        let message = "uncaught std::out_of_range: no row 9".to_owned();
        assert_eq!(failure(printed), Failed { line: None, message });
    }
}
