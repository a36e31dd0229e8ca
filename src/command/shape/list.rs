//! `harness shape list SHAPE --area N`: all inputs of a size.

use super::Source;
use super::sample::text;
use crate::cli::shape::List;
use crate::command::print;
use crate::problem::{Exit, Failure};
use crate::report::shapes::{INPUTS_SCHEMA, Inputs, MadeInput};
use crate::shape::Options;

/// The most inputs that are listed.
const MOST: usize = 10_000;

pub(super) fn run(options: &List) -> Result<Exit, Failure> {
    let source = Source::read(&options.shape)?;
    let listed = source.shape.list(options.area, MOST, &Options::default());
    let inputs = listed.inputs.iter();
    let made = Inputs {
        schema: INPUTS_SCHEMA.to_owned(),
        shape: source.name(),
        complete: Some(listed.is_whole),
        inputs: inputs
            .map(|input| MadeInput { input: text(&input.bytes), mistake: None })
            .collect(),
        unreached: Vec::new(),
    };
    print("the inputs", &made, options.format)?;
    Ok(Exit::Done)
}
