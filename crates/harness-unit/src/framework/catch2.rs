//! Catch2, versions 2 and 3.

use super::{Failed, Framework, passed, place};
use crate::installed::installed_header;

/// What includes and lists the tests of a version.
pub(super) struct Catch2 {
    main: &'static str,
    header: &'static str,
    libraries: &'static [&'static str],
    list: &'static [&'static str],
    /// With these, it is a failure if no case is run.
    run: &'static [&'static str],
}

/// The version that the machine has. If it has both, it is version 2.
pub(super) fn installed() -> &'static Catch2 {
    /// One header. Compiling it takes long, so `main` is compiled once for the course.
    const VERSION_2: Catch2 = Catch2 {
        main: concat!(
            "#define CATCH_CONFIG_RUNNER\n#include <catch2/catch.hpp>\n",
            "int main(int count, char** words) {\n",
            "    return Catch::Session().run(count, words) == 0 ? ",
            passed!(),
            " : 1;\n}\n"
        ),
        header: "catch2/catch.hpp",
        libraries: &[],
        list: &["--list-test-names-only"],
        run: &["--warn", "NoTests"],
    };
    /// A library. Unless told otherwise, newer ones take another order and other random values each time.
    const VERSION_3: Catch2 = Catch2 {
        main: concat!(
            "#include <catch2/catch_session.hpp>\n",
            "int main(int count, char** words) {\n",
            "    return Catch::Session().run(count, words) == 0 ? ",
            passed!(),
            " : 1;\n}\n"
        ),
        header: "catch2/catch_test_macros.hpp",
        libraries: &["-lCatch2"],
        list: &["--list-tests", "--verbosity", "quiet", "--order", "decl"],
        run: &["--rng-seed", "0"],
    };
    let is_there = |version: &Catch2| installed_header(version.header).is_some();
    if is_there(&VERSION_3) && !is_there(&VERSION_2) { &VERSION_3 } else { &VERSION_2 }
}

impl Framework for Catch2 {
    fn main(&self) -> Option<&'static str> {
        Some(self.main)
    }

    fn passed(&self, status: u8, _: &[u8]) -> bool {
        status == passed!()
    }

    fn header(&self) -> Option<&'static str> {
        Some(self.header)
    }

    fn libraries(&self) -> &'static [&'static str] {
        self.libraries
    }

    fn form(&self) -> &'static str {
        "`TEST_CASE(\"name\") { … }`"
    }

    fn list(&self) -> &'static [&'static str] {
        self.list
    }

    /// A name on each line. One that begins with `#` is in quotation marks.
    fn cases(&self, listed: &str) -> Vec<String> {
        let plain = |name: &str| {
            let inner = name.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
            inner.filter(|inner| inner.starts_with('#')).unwrap_or(name).to_owned()
        };
        let names = listed.lines().map(str::trim_end);
        names.filter(|name| !name.is_empty()).map(plain).collect()
    }

    /// The name in quotation marks, in which three characters have a meaning.
    fn run(&self, case: &str, _: usize) -> Vec<String> {
        let mut filter = "\"".to_owned();
        for found in case.chars() {
            if "\\\",".contains(found) {
                filter.push('\\');
            }
            filter.push(found);
        }
        let options = self.run.iter().map(|it| (*it).to_owned());
        [filter + "\""].into_iter().chain(options).collect()
    }

    /// It ignores case, runs all others than one with `exclude:`, and takes `*` at the beginning and at the end of a name for any
    /// characters.
    fn confuses(&self, case: &str, other: &str) -> bool {
        let (case, other) = (case.trim().to_lowercase(), other.trim().to_lowercase());
        if case.starts_with("exclude:") {
            return true;
        }
        let (begins, ends) = (case.starts_with('*'), case.ends_with('*'));
        let middle = case.trim_start_matches('*').trim_end_matches('*');
        match (begins, ends) {
            (false, false) => other == case,
            (true, false) => other.ends_with(middle),
            (false, true) => other.starts_with(middle),
            (true, true) => other.contains(middle),
        }
    }

    /// `FILE:LINE: SKIPPED:` of version 3, and what `SKIP` says below `explicitly with message:`.
    fn skipped(&self, printed: &str) -> Option<String> {
        let mut lines = printed.lines().skip_while(|line| !line.ends_with(": SKIPPED:"));
        place(lines.next()?)?;
        let said = lines.take_while(|line| !line.is_empty()).skip(1);
        let said: Vec<_> = said.map(str::trim).take(4).collect();
        Some(said.join(" "))
    }

    /// `FILE:LINE: FAILED:`, the assertion, and its expansion, or that there is no such case, or that a case with `[!shouldfail]` passes.
    fn failure(&self, printed: &str) -> Option<Failed> {
        let without_line = |message: &str| Some(Failed { line: None, message: message.to_owned() });
        if let Some(none) = printed.lines().find(|line| line.starts_with("No test cases matched")) {
            return without_line(none);
        }
        let counts = |what: &str| printed.lines().find(|line| line.starts_with(what));
        let has_failed = |what: &str| counts(what).map(|line| line.contains("failed"));
        if (has_failed("test cases: "), has_failed("assertions: ")) == (Some(true), Some(false)) {
            return without_line("no assertion fails, though it is marked with [!shouldfail]");
        }
        let mut lines = printed.lines().skip_while(|line| !line.ends_with(": FAILED:"));
        let (line, _) = place(lines.next()?)?;
        let said: Vec<_> =
            lines.take_while(|line| !line.is_empty()).map(str::trim).take(4).collect();
        Some(Failed { line: Some(line), message: said.join(" ") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_that_should_fail_and_passes_says_so() {
        let printed = "test cases: 1 | 1 failed\nassertions: 1 | 1 passed\n";
        let failed = installed().failure(printed).unwrap();
        assert_eq!(failed.message, "no assertion fails, though it is marked with [!shouldfail]");
        let printed = "a.cpp:5: FAILED:\n  CHECK( a == 2 )\n\ntest cases: 1 | 1 failed\nassertions: 2 | 1 passed | 1 failed\n";
        assert_eq!(installed().failure(printed).unwrap().message, "CHECK( a == 2 )");
    }

    #[test]
    fn a_case_that_is_skipped_says_why() {
        let printed = "a.cpp:2: SKIPPED:\nexplicitly with message:\n  not here\n\n===\n\
            test cases: 1 | 1 skipped\n";
        assert_eq!(installed().skipped(printed).as_deref(), Some("not here"));
        assert_eq!(installed().failure(printed), None);
        let printed = "a.cpp:2: SKIPPED:\n\n===\ntest cases: 1 | 1 skipped\n";
        assert_eq!(installed().skipped(printed).as_deref(), Some(""));
        assert_eq!(installed().skipped("a.cpp:2: FAILED:\n  CHECK( a )\n"), None);
    }

    #[test]
    fn names_that_a_filter_takes_for_others_are_known() {
        let catch2 = installed();
        let confuses = |case: &str, other: &str| catch2.confuses(case, other);
        assert!(
            confuses("Reduces", "reduces") && confuses("2*", "2*3") && confuses("*ends", "it ends")
        );
        assert!(confuses("exclude:a", "b"));
        assert!(!confuses("2*3", "2*") && !confuses("a*b", "a to b") && !confuses("a", "ab"));
    }
}
