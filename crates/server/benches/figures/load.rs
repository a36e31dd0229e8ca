//! Requests at a rate that does not wait for answers, and how long each took.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How many requests may be open at the same time.
const THREADS: usize = 32;

/// How long requests took, in milliseconds, in ascending order.
#[derive(Default)]
pub(crate) struct Latencies {
    all: Vec<f64>,
    pub(crate) failed: usize,
}

impl Latencies {
    pub(crate) fn new(mut all: Vec<f64>, failed: usize) -> Self {
        all.sort_by(f64::total_cmp);
        Self { all, failed }
    }

    /// The time within which this share of the requests was answered.
    pub(crate) fn at(&self, share: f64) -> f64 {
        let last = self.all.len().saturating_sub(1);
        self.all.get((last as f64 * share).ceil() as usize).copied().unwrap_or(f64::NAN)
    }
}

/// Sends a request at each moment of a rate. The time of each counts from that moment, also if it had to wait for a thread.
pub(crate) fn at_rate(
    each_second: usize,
    duration: Duration,
    send: impl Fn(usize) -> bool + Sync,
) -> Latencies {
    let count = each_second * duration.as_secs() as usize;
    let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let began = Instant::now();
    let work = || {
        let mut times = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= count {
                return times;
            }
            let moment = Duration::from_secs_f64(at as f64 / each_second as f64);
            thread::sleep(moment.saturating_sub(began.elapsed()));
            if !send(at) {
                failed.fetch_add(1, Ordering::Relaxed);
            }
            times.push(began.elapsed().saturating_sub(moment).as_secs_f64() * 1e3);
        }
    };
    let all = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    Latencies::new(all, failed.into_inner())
}
