//! How long programs ran for one piece of work.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Adds up the time that runs are charged with. A clone is the same account.
#[derive(Clone, Debug, Default)]
pub struct Account(Arc<AtomicU64>);

impl Account {
    /// Adds the time of a run.
    pub fn charge(&self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.0.fetch_add(micros, Ordering::Relaxed);
    }

    /// The time of all runs so far.
    pub fn charged(&self) -> Duration {
        Duration::from_micros(self.0.load(Ordering::Relaxed))
    }
}
