//! A search runs until its time is up, and gives up mutants that hang. Scoring does neither, because it needs every verdict.
//!
//! A mutant that the clock stopped, not its steps, will probably hang on other cases too. From then on the lane runs it apart from the
//! others and gives it less time: twenty times the reference's, and at least a tenth of a second. A search (`run/search.rs`) gives it
//! up after three stalls and ends at its deadline, whatever a worker is doing. The cases that are left count as rejected, and nothing
//! is certified from them. `score` gives up no mutant, because it needs every verdict.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

static SEARCH: Mutex<State> = Mutex::new(State::Off);

/// When the whole command must end, with all that follows the search.
static END: Mutex<Option<Instant>> = Mutex::new(None);

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

/// From now on, nothing is run after `end`. What is running then is stopped, and proves nothing.
pub fn end_at(end: Instant) {
    *END.lock().unwrap_or_else(PoisonError::into_inner) = Some(end);
}

/// Whether nothing may be run any more.
pub fn has_ended() -> bool {
    END.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|end| Instant::now() >= end)
}

/// Whether a search is on.
pub fn is_on() -> bool {
    *search() != State::Off
}

/// Whether the deadline of a search, or the end of the whole command, has passed. Then every case that is left counts as rejected.
pub fn is_over() -> bool {
    matches!(*search(), State::OnUntil(deadline) if Instant::now() >= deadline) || has_ended()
}

fn search() -> MutexGuard<'static, State> {
    SEARCH.lock().unwrap_or_else(PoisonError::into_inner)
}
