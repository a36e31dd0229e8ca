//! The mutants that were stopped by the clock.
//!
//! Such a mutant loops without counting steps, and probably does so on many cases. From then on it gets less time, and a search soon
//! gives it up.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use subject::wire::MutantSet;

/// A search gives up a mutant after this many stalls.
const MOST: u32 = 3;

/// How often each mutant of a program was stopped by the clock, by its id.
#[derive(Debug, Default)]
pub struct Stalls(Mutex<BTreeMap<String, u32>>);

impl Stalls {
    pub(super) fn add(&self, id: &str) {
        *self.counts().entry(id.to_owned()).or_default() += 1;
    }

    /// Those of the mutants with these `ids` that have stalled.
    pub(super) fn among(&self, ids: &[String]) -> MutantSet {
        let counts = self.counts();
        let has_stalled = |(_, id): &(usize, &String)| counts.contains_key(*id);
        ids.iter().enumerate().filter(has_stalled).map(|(mutant, _)| mutant).collect()
    }

    /// Whether a search gives up a mutant.
    pub(super) fn are_too_many(&self, id: &str) -> bool {
        self.counts().get(id).is_some_and(|&count| count >= MOST)
    }

    /// The ids of the mutants that a search gives up.
    pub fn given_up(&self) -> Vec<String> {
        let counts = self.counts();
        counts.iter().filter(|(_, count)| **count >= MOST).map(|(id, _)| id.clone()).collect()
    }

    /// The time of a mutant on a case that takes the reference `reference`: at most `most`.
    pub(super) fn time(&self, id: &str, reference: Duration, most: Duration) -> Duration {
        /// The least time of a mutant that has stalled, before and after it has stalled often.
        const LEAST: Duration = Duration::from_millis(100);
        const LEAST_OFTEN: Duration = Duration::from_millis(20);
        const OFTEN: u32 = 10;
        /// How many times the reference's time it gets.
        const FACTOR: u32 = 20;
        let least = match self.counts().get(id) {
            None => return most,
            Some(&count) if count < OFTEN => LEAST,
            Some(_) => LEAST_OFTEN,
        };
        least.max(reference * FACTOR).min(most)
    }

    fn counts(&self) -> MutexGuard<'_, BTreeMap<String, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
