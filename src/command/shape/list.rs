//! `harness shape list SHAPE --size N`: all inputs of a size.

use super::Source;
use super::sample::text;
use crate::cli::shape::List;
use crate::command::print;
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::report::shapes::{INPUTS_SCHEMA, Inputs, MadeInput};
use crate::shape::random::Random;
use crate::shape::{Options, Reached};

/// The most inputs that are listed.
const MOST: usize = 10_000;
/// The most that a size of a random input is above its least.
const MOST_SIZE: u64 = 8;

pub(super) fn run(options: &List) -> Result<Exit, Failure> {
    let source = Source::read(&options.shape)?;
    let rules = Options::default();
    let listed = source.shape.list(options.size, MOST, &rules);
    if listed.inputs.is_empty() {
        // Perhaps there is no input of any size.
        let drawn = source.draw(&mut Random::new(0, MOST_SIZE));
        if let Some(failure) = listed.failure.or(drawn.err()) {
            return Err(source.fails(&failure));
        }
    }
    let mut reached = Reached::default();
    for input in &listed.inputs {
        let checked = source.shape.check_noting(&input.bytes, &rules, &mut reached);
        checked.map_err(|failure| source.fails(&failure))?;
    }
    let inputs = listed.inputs.iter();
    let made = Inputs {
        schema: INPUTS_SCHEMA.to_owned(),
        shape: source.name(),
        complete: Some(listed.is_whole),
        inputs: inputs
            .map(|input| MadeInput { input: text(&input.bytes), mistake: None })
            .collect(),
        unreached: if listed.inputs.is_empty() { Vec::new() } else { source.unreached(&reached) },
    };
    print("the inputs", &made, options.format)?;
    Ok(Exit::Done)
}
