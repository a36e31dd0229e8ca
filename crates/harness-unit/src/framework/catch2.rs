//! Catch2, versions 2 and 3.

use super::{Failed, Framework, installed_header, place};

/// What includes and lists the tests of a version.
pub(super) struct Catch2 {
    main: Option<&'static str>,
    header: &'static str,
    libraries: &'static [&'static str],
    list: &'static [&'static str],
}

/// The version that the machine has. If it has both, it is version 2.
pub(super) fn installed() -> &'static Catch2 {
    /// One header. Compiling it takes long, so `main` is compiled once for the course.
    const VERSION_2: Catch2 = Catch2 {
        main: Some("#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n"),
        header: "catch2/catch.hpp",
        libraries: &[],
        list: &["--list-test-names-only"],
    };
    /// A library.
    const VERSION_3: Catch2 = Catch2 {
        main: None,
        header: "catch2/catch_test_macros.hpp",
        libraries: &["-lCatch2Main", "-lCatch2"],
        list: &["--list-tests", "--verbosity", "quiet"],
    };
    let is_there = |version: &Catch2| installed_header(version.header).is_some();
    if is_there(&VERSION_3) && !is_there(&VERSION_2) { &VERSION_3 } else { &VERSION_2 }
}

impl Framework for Catch2 {
    fn main(&self) -> Option<&'static str> {
        self.main
    }

    fn header(&self) -> Option<&'static str> {
        Some(self.header)
    }

    fn libraries(&self) -> &'static [&'static str] {
        self.libraries
    }

    fn list(&self) -> &'static [&'static str] {
        self.list
    }

    /// A name on each line.
    fn cases(&self, listed: &str) -> Vec<String> {
        let names = listed.lines().map(str::trim_end);
        names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
    }

    /// A filter in which some characters have a meaning.
    fn run(&self, case: &str) -> Vec<String> {
        let mut filter = String::new();
        for found in case.chars() {
            if ",[]\\*".contains(found) {
                filter.push('\\');
            }
            filter.push(found);
        }
        vec![filter]
    }

    /// `FILE:LINE: FAILED:`, the assertion, and its expansion.
    fn failure(&self, printed: &str) -> Option<Failed> {
        let mut lines = printed.lines().skip_while(|line| !line.ends_with(": FAILED:"));
        let (line, _) = place(lines.next()?)?;
        let said: Vec<_> =
            lines.take_while(|line| !line.is_empty()).map(str::trim).take(4).collect();
        Some(Failed { line: Some(line), message: said.join(" ") })
    }
}
