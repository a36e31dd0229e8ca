//! A search runs until its time is up, and gives up mutants that hang. Scoring does neither, because it needs every verdict.
//!
//! A mutant that the clock stopped, not its steps, will probably hang on other cases too. From then on the slot runs it apart from the
//! others and gives it less time: twenty times the reference's, and at least a tenth of a second. A search gives it up after three
//! stalls and ends at its deadline, whatever a worker is doing. The cases that are left count as rejected, and nothing is certified from
//! them.
//!
//! A *quick* search tries many cases on which most mutants do what the reference does. It waits for a slow mutant rarely, on few cases
//! ([`effort`](super::effort)).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Whether a search is on, and when it and what follows it end. Every clone says the same, and two that are no clones know nothing of
/// each other.
#[derive(Clone, Debug, Default)]
pub struct Search(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    phase: Phase,
    /// When all must end, with what follows the search.
    end: Option<Instant>,
    /// Whether the search rather tries another case than to wait for a slow program.
    is_quick: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Off,
    On,
    OnUntil(Instant),
}

/// A search is on while this exists.
pub struct Searching(Search);

impl Search {
    /// Begins a search that ends at a deadline.
    pub fn until(&self, deadline: Option<Instant>) -> Searching {
        self.state().phase = deadline.map_or(Phase::On, Phase::OnUntil);
        Searching(self.clone())
    }

    /// As [`until`](Self::until), for a search that does not wait for slow programs.
    pub fn quickly_until(&self, deadline: Option<Instant>) -> Searching {
        let searching = self.until(deadline);
        self.state().is_quick = true;
        searching
    }

    /// From now on, nothing is run after `end`, if there is one. What is running then is stopped, and proves nothing.
    pub fn end_at(&self, end: Option<Instant>) {
        self.state().end = end;
    }

    /// The time until nothing may be run any more.
    pub(super) fn left(&self) -> Duration {
        let end = self.state().end;
        end.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()))
    }

    /// Whether nothing may be run any more.
    pub fn has_ended(&self) -> bool {
        self.state().has_ended()
    }

    /// Whether a search is on.
    pub fn is_on(&self) -> bool {
        self.state().phase != Phase::Off
    }

    /// Whether a search is on that does not wait for slow programs.
    pub(super) fn is_quick(&self) -> bool {
        self.state().is_quick
    }

    /// Whether the deadline of a search, or the end of all, has passed. Then every case that is left counts as rejected.
    pub fn is_over(&self) -> bool {
        let state = self.state();
        matches!(state.phase, Phase::OnUntil(deadline) if Instant::now() >= deadline)
            || state.has_ended()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn has_ended(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }
}

impl Drop for Searching {
    fn drop(&mut self) {
        let mut state = self.0.state();
        (state.phase, state.is_quick) = (Phase::Off, false);
    }
}
