//! The trait of what writes the results of `score` in a format. A writer gets one assignment after the other, and each suite as soon as
//! it is scored.
//!
//! A writer gets only what its reader may see. The caller decides where its output goes.

use crate::catalogue::Mutant;
use crate::course::{Assignment, Audience, Course, Level};
use crate::result::drawn::{DrawnTest, Shows};
use crate::result::engines::SlowerProgram;
use crate::result::{LeftOut, MutantReport, SuiteReport};
use crate::suite::layout::Shape;
use std::collections::BTreeMap;
use std::io;

/// Writes a report while the suites are scored. Several writers can write the same results, each with what its own reader may see.
pub trait Writer {
    /// Begins the report.
    fn begin(&mut self, _course: &Course) -> io::Result<()> {
        Ok(())
    }

    /// Begins an assignment.
    fn assignment(&mut self, about: &About<'_>) -> io::Result<()>;

    /// What the writer needs of the valid tests of the assignment, besides their results.
    fn shows(&self) -> Shows {
        Shows::Results
    }

    /// Adds a test of the next suite. It has outcomes only if [`shows`](Self::shows) asks for them.
    fn test(&mut self, _test: &DrawnTest<'_>) -> io::Result<()> {
        Ok(())
    }

    /// Adds a suite to the assignment.
    fn suite(&mut self, suite: &SuiteReport) -> io::Result<()>;

    /// Adds the programs that ran by a slower engine. Only a reader who may see everything gets them.
    fn engines(&mut self, _programs: &[SlowerProgram]) -> io::Result<()> {
        Ok(())
    }

    /// Ends the assignment.
    fn end_assignment(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Completes and flushes the report.
    fn end(self: Box<Self>) -> io::Result<()>;
}

/// What a writer gets about an assignment before its first suite.
pub struct About<'a> {
    /// The assignment.
    pub assignment: &'a Assignment,
    pub audience: Audience,
    pub level: Level,
    /// Its mutants, if the reader may see them.
    pub mutants: &'a [MutantReport],
    pub shape: Shape,
    /// The names of the mutants for this reader, in the reader's order.
    pub mutant_names: &'a [String],
    /// The catalogue, if the reader may see hints, witnesses and outputs.
    pub catalogue: Option<&'a [Mutant]>,
    /// The names of the suites, in order.
    pub names: &'a [String],
    /// What lies in the folder of a class and is no suite.
    pub left_out: &'a [LeftOut],
    /// The files of the students whose name is not that of their file, if each student gets a file.
    pub files: &'a BTreeMap<String, String>,
    /// How many students of a class have their tests in a folder that is named after the assignment.
    pub inner_folders: usize,
}
