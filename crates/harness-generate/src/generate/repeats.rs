//! Tells when random cases are hardly ever new. Then a search has tried nearly all that there are.

use crate::domain::Draft;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// So many cases are remembered. If there are more, they are not soon used up.
const MOST: usize = 10_000;
/// After so many cases in a row that were drawn before, another one is hardly ever new.
const ENOUGH: usize = 1 << 15;

/// The cases that were drawn.
#[derive(Default)]
pub(super) struct Repeats {
    digests: HashSet<u64>,
    /// How many cases were drawn before, since the last one that was new.
    in_a_row: usize,
}

impl Repeats {
    /// Adds cases, by their digests.
    pub(super) fn add(&mut self, digests: impl IntoIterator<Item = u64>) {
        for digest in digests {
            if self.digests.len() == MOST {
                return;
            }
            let is_new = self.digests.insert(digest);
            self.in_a_row = if is_new { 0 } else { self.in_a_row + 1 };
        }
    }

    /// Whether hardly any case is left.
    pub(super) fn are_all(&self) -> bool {
        self.in_a_row >= ENOUGH
    }
}

/// What tells a case from others.
pub(super) fn digest(draft: &Draft) -> u64 {
    let mut hasher = DefaultHasher::new();
    draft.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether all are used up once twice as many as are enough were drawn from `count` cases.
    fn are_all(count: u64) -> bool {
        let mut repeats = Repeats::default();
        repeats.add((0..2 * ENOUGH as u64).map(|at| at % count));
        repeats.are_all()
    }

    #[test]
    fn few_cases_are_used_up_and_many_are_not() {
        assert!(are_all(100));
        assert!(!are_all(MOST as u64));
    }

    #[test]
    fn a_new_case_says_that_there_may_be_more() {
        let mut repeats = Repeats::default();
        repeats.add(std::iter::repeat_n(0, ENOUGH));
        repeats.add([1]);
        assert!(!repeats.are_all());
    }
}
