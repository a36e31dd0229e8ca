//! What the course file says of an inspector: a program of the course that inspects outputs (a checker) or inputs (a validator), or that
//! talks with other programs (an interactor).

use super::check::Check;
use super::yaml::Spanned;
use crate::diagnostic::Place;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A program that inspects outputs or inputs.
#[derive(Clone, Debug)]
pub struct Inspector {
    pub role: Role,
    /// The program, with the words before those of the protocol. A source is built first.
    pub command: Vec<String>,
    /// The words after those of the protocol.
    pub args: Vec<String>,
    /// The time that it may take.
    pub time: Duration,
    /// The bytes of memory that it may use.
    pub memory: u64,
    /// Where the course file names it.
    pub place: Place,
}

impl Inspector {
    /// The files in `folder`, that of the course, which the command names.
    pub fn files(&self, folder: &Path) -> Vec<PathBuf> {
        let paths = self.command.iter().chain(&self.args).map(|word| folder.join(word));
        paths.filter(|path| path.is_file()).collect()
    }
}

/// What an inspector inspects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Outputs.
    Checker,
    /// Inputs.
    Validator,
    /// What a program says while it talks with it.
    Interactor,
}

impl Role {
    /// The word in messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Checker => "checker",
            Self::Validator => "validator",
            Self::Interactor => "interactor",
        }
    }
}

/// A program, or a command line as a list of words.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a program, or a command line as a list of words")]
pub(super) enum Command {
    Program(String),
    Words(Vec<String>),
}

/// The limits on one run, as they are written.
pub(super) struct InspectorLimits {
    pub(super) seconds: Option<f64>,
    pub(super) memory_mb: Option<u64>,
}

const SECONDS: f64 = 10.0;
const MEMORY_MB: u64 = 2048;

impl Check<'_> {
    pub(super) fn inspector(
        &mut self,
        role: Role,
        command: &Spanned<Command>,
        args: &[String],
        limits: &InspectorLimits,
    ) -> Option<Inspector> {
        let words = match &command.value {
            Command::Program(program) => vec![program.clone()],
            Command::Words(words) => words.clone(),
        };
        if words.first().is_none_or(String::is_empty) {
            let message = format!("the command of the {} is empty", role.word());
            self.problems.push(self.source.problem(command, message));
            return None;
        }
        Some(Inspector {
            role,
            command: words,
            args: args.to_vec(),
            time: Duration::from_secs_f64(limits.seconds.unwrap_or(SECONDS)),
            memory: limits.memory_mb.unwrap_or(MEMORY_MB) << 20,
            place: self.source.place(command),
        })
    }
}
