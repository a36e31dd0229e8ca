//! `unit_test_framework.hpp`, a header that courses use. A file of tests ends with `TEST_MAIN()`.

use super::{Failed, Framework};

pub(super) struct UnitTestFramework;

impl Framework for UnitTestFramework {
    /// It prints its results after the case. A case that calls `_exit` ends before.
    fn passed(&self, status: u8, printed: &[u8]) -> bool {
        status == 0 && String::from_utf8_lossy(printed).contains("\n*** Results ***\n")
    }

    fn list(&self) -> &'static [&'static str] {
        &["--show_test_names"]
    }

    /// A name on each line.
    fn cases(&self, listed: &str) -> Vec<String> {
        let names = listed.lines().map(str::trim);
        names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
    }

    fn run(&self, case: &str, _: usize) -> Vec<String> {
        vec![case.to_owned()]
    }

    /// `In ASSERTION, line LINE:`, and the values on the next line.
    fn failure(&self, printed: &str) -> Option<Failed> {
        let mut lines = printed.lines();
        let (assertion, line) = lines
            .find_map(|line| line.strip_prefix("In ")?.strip_suffix(':')?.rsplit_once(", line "))?;
        let values = lines.next().unwrap_or_default();
        Some(Failed { line: line.parse().ok(), message: format!("{assertion}: {values}") })
    }
}
