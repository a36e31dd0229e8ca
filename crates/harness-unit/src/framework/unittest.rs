//! The module `unittest` of Python.

use super::{Failed, Framework, Read, python};

pub(super) struct Unittest;

impl Framework for Unittest {
    fn program(&self) -> Option<&'static str> {
        Some(python::program!("unittest.py"))
    }

    fn warm_up(&self) -> &'static str {
        "import traceback, unittest"
    }

    fn form(&self) -> &'static str {
        "a method whose name begins with `test`, of a class that extends `unittest.TestCase`"
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
