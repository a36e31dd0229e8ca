//! A value and the steps that make it smaller, as `proptest` asks for them: one list of whole values, not a tree of their parts.

use proptest::strategy::ValueTree;
use std::fmt::Debug;

/// A value on its way to a smaller one.
#[derive(Clone, Debug)]
pub(super) struct Tree<V> {
    value: V,
    /// The values that are a step smaller than one, the largest step first.
    smaller: fn(&V) -> Vec<V>,
    /// What the value was before the last step, while it is not yet known whether the step was too far.
    before: Option<V>,
    /// The steps that are still to be tried, the next one last; `None` until the first is asked for.
    steps: Option<Vec<V>>,
}

impl<V> Tree<V> {
    /// The tree of a value.
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
