//! How a mutant's outcome differs from the reference's.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a mutant's outcome differs from the reference's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// It prints or writes something else.
    Output,
    /// It exits with a different status.
    Exit,
    Crash,
    /// It exceeds its time or its number of steps.
    Timeout,
    /// It exceeds the memory limit.
    Memory,
    /// It exceeds the limit on output.
    OutputLimit,
    /// It accepts an input that the reference refuses.
    Accepts,
    /// It refuses an input as the reference does, but says something else where the course compares it.
    Message,
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
            subject::How::Accepts => Self::Accepts,
            subject::How::Message => Self::Message,
        }
    }
}

impl How {
    /// The word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Output => "output",
            Self::Exit => "exit",
            Self::Crash => "crash",
            Self::Timeout => "timeout",
            Self::Memory => "memory",
            Self::OutputLimit => "output-limit",
            Self::Accepts => "accepts",
            Self::Message => "message",
        }
    }
}
