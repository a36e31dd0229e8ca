//! Workers: they take jobs from the queue, and give each to a resident grader.
//!
//! Each worker is a task with graders of its own, which are child processes: what reads what students wrote holds no key, no session and
//! no connection to the database. A worker that is killed leaves nothing behind but its claim, and another one takes the job when the
//! lease ends.

mod beacon;
mod grader;
mod graders;
mod group;
mod keeper;
mod miner;
mod patience;
mod program;
mod scratch;
mod slot;
mod stop;

pub use program::Program;
pub use stop::{Asker, Phase, Stop, channel};

use crate::app::App;
use crate::queue;
use harness::diagnostic::Failure;
use scratch::Scratch;
use slot::Slot;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

/// How workers work.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many submissions are graded at the same time.
    pub count: usize,
    /// Whether to end when no job waits, not even for its next attempt. Those that other workers hold are not waited for.
    pub until_empty: bool,
    /// The program that grades.
    pub program: Program,
    /// How long a grader may say nothing. It speaks after each group of cases, and before that it may build the course.
    pub silence: Duration,
    /// How long a job may go on after the worker was asked to end. After that it is given back.
    pub grace: Duration,
}

impl Options {
    pub fn new(count: usize, program: Program) -> Self {
        let (silence, grace) = (Duration::from_mins(30), Duration::from_secs(20));
        Self { count, until_empty: false, program, silence, grace }
    }
}

/// The workers of this process.
pub struct Workers(JoinSet<()>);

impl Workers {
    /// Starts them.
    ///
    /// # Errors
    /// If there is no place for the files of submissions.
    pub fn start(app: &App, options: &Options, stop: &Stop) -> Result<Self, Failure> {
        program::hand_nothing_down();
        let scratch = Scratch::new()
            .map_err(|error| Failure::machine("make a folder for submissions", error))?;
        let scratch = Arc::new(scratch);
        let mut all = JoinSet::new();
        for number in 1..=options.count {
            let slot = Slot::new(app, options, stop, &scratch, number);
            all.spawn(slot.run());
        }
        Ok(Self(all))
    }

    /// Waits until all of them have ended.
    pub async fn ended(mut self) {
        while let Some(done) = self.0.join_next().await {
            if let Err(error) = done {
                tracing::error!(%error, "a worker ended");
            }
        }
    }
}

/// How long a worker waits before it looks at the queue again, if nobody wakes it.
const LOOK: Duration = Duration::from_millis(500);

/// How often a claim is renewed, and a worker says that it is there. Both may fail a few times within a lease.
const BEAT: Duration = Duration::from_millis(queue::LEASE as u64 / 5);
