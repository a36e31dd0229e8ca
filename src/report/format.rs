//! What every format of the report of `score` can do: be told of one assignment after the other, and of its suites as they come.
//!
//! A format is told only what its reader may see, and writes to whatever it was made with; where that goes is not its business.

use crate::course::{Assignment, Audience, Course, Level};
use crate::result::{MutantReport, SuiteReport};
use crate::suite::layout::Shape;
use std::io;

/// Writes a report while the suites are scored. Several of them are told the same, each as far as its own reader may know it.
pub trait Format {
    /// Begins the report.
    fn begin(&mut self, course: &Course) -> io::Result<()>;

    /// Begins an assignment.
    fn assignment(&mut self, about: &About<'_>) -> io::Result<()>;

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
    /// The names of the suites, in order.
    pub names: &'a [String],
}
