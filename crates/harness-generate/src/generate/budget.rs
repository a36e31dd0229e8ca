//! How the time of a search is divided.

use std::time::{Duration, Instant};

/// The part of the time in which what was found is confirmed and written, and the most time for that: usually, and if a process of a
/// program takes long.
const CONFIRMING: [f64; 2] = [0.15, 0.25];
const MOST_CONFIRMING: Duration = Duration::from_secs(20);

/// The part of that in which the report is completed, and the most time for that.
const CLOSING: f64 = 0.1;
const MOST_CLOSING: Duration = Duration::from_secs(10);

/// The part of the time that is kept as long as nothing is found, and the most time for that.
const QUIET: f64 = 0.05;
const MOST_QUIET: Duration = Duration::from_secs(5);

/// The time of a search. As long as nothing is found, it may search nearly to the end. Then some time is kept for what was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    start: Instant,
    whole: Duration,
    /// When something was found first.
    found: Option<Duration>,
    /// Whether a process of a program takes long.
    is_slow: bool,
}

impl Budget {
    /// A budget that starts now.
    pub(super) fn new(whole: Duration) -> Self {
        Self { start: Instant::now(), whole, found: None, is_slow: false }
    }

    /// Notes that something was found, and whether a process of a program takes long.
    pub(super) fn note_find(&mut self, is_slow: bool) {
        self.found.get_or_insert_with(|| self.start.elapsed());
        self.is_slow = is_slow;
    }

    /// When this part of the time for searching is spent; `None` if that is farther away than a clock can tell.
    pub(super) fn end_of(&self, part: f64) -> Option<Instant> {
        let kept =
            if self.found.is_some() { self.confirming() } else { self.part(QUIET, MOST_QUIET) };
        self.start.checked_add(self.whole.saturating_sub(kept).mul_f64(part))
    }

    /// When what was found must be confirmed.
    pub(super) fn end_of_confirming(&self) -> Option<Instant> {
        let is_late = |found: Duration| found >= self.whole.saturating_sub(self.confirming());
        if self.found.is_none_or(is_late) {
            return self.end();
        }
        self.start.checked_add(self.whole.saturating_sub(self.part(CLOSING, MOST_CLOSING)))
    }

    /// When everything must end.
    pub(super) fn end(&self) -> Option<Instant> {
        self.start.checked_add(self.whole)
    }

    /// The time for searching that is left.
    pub(super) fn left(&self) -> Duration {
        let end = self.end_of(1.0);
        end.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()))
    }

    fn confirming(&self) -> Duration {
        self.part(CONFIRMING[usize::from(self.is_slow)], MOST_CONFIRMING)
    }

    fn part(&self, part: f64, most: Duration) -> Duration {
        self.whole.mul_f64(part).min(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(budget: &Budget, end: Option<Instant>) -> u128 {
        end.unwrap().duration_since(budget.start).as_millis()
    }

    #[test]
    fn a_search_without_a_find_takes_nearly_all_of_its_time() {
        let budget = Budget::new(Duration::from_secs(20));
        assert_eq!(millis(&budget, budget.end_of(1.0)), 19_000);
        assert_eq!(millis(&budget, budget.end_of_confirming()), 20_000);
        let long = Budget::new(Duration::from_secs(1000));
        assert_eq!(millis(&long, long.end_of(1.0)), 995_000);
    }

    #[test]
    fn time_is_kept_for_what_was_found() {
        let mut budget = Budget::new(Duration::from_secs(20));
        budget.note_find(false);
        assert_eq!(millis(&budget, budget.end_of(1.0)), 17_000);
        assert_eq!(millis(&budget, budget.end_of(0.5)), 8_500);
        assert_eq!(millis(&budget, budget.end_of_confirming()), 18_000);
        budget.note_find(true);
        assert_eq!(millis(&budget, budget.end_of(1.0)), 15_000);
        assert_eq!(millis(&budget, budget.end_of_confirming()), 18_000);
    }

    #[test]
    fn a_late_find_may_be_confirmed_to_the_end() {
        let mut budget = Budget::new(Duration::from_secs(20));
        budget.found = Some(Duration::from_secs(18));
        assert_eq!(millis(&budget, budget.end_of(1.0)), 17_000, "the search is over");
        assert_eq!(millis(&budget, budget.end_of_confirming()), 20_000);
    }
}
