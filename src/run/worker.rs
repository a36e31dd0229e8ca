//! Worker processes: programs that read cases from a pipe ([`subject::wire`]).
//!
//! A [`Lane`] keeps one worker busy. If the worker dies or stalls on a case, the lane finds out which run was responsible, charges
//! that run alone, starts another worker and continues. A [`Pool`] distributes cases to lanes.

mod lane;
mod stalls;

pub use lane::{Lane, Stop};
pub use stalls::given_up;

use crate::run::build::Runnable;
use crate::run::parallel;
use std::collections::VecDeque;
use subject::wire::{Answer, Hello, Request};

/// How to start a worker, and what its runs may use.
#[derive(Clone, Debug)]
pub struct Settings {
    pub runnable: Runnable,
    /// The first frame that it gets.
    pub hello: Hello,
    /// Bytes of address space.
    pub memory: u64,
    /// How long one row may take by the wall clock, unless a step count ends it first.
    pub patience: std::time::Duration,
}

/// Several lanes of the same program.
pub struct Pool {
    lanes: Vec<Lane>,
}

/// The number of cases that a lane takes at a time: enough to keep its pipe busy, but few enough to distribute a small suite.
const BATCH: usize = 16;

impl Pool {
    /// A pool of `jobs` lanes. Workers start when they are first needed.
    pub fn new(settings: &Settings, jobs: usize) -> Self {
        Self { lanes: (0..jobs.max(1)).map(|_| Lane::new(settings.clone())).collect() }
    }

    /// The answers to `requests`, in order.
    ///
    /// # Errors
    /// If a worker cannot be started, or cannot run the program.
    pub fn rows(&mut self, requests: &[Request]) -> Result<Vec<Answer>, Stop> {
        let batches: Vec<_> = requests.chunks(BATCH).collect();
        let answers =
            self.sweep(batches.len(), |at| (batches[at].to_vec(), ()), |_, (), answers| answers)?;
        Ok(answers.into_iter().flatten().collect())
    }

    /// Runs `count` batches, each made by `make`, on the lanes, and gives what `digest` makes of the answers, in order. What `make`
    /// knows of its requests is passed on to `digest`.
    ///
    /// # Errors
    /// If a worker cannot be started, or cannot run the program.
    pub fn sweep<K, T: Send>(
        &mut self,
        count: usize,
        make: impl Fn(usize) -> (Vec<Request>, K) + Sync,
        digest: impl Fn(usize, K, Vec<Answer>) -> T + Sync,
    ) -> Result<Vec<T>, Stop> {
        parallel::share(&mut self.lanes, count, |lane, queue| {
            let mut submitted = VecDeque::new();
            loop {
                // One batch is made and one is run while the answers to a third are read.
                while submitted.len() < 2
                    && let Some(at) = queue.take()
                {
                    let (requests, known) = make(at);
                    lane.submit(requests)?;
                    submitted.push_back((at, known));
                }
                let (Some((at, known)), Some(answers)) = (submitted.pop_front(), lane.collect()?)
                else {
                    return Ok(());
                };
                queue.put(at, digest(at, known, answers));
            }
        })
    }
}
