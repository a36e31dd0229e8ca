//! Catch2, versions 2 and 3.

use super::{Failed, Framework, place};

pub(super) struct Catch2;

impl Framework for Catch2 {
    /// Version 2 is one header, and version 3 a library. Compiling the header takes long, so `main` is compiled once for the course.
    fn main(&self) -> Option<&'static str> {
        Some("#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n")
    }

    fn list(&self) -> &'static [&'static str] {
        &["--list-test-names-only"]
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
