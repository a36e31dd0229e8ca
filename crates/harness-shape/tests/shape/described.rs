//! Descriptions in YAML for tests, and the inputs that they check and make.

use harness_shape::choice::Simplest;
use harness_shape::random::Random;
use harness_shape::{Inputs, Most, Options, Shape, yaml};
use proptest::strategy::ValueTree;
use std::sync::Arc;

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub(crate) fn shape(description: &str) -> Arc<Shape> {
    let shape = yaml::parse(description.as_bytes());
    Arc::new(shape.unwrap_or_else(|problem| panic!("{problem:?}")))
}

/// The line, the column and the message of what is wrong with an input.
pub(crate) fn wrong(shape: &Shape, input: &str) -> Option<(usize, usize, String)> {
    let failure = shape.check(input.as_bytes(), &Options::default()).err()?;
    let (line, column) = harness_shape::place(input.as_bytes(), failure.in_input);
    Some((line, column, failure.message))
}

/// Draws inputs; all must be valid, and be read as choices that make them again.
pub(crate) fn drawn(shape: &Arc<Shape>, count: u64) -> Vec<String> {
    let (inputs, options) = (Inputs::new(shape.clone()), Options::default());
    let draw = |seed| {
        let input = inputs.tree(&mut Random::new(seed, 5)).unwrap().current();
        let shown = text(&input.bytes);
        let read = Options { parameters: input.parameters, ..Options::default() };
        let choices = shape
            .choices(&input.bytes, &read)
            .unwrap_or_else(|failure| panic!("{shown}: {failure:?}"));
        let again = shape.make(&choices, &mut Simplest, Most::ANY, &options).unwrap();
        assert_eq!(text(&again.bytes), shown);
        shown
    };
    (0..count).map(draw).collect()
}

/// The line, the column and the message of a mistake in a description.
pub(crate) fn mistake(description: &str) -> (usize, usize, String) {
    let problem = yaml::parse(description.as_bytes()).unwrap_err();
    let (line, column) = harness_shape::place(description.as_bytes(), problem.at);
    (line, column, problem.message)
}
