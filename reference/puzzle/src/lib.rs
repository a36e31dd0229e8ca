//! The Puzzle Solver: finds a way through a maze of coloured doors, with a queue or a stack.
//!
//! A run reads as the document does: [`options`] say what to do, [`reader`] turns standard input into a [`map`], [`search`]
//! discovers states until the target is among them, [`backtrace`] marks the way to it, and [`output`] prints that. The game is in
//! [`rules`] and nowhere else. This file only joins the parts.

mod backtrace;
mod container;
mod discoveries;
mod header;
mod map;
mod memory;
mod options;
mod output;
mod problem;
mod reader;
mod rules;
mod search;
mod stack;
mod state;

use discoveries::Discoveries;
use map::Map;
use options::{Options, Output, Request};
use problem::Problem;
use std::io::{self, Write};
use subject::{Env, bug};

const SUCCESS: u8 = 0;
const FAILURE: u8 = 1;

/// Runs the program once, and returns its exit status: 1 if the command line or the map is invalid, which leaves standard output
/// empty, and 0 otherwise, even if the puzzle has no solution.
pub fn run(env: &mut Env<'_>) -> u8 {
    let answered = match options::parse(env.args) {
        Err(usage) => return complain(env.stderr, &usage),
        Ok(Request::Help) => env.stdout.write_all(options::HELP.as_bytes()).map(|()| SUCCESS),
        Ok(Request::Solve(options)) => {
            match reader::read(env.stdin).and_then(|map| solve(options, &map, env.stdout)) {
                Err(problem) => return complain(env.stderr, &problem),
                Ok(answered) => answered,
            }
        }
    };
    match answered {
        Ok(status) => status,
        // Whoever reads the output has seen enough of it: that is no failure of ours.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => SUCCESS,
        Err(error) => complain(env.stderr, &format!("cannot write: {error}")),
    }
}

/// Solves a puzzle and prints the answer. The outer result is about the puzzle, the inner one about writing.
fn solve(options: Options, map: &Map, stdout: &mut dyn Write) -> Result<io::Result<u8>, Problem> {
    let mut discoveries = Discoveries::none(map)?;
    let Some(target) = search::search(map, options.container, &mut discoveries) else {
        let mode = options.output;
        return Ok(output::write_no_solution(map, &discoveries, mode, stdout)
            .map(|()| u8::from(bug!("fails-without-a-solution"))));
    };
    backtrace::mark_path(map, target, &mut discoveries);
    let written = match options.output {
        Output::Map => output::write_maps(map, &discoveries, stdout),
        Output::List => output::write_list(map, &discoveries, stdout),
    };
    Ok(written.map(|()| SUCCESS))
}

fn complain(stderr: &mut dyn Write, message: &dyn std::fmt::Display) -> u8 {
    // Without standard error there is nobody left to tell; the status still says it.
    let _ = writeln!(stderr, "{message}");
    FAILURE
}
