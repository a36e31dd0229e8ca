//! The cases of a search that ran on all targets.

use crate::domain::Draft;
use crate::generate::evaluator::exposing;
use subject::wire::{Answer, MutantSet};

/// Cases that ran on all targets. They need not be run again to choose from them.
#[derive(Default)]
pub struct Broad {
    /// Those that expose any, with what they expose.
    pub exposing: Vec<(Draft, MutantSet)>,
    /// The number of all of them.
    pub count: usize,
}

impl Broad {
    pub(super) fn of(drafts: &[Draft], answers: &[Answer]) -> Self {
        Self { exposing: exposing(drafts, answers), count: drafts.len() }
    }

    pub(super) fn extend(&mut self, more: Self) {
        self.exposing.extend(more.exposing);
        self.count += more.count;
    }
}
