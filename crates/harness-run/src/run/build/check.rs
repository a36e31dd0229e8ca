//! Checks whether a program compiles, and where it does not.

mod package;
mod sources;

use crate::course::{Assignment, AssignmentProgram, Course};
use crate::diagnostic::Failure;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// An error of the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    /// The parts of the source that it is about, the most important first. Paths are relative to the folder of the program.
    pub places: Vec<(PathBuf, Range<usize>)>,
    /// Whether the compiler tells only where these parts begin.
    pub is_start: bool,
    /// As the compiler prints it.
    pub text: String,
}

/// The errors of the combined build of an assignment whose program is in `folder`. There is none if it compiles.
///
/// # Errors
/// If it does not compile for a reason that is not in its source.
pub fn check(
    course: &Course,
    assignment: &Assignment,
    folder: &Path,
) -> Result<Vec<CompileError>, Failure> {
    match &assignment.program {
        AssignmentProgram::Cargo(package) => package::check(folder, package.binary.as_deref()),
        AssignmentProgram::Sources(sources) => sources::check(course, assignment, sources, folder),
        AssignmentProgram::Commands { .. } => Ok(Vec::new()),
    }
}
