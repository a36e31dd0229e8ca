//! Searches in graphs.

use std::collections::HashSet;
use std::hash::Hash;

/// A search in a graph. One that takes very long finds whatever it looks for.
pub(super) struct Search(usize);

impl Search {
    pub(super) fn new(nodes: usize) -> Self {
        const EFFORT: usize = 64;
        Self((nodes + (1 << 16)) * EFFORT)
    }

    /// Whether `goal` may come after `start`. From nodes without known `ways`, all may be reached.
    pub(super) fn may_reach<N: Copy + Eq + Hash>(
        &mut self,
        start: N,
        goal: N,
        ways: impl Fn(N) -> Option<Vec<N>>,
    ) -> bool {
        let (mut seen, mut rest) = (HashSet::new(), vec![start]);
        while let Some(node) = rest.pop() {
            self.0 = self.0.saturating_sub(1);
            match ways(node) {
                Some(ways) if self.0 > 0 && !ways.contains(&goal) => {
                    rest.extend(ways.into_iter().filter(|&way| seen.insert(way)));
                }
                _ => return true,
            }
        }
        false
    }
}
