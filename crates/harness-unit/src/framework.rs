//! The frameworks of unit tests. Each is a file: how its tests are linked, listed and run, and what it says of one that fails.

mod cargo;
mod catch2;
mod doctest;
mod google_test;
mod junit;
mod probe;
mod pytest;
mod python;
mod unit_test_framework;
mod unittest;

use crate::course;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// A framework, as far as `harness` knows it. A test program lists its cases, and runs one of them, which its exit status is about.
pub(crate) trait Framework: Sync {
    /// A source with `main`, where the tests of a student need not have one.
    fn main(&self) -> Option<&'static str> {
        None
    }

    /// Whether a test program that ended with this status, and printed this, says that its case passed. A case that ends the program by
    /// itself has not passed.
    fn passed(&self, status: u8, _printed: &[u8]) -> bool {
        status == 0
    }

    /// A header that every file of tests includes, if reading it takes long.
    fn header(&self) -> Option<&'static str> {
        None
    }

    /// What tests are linked with.
    fn libraries(&self) -> &'static [&'static str] {
        &[]
    }

    /// How a case looks in a file of tests.
    fn form(&self) -> &'static str;

    /// The arguments with which a test program lists its cases.
    fn list(&self) -> &'static [&'static str] {
        &[]
    }

    /// The cases in what it printed then, in order. A case is named as often as it is there.
    fn cases(&self, listed: &str) -> Vec<String>;

    /// Whether it came to the end of its cases, if it tells.
    fn has_listed_all(&self, _listed: &str) -> bool {
        true
    }

    /// The arguments with which a test program runs the case with this name and number, from 1, and no other.
    fn run(&self, case: &str, _number: usize) -> Vec<String> {
        vec![case.to_owned()]
    }

    /// Whether the framework takes the names of two cases for the same when it is to run one.
    fn confuses(&self, case: &str, other: &str) -> bool {
        case == other
    }

    /// Why a case was skipped that did not fail, in what it printed then. The reason may be empty.
    fn skipped(&self, _printed: &str) -> Option<String> {
        None
    }

    /// What failed, in what it printed then.
    fn failure(&self, printed: &str) -> Option<Failed>;

    /// A program in Python that runs cases. It gets the file of tests, seconds, and arguments.
    fn program(&self) -> Option<&'static str> {
        None
    }

    /// The package that this program imports, which the machine must have.
    fn package(&self) -> Option<&'static str> {
        None
    }

    /// A program in Java that runs cases, as sources and what lies beside its classes.
    fn sources(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Whether each line that it prints of a case begins with a secret, which it reads from standard input. So a test cannot print one.
    fn knows_a_secret(&self) -> bool {
        false
    }

    /// What a server of this program does first, in Python, so that it need not be done for each variant.
    fn warm_up(&self) -> &'static str {
        ""
    }

    /// The argument with which a server prints what it makes of a file of tests alone. Other runs find it beside the file.
    fn prepare(&self) -> Option<&'static str> {
        None
    }

    /// How to read what a test program prints that runs several cases, if it can be given the arguments of several.
    fn together(&self) -> Option<Read> {
        None
    }
}

/// Reads the verdicts, with the names of the cases. What cannot be told so is left out.
pub(crate) type Read = fn(&str) -> Vec<(String, Verdict)>;

/// What came of one of several cases.
pub(crate) struct Verdict {
    pub(crate) passed: bool,
    pub(crate) time: Duration,
    /// The mutants that it reached, on a program that tells them. `None` if they are too many to tell.
    pub(crate) reached: Option<BTreeSet<String>>,
    /// The first and the last of some lines that it reached, by the name of their file, if that was asked for.
    pub(crate) lines: BTreeMap<String, Vec<[usize; 2]>>,
    /// What was printed of it.
    pub(crate) line: String,
}

/// What a `main` in C++ returns if the case passed.
macro_rules! passed {
    () => {
        97
    };
}
use passed;

/// What is said of a case that ends the program of tests.
pub(crate) const ENDS: &str = "it ends the program, as `exit` does";

/// How what a framework says of a test begins that reads what it should only call.
pub(crate) const LOOKS: &str = "it looks at the program instead of calling it";

/// An assertion that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// The line in the student's file, if the framework says it.
    pub line: Option<usize>,
    /// What was asserted, with the values.
    pub message: String,
}

/// The framework with this key.
pub(crate) fn of(framework: course::Framework) -> &'static dyn Framework {
    match framework {
        course::Framework::GoogleTest => &google_test::GoogleTest,
        course::Framework::Catch2 => catch2::installed(),
        course::Framework::Doctest => &doctest::Doctest,
        course::Framework::UnitTestFramework => &unit_test_framework::UnitTestFramework,
        course::Framework::Pytest => &pytest::Pytest,
        course::Framework::Unittest => &unittest::Unittest,
        course::Framework::JUnit => &junit::JUnit,
        course::Framework::Cargo => &cargo::Cargo,
    }
}

/// What evaluates calls instead of running tests.
pub(crate) fn probe() -> &'static dyn Framework {
    &probe::Probe
}

/// The first place `FILE:LINE` in a line of text, and what follows it.
fn place(line: &str) -> Option<(usize, &str)> {
    let (_, rest) = line.split_once(':')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    Some((rest[..digits].parse().ok()?, rest[digits..].trim_start_matches([':', ' '])))
}
