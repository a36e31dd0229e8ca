//! Why a program fails, and the messages for it.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use subject::Env;

#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line is wrong. The message shows the usage as a hint.
    CommandLine { message: String, usage: &'static str },
    /// A file is not a maze.
    Maze { line: usize, column: Option<usize>, message: String },
    /// Any other failure, fully described by the message.
    Other(String),
}

impl Failure {
    /// A file cannot be read or written. `action` is `read` or `write`.
    pub(crate) fn file(action: &str, name: &OsStr, error: &io::Error) -> Self {
        Self::Other(format!("cannot {action} '{}': {error}", name.display()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CommandLine { message, usage } => write!(f, "{message}\nhint: {usage}"),
            Self::Maze { line, column: Some(column), message } => {
                write!(f, "line {line}, column {column}: {message}")
            }
            Self::Maze { line, column: None, message } => write!(f, "line {line}: {message}"),
            Self::Other(message) => f.write_str(message),
        }
    }
}

/// The exit status for an outcome. Prints a failure to standard error.
pub(crate) fn status(outcome: Result<(), Failure>, env: &mut Env<'_>) -> u8 {
    match outcome {
        Ok(()) => 0,
        Err(failure) => {
            // If standard error cannot be written either, the exit status must do.
            let _ = writeln!(env.stderr, "{failure}");
            1
        }
    }
}
