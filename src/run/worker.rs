//! Worker processes: a program that serves cases from a pipe ([`subject::wire`]), and what is needed to rely on it.
//!
//! A [`Lane`] keeps one worker busy and alive. When a worker dies or stalls over a case, the lane finds out which run did it, charges
//! that run alone, starts another worker and goes on; nothing else is lost. A [`Pool`] spreads cases over lanes.

mod lane;

pub use lane::Lane;

use crate::problem::Failure;
use crate::run::build::Runnable;
use std::collections::VecDeque;
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

/// Cases that a lane takes at a time where all are known before: enough to keep its pipe busy, few enough to spread a small suite.
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
        let batches: Vec<_> = requests.chunks(BATCH).collect();
        let answers =
            self.sweep(batches.len(), |at| (batches[at].to_vec(), ()), |_, (), answers| answers)?;
        Ok(answers.into_iter().flatten().collect())
    }

    /// Runs `count` batches, each made by `make` and digested with its answers, on whatever lane is free; the digests in order. What
    /// `make` knows of its requests goes with them.
    ///
    /// # Errors
    /// Where a worker can't be started.
    pub fn sweep<K, T: Send>(
        &mut self,
        count: usize,
        make: impl Fn(usize) -> (Vec<Request>, K) + Sync,
        digest: impl Fn(usize, K, Vec<Answer>) -> T + Sync,
    ) -> Result<Vec<T>, Failure> {
        let digests: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::default()).collect();
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = |lane: &mut Lane| -> Result<(), Failure> {
            let mut submitted = VecDeque::new();
            loop {
                // One batch is made and one is run while the answers to a third are read.
                while submitted.len() < 2 && !failed.load(Ordering::Relaxed) {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= count {
                        break;
                    }
                    let (requests, known) = make(at);
                    lane.submit(requests)?;
                    submitted.push_back((at, known));
                }
                let (Some((at, known)), Some(answers)) = (submitted.pop_front(), lane.collect()?)
                else {
                    return Ok(());
                };
                *digests[at].lock().expect("no digest panics") = Some(digest(at, known, answers));
            }
        };
        let work =
            |lane: &mut Lane| work(lane).inspect_err(|_| failed.store(true, Ordering::Relaxed));
        let used = count.min(self.lanes.len());
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                self.lanes[..used].iter_mut().map(|lane| scope.spawn(|| work(lane))).collect();
            threads.into_iter().try_for_each(|thread| thread.join().expect("a lane does not panic"))
        })?;
        Ok(digests
            .into_iter()
            .map(|digest| {
                digest.into_inner().expect("no digest panicked").expect("every batch was run")
            })
            .collect())
    }
}
