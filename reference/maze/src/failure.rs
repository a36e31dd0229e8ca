//! Why a program gave up, and how the user is told.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use subject::Env;

/// Why a program gave up.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line is wrong; the usage follows as a hint.
    CommandLine { message: String, usage: &'static str },
    /// A file is no maze.
    Maze { line: usize, column: Option<usize>, message: String },
    /// Anything else that the message says in full.
    Other(String),
}

impl Failure {
    /// A file that could not be read or written: `action` says which.
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

/// The exit status of a program that ended so; a failure is told on standard error.
pub(crate) fn status(outcome: Result<(), Failure>, env: &mut Env<'_>) -> u8 {
    match outcome {
        Ok(()) => 0,
        Err(failure) => {
            // With standard error gone too, the status still tells.
            let _ = writeln!(env.stderr, "{failure}");
            1
        }
    }
}
