//! What every format of the report of `score` can do: be told of one assignment after the other, and of its suites as they come.
//!
//! A format is told only what its reader may see, and writes to whatever it was made with; where that goes is not its business.

use crate::catalogue::Mutant;
use crate::course::{Assignment, Audience, Course, Level};
use crate::domain::Draft;
use crate::result::{MutantReport, SuiteReport};
use crate::suite::layout::Shape;
use std::io;
use subject::wire::Difference;
use subject::{Case, Outcome};

/// Writes a report while the suites are scored. Several of them are told the same, each as far as its own reader may know it.
pub trait Format {
    /// Begins the report.
    fn begin(&mut self, course: &Course) -> io::Result<()>;

    /// Begins an assignment.
    fn assignment(&mut self, about: &About<'_>) -> io::Result<()>;

    /// What it shows of the tests in the assignment, besides their results.
    fn shows(&self) -> Shows {
        Shows::Results
    }

    /// Adds a test of the next suite. It comes with outcomes only if [`shows`](Self::shows) asks for them.
    fn test(&mut self, _test: &DrawnTest<'_>) -> io::Result<()> {
        Ok(())
    }

    /// Adds a suite to the assignment.
    fn suite(&mut self, suite: &SuiteReport) -> io::Result<()>;

    /// Ends the assignment.
    fn end_assignment(&mut self) -> io::Result<()>;

    /// Ends the report. What it was written to is complete, and flushed.
    fn end(self: Box<Self>) -> io::Result<()>;
}

/// What is known of an assignment before its suites come.
pub struct About<'a> {
    /// The assignment.
    pub assignment: &'a Assignment,
    pub audience: Audience,
    /// How much the reader may see.
    pub level: Level,
    /// Its mutants, where the reader may know them.
    pub mutants: &'a [MutantReport],
    /// Whether it is one suite, or a class.
    pub shape: Shape,
    /// What the reader calls the mutants, in the reader's own order.
    pub mutant_names: &'a [String],
    /// The whole catalogue, if the reader may see hints, witnesses and outputs.
    pub catalogue: Option<&'a [Mutant]>,
    /// The names of the suites, in order.
    pub names: &'a [String],
    /// How many students of a class have their tests in a folder that is named after the assignment.
    pub inner_folders: usize,
}

/// What a format shows of valid tests, besides their results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shows {
    /// Nothing else.
    Results,
    /// The input.
    Inputs,
    /// The input and the outcomes.
    Outcomes,
}

/// A valid test that a format shows.
pub struct DrawnTest<'a> {
    /// The test's file.
    pub file: &'a str,
    pub draft: Draft,
    pub case: &'a Case,
    /// What the reference did, and the mutants that differ.
    pub outcomes: Option<(&'a Outcome, &'a [Difference])>,
}
