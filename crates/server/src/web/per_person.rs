//! How many things of one kind a person may do on this server at the same time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Counts what each person does. A clone is the same one.
#[derive(Clone, Debug)]
pub struct PerPerson {
    most: usize,
    counts: Arc<Mutex<HashMap<i64, usize>>>,
}

/// One thing that a person does, until it is dropped.
#[derive(Debug)]
pub struct Held {
    of: PerPerson,
    person: i64,
}

impl PerPerson {
    pub fn new(most: usize) -> Self {
        Self { most, counts: Arc::default() }
    }

    /// Begins something, unless the person does as much as possible already.
    pub fn hold(&self, person: i64) -> Option<Held> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(person).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Held { of: self.clone(), person })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut counts = self.of.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.person) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.person);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_person_holds_no_more_than_may_be_and_nobody_else_notices() {
        let pages = PerPerson::new(2);
        let first = pages.hold(1);
        let second = pages.hold(1);
        assert!(first.is_some() && second.is_some() && pages.hold(1).is_none());
        assert!(pages.hold(2).is_some());
        drop(first);
        assert!(pages.hold(1).is_some());
    }
}
