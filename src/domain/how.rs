//! In what way a mutant differs from the reference.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// In what way a mutant differs from the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// It prints something else.
    Output,
    /// It exits with another status.
    Exit,
    /// It crashes.
    Crash,
    /// It does not end.
    Timeout,
    /// It runs out of memory.
    Memory,
    /// It prints without end.
    OutputLimit,
}

impl From<subject::How> for How {
    fn from(how: subject::How) -> Self {
        match how {
            subject::How::Output => Self::Output,
            subject::How::Exit => Self::Exit,
            subject::How::Crash => Self::Crash,
            subject::How::Timeout => Self::Timeout,
            subject::How::Memory => Self::Memory,
            subject::How::OutputLimit => Self::OutputLimit,
        }
    }
}

impl How {
    /// The word that reports use.
    pub fn word(self) -> &'static str {
        match self {
            Self::Output => "output",
            Self::Exit => "exit",
            Self::Crash => "crash",
            Self::Timeout => "timeout",
            Self::Memory => "memory",
            Self::OutputLimit => "output-limit",
        }
    }
}
