//! pytest.

use super::{Failed, Framework, Read, python};

pub(super) struct Pytest;

impl Framework for Pytest {
    fn program(&self) -> Option<&'static str> {
        Some(python::program!("pytest.py"))
    }

    fn package(&self) -> Option<&'static str> {
        Some("pytest")
    }

    fn warm_up(&self) -> &'static str {
        include_str!("warm_pytest.py")
    }

    fn prepare(&self) -> Option<&'static str> {
        Some("--prepare")
    }

    fn form(&self) -> &'static str {
        "a function whose name begins with `test_`"
    }

    fn cases(&self, listed: &str) -> Vec<String> {
        python::cases(listed)
    }

    fn has_listed_all(&self, listed: &str) -> bool {
        python::is_whole(listed)
    }

    fn skipped(&self, printed: &str) -> Option<String> {
        python::skipped(printed)
    }

    fn failure(&self, printed: &str) -> Option<Failed> {
        python::failure(printed)
    }

    fn together(&self) -> Option<Read> {
        Some(python::verdicts)
    }
}
