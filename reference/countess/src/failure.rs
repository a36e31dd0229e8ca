//! Why a run fails, and the messages for it.

use std::fmt;
use std::io;

#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line is wrong.
    Usage(String),
    /// The input is wrong at this line and, if known, this column. Both count from 1.
    Input { line: usize, column: Option<usize>, what: String },
    /// Standard input cannot be read.
    Read(io::Error),
    /// Standard output cannot be written.
    Write(io::Error),
}

impl Failure {
    /// A whole line is wrong.
    pub(crate) fn line(line: usize, what: impl Into<String>) -> Self {
        Self::Input { line, column: None, what: what.into() }
    }

    /// The line is wrong from this column on.
    pub(crate) fn column(line: usize, column: usize, what: impl Into<String>) -> Self {
        Self::Input { line, column: Some(column), what: what.into() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(what) => write!(f, "{what}\nhint: --help tells the options"),
            Self::Input { line, column: Some(column), what } => {
                write!(f, "line {line}, column {column}: {what}")
            }
            Self::Input { line, column: None, what } => write!(f, "line {line}: {what}"),
            Self::Read(error) => write!(f, "cannot read the input: {error}"),
            Self::Write(error) => write!(f, "cannot write the output: {error}"),
        }
    }
}

/// A byte of the input for a message: in quotes, and escaped if it is not printable.
pub(crate) fn quoted(byte: u8) -> String {
    format!("'{}'", byte.escape_ascii())
}
