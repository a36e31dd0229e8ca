//! `harness shape sample SHAPE`: makes random inputs, or inputs with exactly one mistake.

use super::Source;
use crate::cli::shape::Sample;
use crate::command::print;
use crate::diagnostic::{Failure, Problem};
use crate::exit::Exit;
use crate::report::shapes::{INPUTS_SCHEMA, Inputs, MadeInput, Mistake};
use crate::shape::random::Random;
use crate::shape::{self, Options, Reached};

/// The most that a size is above its least.
const MOST: u64 = 8;
/// From this many inputs on, what none of them reaches is worth telling.
const MANY: u32 = 100;

pub(super) fn run(options: &Sample) -> Result<Exit, Failure> {
    let source = Source::read(&options.shape)?;
    let mut random = Random::new(options.seed, MOST);
    let mut reached = Reached::default();
    let mut inputs = Vec::new();
    for _ in 0..options.count {
        let input = if options.invalid {
            mistaken(&source, &mut random)?
        } else {
            valid(&source, &mut random, &mut reached)?
        };
        inputs.push(input);
    }
    let is_telling = options.count >= MANY && !options.invalid;
    let made = Inputs {
        schema: INPUTS_SCHEMA.to_owned(),
        shape: source.name(),
        complete: None,
        inputs,
        unreached: if is_telling { source.unreached(&reached) } else { Vec::new() },
    };
    print("the inputs", &made, options.format)?;
    Ok(Exit::Done)
}

fn valid(
    source: &Source,
    random: &mut Random,
    reached: &mut Reached,
) -> Result<MadeInput, Failure> {
    let rules = Options::default();
    let input = source.draw(random).map_err(|failure| source.fails(&failure))?;
    let checked = source.shape.check_noting(&input.bytes, &rules, reached);
    checked.map_err(|failure| source.fails(&failure))?;
    Ok(MadeInput { input: text(&input.bytes), mistake: None })
}

fn mistaken(source: &Source, random: &mut Random) -> Result<MadeInput, Failure> {
    source.draw(random).map_err(|failure| source.fails(&failure))?;
    let Some((input, mistake)) = source.shape.draw_mistaken(random, &Options::default()) else {
        let problem = Problem::new("no input with a mistake was found");
        let hint = "a shape that accepts nearly everything has no mistakes";
        return Err(Failure::usage(problem.hint(hint)));
    };
    let (line, column) = shape::place(&input, mistake.at);
    let mistake = Mistake { line, column, what: mistake.what };
    Ok(MadeInput { input: text(&input), mistake: Some(mistake) })
}

pub(super) fn text(input: &[u8]) -> String {
    String::from_utf8_lossy(input).into_owned()
}
