//! Loops that a mutant never leaves, because they come back to a state that they were in.

use crate::select::{self, Cut};

/// The first step after which the state of a loop is remembered. Most loops end before, and cost nothing.
const FIRST: u64 = 64;

/// Sees that a loop has come back to a state that it was in. Only the state decides how the loop goes on, so the mutant would take every
/// step that it may. Its run ends at once, as if it had.
///
/// The state is a place `P`, which is compared at each step, and a memory `M`, which is compared if the place is the same. The loop must
/// read nothing else that changes. What it only writes does not matter.
pub struct Cycles<P, M> {
    /// Whether a mutant runs that is to be stopped.
    is_watching: bool,
    steps: u64,
    /// The state after a number of steps that is a power of two, so that it is in the cycle once there are enough of them.
    remembered: Option<(P, M)>,
}

impl<P, M> Default for Cycles<P, M> {
    fn default() -> Self {
        Self { is_watching: select::is_limited(), steps: 0, remembered: None }
    }
}

impl<P: PartialEq, M: PartialEq + Clone> Cycles<P, M> {
    /// Counts one step, from this state. Called by [`tick!`](crate::tick).
    #[inline]
    pub fn step(&mut self, place: P, memory: &M) {
        select::tick();
        if self.is_watching {
            self.watch(place, memory);
        }
    }

    fn watch(&mut self, place: P, memory: &M) {
        if self.remembered.as_ref().is_some_and(|(at, was)| *at == place && was == memory) {
            Cut::Endless.unwind();
        }
        self.steps += 1;
        if self.steps >= FIRST && self.steps.is_power_of_two() {
            self.remembered = Some((place, memory.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    /// The number of steps that a loop takes before it is stopped, if it goes from place to place by `next`.
    fn steps(next: impl Fn(u64) -> u64 + std::panic::RefUnwindSafe) -> Option<u64> {
        select::begin(Some(0), 100_000);
        let run = catch_unwind(|| {
            let (mut cycles, mut place) = (Cycles::default(), 0);
            while place != u64::MAX {
                cycles.step(place, &());
                place = next(place);
            }
        });
        let steps = 100_000 - select::steps_left();
        match run {
            Ok(()) => None,
            Err(payload) => payload.downcast_ref::<Cut>().map(|_| steps),
        }
    }

    #[test]
    fn only_a_loop_that_comes_back_is_stopped_early() {
        let ends = |place| if place == 5000 { u64::MAX } else { place + 1 };
        assert_eq!(steps(ends), None);
        assert_eq!(steps(|place| place + 1), Some(100_000));
        let cycle = |place| if place == 300 { 200 } else { place + 1 };
        assert!(steps(cycle).unwrap() < 1000);
    }
}
