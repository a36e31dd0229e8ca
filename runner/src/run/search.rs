//! A search runs until its time is up, and gives up mutants that hang. Scoring does neither, because it needs every verdict.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

static SEARCH: Mutex<State> = Mutex::new(State::Off);

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Off,
    On,
    OnUntil(Instant),
}

/// A search is on while this exists.
pub struct Search(());

impl Search {
    /// Begins a search that ends at a deadline.
    pub fn until(deadline: Option<Instant>) -> Self {
        *search() = deadline.map_or(State::On, State::OnUntil);
        Self(())
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        *search() = State::Off;
    }
}

/// Whether a search is on.
pub fn is_on() -> bool {
    *search() != State::Off
}

/// Whether the deadline of a search has passed. Then every case that is left counts as rejected.
pub fn is_over() -> bool {
    matches!(*search(), State::OnUntil(deadline) if Instant::now() >= deadline)
}

fn search() -> MutexGuard<'static, State> {
    SEARCH.lock().unwrap_or_else(PoisonError::into_inner)
}
