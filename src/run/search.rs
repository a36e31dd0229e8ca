//! A search runs until its time is up, and gives up mutants that hang. Scoring does neither, because it needs every verdict.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Whether a search is on, and its deadline.
static SEARCH: Mutex<Option<Option<Instant>>> = Mutex::new(None);

/// A search is on while this exists.
pub struct Search(());

impl Search {
    /// Begins a search that ends at a deadline.
    pub fn until(deadline: Option<Instant>) -> Self {
        *search() = Some(deadline);
        Self(())
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        *search() = None;
    }
}

/// Whether a search is on.
pub fn is_on() -> bool {
    search().is_some()
}

/// Whether the deadline of a search has passed. Then every case that is left counts as rejected.
pub fn is_over() -> bool {
    search().flatten().is_some_and(|deadline| Instant::now() >= deadline)
}

fn search() -> MutexGuard<'static, Option<Option<Instant>>> {
    SEARCH.lock().unwrap_or_else(PoisonError::into_inner)
}
