//! Engines: the ways to run a program on cases.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A way to run a program on cases, the fastest first. Its name is that of the option and of the reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// The program itself, or a server in its language, runs one case after the other in one process.
    Worker,
    /// A host in the program's process runs `main` for each case and restores the memory after it.
    Snapshot,
    /// A host in the program's process forks it for each case.
    Fork,
    /// An ordinary process for each case.
    Process,
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Worker => "worker",
            Self::Snapshot => "snapshot",
            Self::Fork => "fork",
            Self::Process => "process",
        })
    }
}

/// Which engine to run programs by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Preference {
    /// The fastest engine that fits each program
    #[default]
    Auto,
    /// Start with `worker`, or with `snapshot` for a compiled program
    Worker,
    /// The same as `worker`
    Snapshot,
    /// A fork for each run, or a process if the program cannot be forked
    Fork,
    /// A process for each run
    Process,
}

impl Preference {
    /// The fastest engine that may be used. `None` if what is known of the program decides.
    pub fn fastest(self) -> Option<Engine> {
        match self {
            Self::Auto => None,
            Self::Worker | Self::Snapshot => Some(Engine::Worker),
            Self::Fork => Some(Engine::Fork),
            Self::Process => Some(Engine::Process),
        }
    }
}
