//! What is wrong with an input, and where.

use std::fmt;

/// Why an input is rejected. Lines and columns count from 1, as in a text editor.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    line: u64,
    column: Option<u64>,
    message: String,
}

impl Problem {
    /// A problem with one character, or with a missing one.
    pub(crate) fn at(line: u64, column: u64, message: impl Into<String>) -> Self {
        Self { line, column: Some(column), message: message.into() }
    }

    /// A problem with a whole line.
    pub(crate) fn on(line: u64, message: impl Into<String>) -> Self {
        Self { line, column: None, message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some(column) = self.column {
            write!(f, ", column {column}")?;
        }
        write!(f, ": {}", self.message)
    }
}
