//! Threads that may wait, and how long they do.

use super::{Fault, Result};
use std::thread;
use std::time::{Duration, Instant};

/// How long work waits for the database before it is given up, so that no request waits for ever.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// Runs what may wait on a thread of its own.
pub(super) async fn waiting<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(Fault::Broken(error.to_string())))
}

/// Repeats work that stood in the way of other work, with pauses that grow, until it is done or patience ends.
pub(super) fn repeated<T>(mut work: impl FnMut() -> Result<T>) -> Result<T> {
    let began = Instant::now();
    let mut pause = 1;
    loop {
        match work() {
            Err(Fault::Busy(_)) if began.elapsed() < PATIENCE => {
                // Those that met once should not meet again.
                let share = u64::from(began.elapsed().subsec_nanos()) % pause;
                thread::sleep(Duration::from_millis(1 + share));
                pause = (pause * 2).min(64);
            }
            done => return done,
        }
    }
}
