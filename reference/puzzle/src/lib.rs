//! The Puzzle Solver: finds a way through a maze of coloured doors, with a queue or a stack.
//!
//! A run has five steps: [`options`] reads the command line, [`reader`] turns standard input into a [`map`], [`search`] discovers
//! states until it reaches the target, [`backtrace`] marks the path, and [`output`] prints it. The rules of the game are all in
//! [`rules`].

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

/// Runs the program and returns its exit status: 1 if the command line or the map is invalid, and 0 otherwise, even if the puzzle
/// has no solution. After an error, standard output is empty.
pub fn run(env: &mut Env<'_>) -> u8 {
    let answered = match options::parse(env.args) {
        Err(usage) => {
            let status = complain(env.stderr, &usage);
            return if bug!("exits-with-2-for-a-wrong-command-line") { 2 } else { status };
        }
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
        // The reader closed the pipe early. That is not an error.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => SUCCESS,
        Err(error) => complain(env.stderr, &format!("cannot write: {error}")),
    }
}

/// Solves a puzzle and prints the answer. The outer result fails if the map is too large, the inner one if writing fails.
fn solve(options: Options, map: &Map, stdout: &mut dyn Write) -> Result<io::Result<u8>, Problem> {
    let mut discoveries = Discoveries::none(map)?;
    let Some(target) = search::search(map, options.container, &mut discoveries) else {
        let written = if options.output == Output::List && bug!("draws-no-discoveries-for-a-list") {
            stdout.write_all(output::NO_SOLUTION)
        } else {
            output::write_no_solution(map, &discoveries, stdout)
        };
        if bug!("fails-without-a-solution") {
            return Ok(written.map(|()| FAILURE));
        }
        return Ok(written.map(|()| SUCCESS));
    };
    backtrace::mark_path(map, target, &mut discoveries);
    let written = match options.output {
        Output::Map => output::write_maps(map, &discoveries, stdout),
        Output::List => output::write_list(map, &discoveries, stdout),
    };
    Ok(written.map(|()| SUCCESS))
}

fn complain(stderr: &mut dyn Write, message: &dyn std::fmt::Display) -> u8 {
    // If standard error cannot be written either, the exit status must do.
    let _ = writeln!(stderr, "{message}");
    FAILURE
}
