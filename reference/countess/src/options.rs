//! The command line, read as GNU `getopt_long` reads it: short options may be grouped, values may be separate or attached, long
//! names may be abbreviated while they are unique, options may come in any order, and operands are ignored.

use crate::failure::Failure;
use lexopt::{Arg, Parser};
use std::ffi::OsString;
use std::fmt::Display;

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
    /// `None` if the command line does not set it.
    pub(crate) output: Option<OutputMode>,
}

/// The kind of search container.
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
    // As with getopt, `-o=M` gives `-o` the value `=M`.
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

/// The letter of the option that an argument names, or `None` for an operand.
fn option(arg: Arg<'_>) -> Result<Option<char>, Failure> {
    match arg {
        Arg::Short(letter @ ('s' | 'q' | 'o' | 'h')) => Ok(Some(letter)),
        // No two names begin with the same letter, so every abbreviation except the empty one is unique.
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
