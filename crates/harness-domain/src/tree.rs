//! Shrinks a value for `proptest`, with one list of smaller values for the whole value rather than one for each part.

use proptest::strategy::ValueTree;
use std::fmt::Debug;

/// A value that is being shrunk.
#[derive(Clone, Debug)]
pub(super) struct Tree<V> {
    value: V,
    /// The values one step smaller than a value, the largest step first.
    smaller: fn(&V) -> Vec<V>,
    /// The value before the last step, until it is known whether that step went too far.
    before: Option<V>,
    /// The steps left to try, the next one last; `None` before the first.
    steps: Option<Vec<V>>,
}

impl<V> Tree<V> {
    pub(super) fn new(value: V, smaller: fn(&V) -> Vec<V>) -> Self {
        Self { value, smaller, before: None, steps: None }
    }
}

impl<V: Clone + Debug> ValueTree for Tree<V> {
    type Value = V;

    fn current(&self) -> V {
        self.value.clone()
    }

    fn simplify(&mut self) -> bool {
        if self.before.take().is_some() {
            self.steps = None;
        }
        let steps = self
            .steps
            .get_or_insert_with(|| (self.smaller)(&self.value).into_iter().rev().collect());
        let Some(step) = steps.pop() else { return false };
        self.before = Some(std::mem::replace(&mut self.value, step));
        true
    }

    fn complicate(&mut self) -> bool {
        let Some(before) = self.before.take() else { return false };
        self.value = before;
        self.simplify()
    }
}
