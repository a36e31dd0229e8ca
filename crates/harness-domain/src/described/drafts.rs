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

impl Drafts {
    /// A draft of at most this many bytes that is about as large as one can be; `None` if any draft may be as large.
    pub(super) fn largest(&self, bytes: u64, rng: &mut Rng) -> Option<Draft> {
        let flags = rng.choice(&self.flags).cloned().unwrap_or_default();
        let Sample { bytes: input, parameters } = self.inputs.largest(bytes, rng.u64(..))?;
        Some(draft(&flags, &parameters, input))
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::{Config, TestError};

    #[test]
    fn a_draft_that_fails_shrinks_and_keeps_its_flags() {
        let shape =
            harness_shape::yaml::parse(b"- line: [{ n: 0 .. 99 }, { m: 0 .. 9 }]\n").unwrap();
        let flags = ["q", "s"].map(str::to_owned).to_vec();
        let drafts = Drafts { flags, inputs: Inputs::new(shape) };
        let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
        let failed = runner.run(&drafts, |draft| {
            let text = String::from_utf8(draft.input).unwrap();
            let number: u8 = text.split(' ').next().unwrap().parse().unwrap();
            prop_assert!(draft.flags != "s" || number < 7);
            Ok(())
        });
        let Err(TestError::Fail(_, draft)) = failed else { panic!("{failed:?}") };
        assert_eq!((draft.flags.as_str(), draft.input.as_slice()), ("s", b"7 0\n".as_slice()));
    }

    #[test]
    fn the_largest_drafts_are_nearly_as_large_as_a_test_may_be() {
        let drafts = |most: &str| {
            let shape = format!(
                "- line: [{{ n: 1 .. {most} }}]\n- line: [{{ x: {{ list: 1 .. 99, count: n }} }}]\n"
            );
            let shape = harness_shape::yaml::parse(shape.as_bytes()).unwrap();
            Drafts { flags: Vec::new(), inputs: Inputs::new(shape) }
        };
        let mut rng = fastrand::Rng::with_seed(1);
        let large = (0..20).filter_map(|_| drafts("1000000").largest(30_000, &mut rng));
        let lengths: Vec<_> = large.map(|draft| draft.input.len()).collect();
        assert!(lengths.iter().all(|length| (2000..=30_000).contains(length)), "{lengths:?}");
        assert!(lengths.iter().any(|length| *length > 15_000), "{lengths:?}");
        assert_eq!(drafts("100").largest(30_000, &mut rng), None, "any draft may be as large");
    }
}
