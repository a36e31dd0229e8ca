//! The command line, with the freedoms of GNU `getopt_long`: short options in groups, values apart or joined, long names
//! shortened while they stay unique, any order, and operands ignored. It never looks at the input.

use crate::failure::Failure;
use crate::header::InputMode;
use lexopt::{Arg, Parser};
use std::ffi::OsString;
use std::fmt::Display;
use subject::bug;

/// What `--help` prints.
pub(crate) const HELP: &str = "\
Usage: countess (--stack | --queue) [--output M|L] < CASTLE
Reads a castle from standard input and prints a path from Marco ('S') to the Countess ('C').

  -s, --stack       search with a stack
  -q, --queue       search with a queue
  -o, --output M|L  print the path on the map (M, the default) or as a list of coordinates (L)
  -h, --help        print this help
";

/// What the command line asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Help,
    Solve(Options),
}

/// How to search, and how to print what was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) routing: Routing,
    /// `None` if the command line does not say.
    pub(crate) output: Option<OutputMode>,
}

/// Which position of the search container is removed next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Routing {
    Stack,
    Queue,
}

/// How a path is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputMode {
    Map,
    List,
}

/// Reads the arguments in order, up to the first `--help`.
pub(crate) fn parse(args: &[OsString]) -> Result<Command, Failure> {
    let mut parser = Parser::from_args(args);
    // `-o=M` gives `-o` the value `=M`, as getopt has it.
    parser.set_short_equals(false);
    let (mut routings, mut outputs) = (Vec::new(), Vec::new());
    while let Some(arg) = parser.next().map_err(usage)? {
        match option(arg)? {
            Some('s') => routings.push(Routing::Stack),
            Some('q') => routings.push(Routing::Queue),
            Some('o') => outputs.push(output_mode(&parser.value().map_err(usage)?)?),
            Some(_) => return Ok(Command::Help),
            None => {}
        }
    }
    let routing = match routings[..] {
        [] => return Err(usage("neither --stack nor --queue is given")),
        [routing] => routing,
        [..] => return Err(usage("more than one --stack or --queue is given")),
    };
    let output = match outputs[..] {
        [] => None,
        [output] => Some(output),
        [..] => return Err(usage("--output is given more than once")),
    };
    Ok(Command::Solve(Options { routing, output }))
}

impl Options {
    /// How the path of a castle that was read in this mode is to be printed.
    pub(crate) fn output_mode(self, input: InputMode) -> OutputMode {
        match self.output {
            Some(output) => output,
            None if input == InputMode::List && bug!("default-output-follows-the-input-mode") => {
                OutputMode::List
            }
            None => OutputMode::Map,
        }
    }
}

/// The letter of the option that an argument names, or `None` for an operand.
fn option(arg: Arg<'_>) -> Result<Option<char>, Failure> {
    match arg {
        Arg::Short(letter @ ('s' | 'q' | 'o' | 'h')) => Ok(Some(letter)),
        // No two names begin alike, so any beginning but the empty one is unique.
        Arg::Long(name) if !name.is_empty() => ["stack", "queue", "output", "help"]
            .into_iter()
            .find(|long| long.starts_with(name))
            .map(|long| long.chars().next())
            .ok_or_else(|| usage(arg.unexpected())),
        Arg::Value(_) => Ok(None),
        Arg::Short(_) | Arg::Long(_) => Err(usage(arg.unexpected())),
    }
}

fn output_mode(value: &OsString) -> Result<OutputMode, Failure> {
    match value.to_str() {
        Some("M") => Ok(OutputMode::Map),
        Some("L") => Ok(OutputMode::List),
        _ => Err(usage(format!("--output takes M or L, not '{}'", value.display()))),
    }
}

fn usage<E: Display>(what: E) -> Failure {
    Failure::Usage(format!("{what}"))
}
