//! doctest, which is one header.

use super::{Failed, Framework};

pub(super) struct Doctest;

impl Framework for Doctest {
    fn main(&self) -> Option<&'static str> {
        Some("#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\n")
    }

    fn list(&self) -> &'static [&'static str] {
        &["--list-test-cases", "--no-colors=true"]
    }

    /// Names between lines of the program's own, which begin with `[doctest]` or `===`.
    fn cases(&self, listed: &str) -> Vec<String> {
        let own = |line: &&str| line.starts_with("[doctest]") || line.starts_with("=====");
        listed.lines().filter(|line| !line.is_empty() && !own(line)).map(str::to_owned).collect()
    }

    /// A filter in which a comma separates names.
    fn run(&self, case: &str) -> Vec<String> {
        vec![format!("--test-case={}", case.replace(',', "\\,")), "--no-colors=true".to_owned()]
    }

    /// `FILE:LINE: ERROR: CHECK( … ) is NOT correct!`, and the values two lines below.
    fn failure(&self, printed: &str) -> Option<Failed> {
        let mut lines = printed.lines();
        let (line, message) = lines.find_map(|line| {
            let (place, message) =
                line.split_once(": ERROR: ").or(line.split_once(": FATAL ERROR: "))?;
            let message = message.strip_suffix(" is NOT correct!").unwrap_or(message);
            Some((place.rsplit_once(':')?.1.parse().ok(), message.to_owned()))
        })?;
        let values = lines.find_map(|line| line.trim().strip_prefix("values: "));
        let values = values.map(|values| format!("; values: {values}")).unwrap_or_default();
        Some(Failed { line, message: message + &values })
    }
}
