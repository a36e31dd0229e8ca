//! The tests of an assignment as a strategy of `proptest`: an input of the shape, with flags. Only the input shrinks.

use super::draft;
use crate::Draft;
use fastrand::Rng;
use harness_shape::random::Random;
use harness_shape::{InputTree, Inputs, Sample};
use proptest::prelude::Rng as _;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

/// Inputs of a shape, each with one of these flags.
#[derive(Debug)]
pub(super) struct Drafts {
    pub(super) flags: Vec<String>,
    pub(super) inputs: Inputs,
}

impl Strategy for Drafts {
    type Value = Draft;
    type Tree = DraftTree;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        // One number decides about the flags and the input.
        let mut rng = Rng::with_seed(runner.rng().next_u64());
        let flags = rng.choice(&self.flags).cloned().unwrap_or_default();
        let input = self.inputs.tree(&mut Random::any(&mut rng));
        Ok(DraftTree { flags, input: input.map_err(|failure| failure.message)? })
    }
}

/// A draft that can be shrunk.
pub(super) struct DraftTree {
    flags: String,
    input: InputTree,
}

impl ValueTree for DraftTree {
    type Value = Draft;

    fn current(&self) -> Draft {
        let Sample { bytes, parameters } = self.input.current();
        draft(&self.flags, &parameters, bytes)
    }

    fn simplify(&mut self) -> bool {
        self.input.simplify()
    }

    fn complicate(&mut self) -> bool {
        self.input.complicate()
    }
}
