//! What is wrong with an input, and where. Knows nothing of maps.

use std::fmt;

/// Why an input is refused, at the line, and the column where there is one, that a text editor would show.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    line: u64,
    column: Option<u64>,
    message: String,
}

impl Problem {
    /// A problem with one character, or where one is missing.
    pub(crate) fn at(line: u64, column: u64, message: impl Into<String>) -> Self {
        Self { line, column: Some(column), message: message.into() }
    }

    /// A problem with no one character to blame.
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
