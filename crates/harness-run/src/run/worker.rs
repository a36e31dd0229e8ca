//! Worker processes: programs that read cases from a pipe ([`subject::wire`]).
//!
//! A [`RestartingWorker`] keeps one worker busy. If the worker dies or stalls on a case, the `RestartingWorker` finds out which run was
//! responsible, charges that run alone, starts another worker and continues.

mod pipes;
mod restarting;
mod stalls;

pub use restarting::{RestartingWorker, Stop};
pub use stalls::Stalls;

use crate::run::build::Runnable;
use crate::run::work::Work;
use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;
use subject::wire::Hello;

/// How to start a worker, and what its runs may use.
#[derive(Clone)]
pub struct Settings {
    /// What it runs for.
    pub work: Work,
    pub runnable: Runnable,
    /// How often the mutants of the program have stalled, whichever worker ran them.
    pub stalls: Arc<Stalls>,
    /// Environment variables that it gets beside those of every worker.
    pub environment: Vec<(String, OsString)>,
    /// The first frame that it gets.
    pub hello: Hello,
    /// Bytes of address space.
    pub memory: u64,
    /// Bytes of each file that it writes, and of its standard error.
    pub file_size: u64,
    /// How long one row may take in processor time and sleep, unless a step count ends it first.
    pub patience: Duration,
    /// Processes at the same time, itself among them.
    pub processes: u64,
}
