//! `harness shape check SHAPE INPUT…`: whether inputs are as a shape describes them.

use super::{Source, place};
use crate::cli::shape::Check;
use crate::command::{print, view};
use crate::diagnostic::{Failure, Problem};
use crate::exit::Exit;
use crate::report::shapes::{CHECKED_SCHEMA, Checked, CheckedInput};
use crate::shape::{self, Options, Reached};
use std::path::Path;

pub(super) fn run(options: &Check) -> Result<Exit, Failure> {
    let source = Source::read(&options.shape)?;
    let rules = Options { is_lenient: options.lenient, ..Options::default() };
    let mut reached = Reached::default();
    let mut inputs = Vec::new();
    for file in &options.inputs {
        let input = view::read(file)?;
        let problem = match source.shape.check_noting(&input, &rules, &mut reached) {
            Ok(()) => None,
            Err(failure) if !failure.may_depend_on_choices => {
                return Err(source.cannot_check(file, &failure));
            }
            Err(failure) => Some(problem(&source, file, &input, &failure)),
        };
        inputs.push(CheckedInput::new(file.display().to_string(), problem));
    }
    let valid = inputs.iter().filter(|input| input.valid).count();
    let checked = Checked {
        schema: CHECKED_SCHEMA.to_owned(),
        shape: source.name(),
        valid,
        unreached: if valid == 0 { Vec::new() } else { source.unreached(&reached) },
        inputs,
    };
    print("the report", &checked, options.format)?;
    Ok(if valid == checked.inputs.len() { Exit::Done } else { Exit::UnderThreshold })
}

/// What is wrong with an input, and which line of the shape says so.
fn problem(source: &Source, file: &Path, input: &[u8], failure: &shape::Failure) -> Problem {
    let (line, _) = shape::place(&source.text, failure.in_shape);
    let hint = hint(input, failure.in_input)
        .unwrap_or_else(|| format!("line {line} of {} describes it", source.file.display()));
    let problem = Problem::new(&failure.message).hint(hint).printable();
    problem.at(place(file, input, failure.in_input))
}

/// A hint at a mistake in white space, which is hard to see.
fn hint(input: &[u8], at: usize) -> Option<String> {
    let rest = input.get(at..)?;
    let hint = match rest {
        [b'\r', ..] => "the line ends in CRLF; it must end in a newline alone",
        [b' ' | b'\t', ..] => "remove this blank, or use --lenient to accept more white space",
        [] if !input.ends_with(b"\n") => "the last line may need a newline at its end",
        _ => return None,
    };
    Some(hint.to_owned())
}
