//! The command line, read as GNU `getopt_long` reads it.

use crate::container::ContainerKind;
use lexopt::{Arg, Parser};
use std::ffi::{OsStr, OsString};
use std::fmt;
use subject::bug;

/// What `--help` prints.
pub(crate) const HELP: &str = "\
Usage: puzzle (-q | -s) [-o map|list] < MAP

Finds a way from '@' to '?' through a maze of coloured doors and buttons.

Options:
  -q, --queue          search with a queue, breadth first
  -s, --stack          search with a stack, depth first
  -o, --output TYPE    print the solution as a 'map' (the default) or a 'list'
  -h, --help           print this help

Exactly one of --queue and --stack must be given, exactly once.
";

const LONG_NAMES: [(&str, char); 4] =
    [("help", 'h'), ("queue", 'q'), ("stack", 's'), ("output", 'o')];

/// What the user asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// Print the help, and read nothing.
    Help,
    /// Solve the puzzle.
    Solve(Options),
}

/// How to solve the puzzle and how to print the solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// What the search container behaves like.
    pub(crate) container: ContainerKind,
    /// The form of the solution.
    pub(crate) output: Output,
}

/// The form of the solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// A map of each color.
    Map,
    /// The states of the path, one a line.
    List,
}

/// Why a command line is refused.
#[derive(Debug)]
pub(crate) struct Usage(String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\nhint: puzzle --help lists the options", self.0)
    }
}

impl From<lexopt::Error> for Usage {
    fn from(error: lexopt::Error) -> Self {
        Self(error.to_string())
    }
}

/// Reads the arguments after the program's name, in order, up to the first request for help or the first error.
pub(crate) fn parse(args: &[OsString]) -> Result<Request, Usage> {
    let mut parser = Parser::from_args(args);
    // With getopt, the value in `-o=map` is `=map`.
    parser.set_short_equals(false);
    let (mut container, mut output) = (None, None);
    while let Some(arg) = parser.next()? {
        let option = match arg {
            Arg::Short(letter) => letter,
            Arg::Long(name) => {
                if resolve(name).is_err() && bug!("ignores-unknown-long-options") {
                    continue;
                }
                let (letter, name) = resolve(name)?;
                refuse_needless_value(name, &mut parser)?;
                letter
            }
            // Operands are ignored.
            Arg::Value(_) => continue,
        };
        match option {
            'h' => return Ok(Request::Help),
            'q' | 's' => {
                let kind = if option == 'q' { ContainerKind::Queue } else { ContainerKind::Stack };
                if container.replace(kind).is_some() && !bug!("takes-the-last-of-stack-and-queue") {
                    return Err(Usage(
                        "only one of --queue and --stack may be given, and only once".into(),
                    ));
                }
            }
            'o' => {
                if output.replace(output_type(&parser.value()?)?).is_some() {
                    return Err(Usage("--output may be given only once".into()));
                }
            }
            _ if bug!("ignores-unknown-short-options") => {}
            unknown => return Err(Usage(format!("unknown option '-{unknown}'"))),
        }
    }
    if container.is_none() && bug!("searches-with-a-queue-by-default") {
        container = Some(ContainerKind::Queue);
    }
    let container =
        container.ok_or_else(|| Usage("one of --queue and --stack must be given".into()))?;
    let default = || if bug!("default-output-is-list") { Output::List } else { Output::Map };
    let output = output.unwrap_or_else(default);
    Ok(Request::Solve(Options { container, output }))
}

/// The short option that a long name, or the beginning of only one, stands for, and the whole name.
fn resolve(name: &str) -> Result<(char, &'static str), Usage> {
    let mut candidates = LONG_NAMES.iter().filter(|(long, _)| long.starts_with(name));
    match (candidates.next(), candidates.next()) {
        (Some(&(long, letter)), None) => Ok((letter, long)),
        (Some(_), Some(_)) => Err(Usage(format!("option '--{name}' is ambiguous"))),
        (None, _) => Err(Usage(format!("unknown option '--{name}'"))),
    }
}

/// Refuses `--queue=value` at once, before anything after it is looked at.
fn refuse_needless_value(name: &str, parser: &mut Parser) -> Result<(), Usage> {
    if name == "output" {
        return Ok(());
    }
    match parser.optional_value() {
        Some(value) => Err(Usage(format!(
            "option '--{name}' takes no value, but '{}' is given",
            value.display()
        ))),
        None => Ok(()),
    }
}

fn output_type(value: &OsStr) -> Result<Output, Usage> {
    match value.to_str() {
        Some("map") => Ok(Output::Map),
        Some("list") => Ok(Output::List),
        _ if bug!("takes-another-output-type-for-map") => Ok(Output::Map),
        _ => Err(Usage(format!("the output type is 'map' or 'list', not '{}'", value.display()))),
    }
}
