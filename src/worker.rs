//! Worker processes: a program that serves cases from a pipe ([`subject::wire`]), and what is needed to rely on it.
//!
//! A [`Lane`] keeps one worker busy and alive. When a worker dies or stalls over a case, the lane finds out which run did it, charges
//! that run alone, starts another worker and goes on; nothing else is lost. A [`Pool`] spreads cases over lanes.

mod lane;

pub use lane::Lane;

use crate::compile::Runnable;
use crate::problem::Failure;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use subject::wire::{Answer, Hello, Request};

/// How to start a worker, and what its runs may use.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The program.
    pub runnable: Runnable,
    /// What it is told first.
    pub hello: Hello,
    /// Bytes of address space.
    pub memory: u64,
    /// How long one row may take by the wall clock, where no step count ends it.
    pub patience: std::time::Duration,
}

/// Several lanes of the same program.
pub struct Pool {
    lanes: Vec<Lane>,
}

/// Cases that a lane takes at a time: enough to keep its pipe busy, few enough to spread a small suite.
const BATCH: usize = 16;

impl Pool {
    /// A pool of `jobs` lanes. Workers start when they are first needed.
    pub fn new(settings: &Settings, jobs: usize) -> Self {
        Self { lanes: (0..jobs.max(1)).map(|_| Lane::new(settings.clone())).collect() }
    }

    /// The answers to `requests`, in order.
    ///
    /// # Errors
    /// Where a worker can't be started.
    pub fn rows(&mut self, requests: &[Request]) -> Result<Vec<Answer>, Failure> {
        if requests.len() <= BATCH || self.lanes.len() == 1 {
            return self.lanes[0].rows(requests);
        }
        let batches: Vec<_> = requests.chunks(BATCH).collect();
        let answers: Vec<Mutex<Vec<Answer>>> = batches.iter().map(|_| Mutex::default()).collect();
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = |lane: &mut Lane| -> Result<(), Failure> {
            while !failed.load(Ordering::Relaxed) {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(batch) = batches.get(at) else { break };
                let rows = lane.rows(batch).inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
                *answers[at].lock().expect("no lane panics while it hands over") = rows;
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = self.lanes.iter_mut().map(|lane| scope.spawn(|| work(lane))).collect();
            threads.into_iter().try_for_each(|thread| thread.join().expect("a lane does not panic"))
        })?;
        Ok(answers.into_iter().flat_map(|batch| batch.into_inner().expect("no lane panicked")).collect())
    }
}
