//! A game with states and steps between them, searched without any cleverness.

use proptest::prelude::*;
use std::collections::{HashMap, VecDeque};
use std::fmt::Debug;
use std::hash::Hash;

pub(crate) trait Game {
    type State: Copy + Debug + Eq + Hash;

    fn start(&self) -> Self::State;

    fn is_won(&self, state: Self::State) -> bool;

    /// The states that are one step away.
    fn next(&self, state: Self::State) -> Vec<Self::State>;

    /// All states that can be reached, each with the fewest steps to it.
    fn reached(&self) -> HashMap<Self::State, usize> {
        let mut reached = HashMap::from([(self.start(), 0)]);
        let mut queue = VecDeque::from([self.start()]);
        while let Some(state) = queue.pop_front() {
            let steps = reached[&state] + 1;
            for next in self.next(state) {
                reached.entry(next).or_insert_with(|| {
                    queue.push_back(next);
                    steps
                });
            }
        }
        reached
    }

    /// The fewest steps to win; `None` if nobody can.
    fn fewest(&self) -> Option<usize> {
        let reached = self.reached();
        reached.iter().filter(|(state, _)| self.is_won(**state)).map(|(_, steps)| *steps).min()
    }

    /// Checks that a path leads step by step from the start to the first state that wins.
    fn check(&self, path: &[Self::State]) -> Result<(), TestCaseError> {
        prop_assert_eq!(path.first(), Some(&self.start()));
        for pair in path.windows(2) {
            prop_assert!(self.next(pair[0]).contains(&pair[1]), "no step: {:?}", pair);
        }
        let won = path.iter().position(|state| self.is_won(*state));
        prop_assert_eq!(won, path.len().checked_sub(1));
        Ok(())
    }
}
