//! Rescue the Countess: finds Marco's way through a castle of square rooms and warp pipes, with a stack or a queue.
//!
//! [`run`] is the whole program: it reads the options and the castle, in either input mode, searches for a path, and prints it in
//! either output mode. It writes nothing to standard output before it has accepted all of the input.

mod castle;
mod container;
mod coordinate;
mod failure;
mod header;
mod layout;
mod lines;
mod list;
mod map;
mod options;
mod output;
mod path;
mod rules;
mod search;
mod way;

use failure::Failure;
use header::{Header, InputMode};
use lines::Lines;
use options::{Command, Options, OutputMode};
use std::io;
use subject::{Env, bug};

const SUCCESS: u8 = 0;
const FAILURE: u8 = 1;

/// Runs the program and returns its exit status: 0 if the input was accepted, solvable or not, and 1 otherwise.
pub fn run(env: &mut Env<'_>) -> u8 {
    match obey(env) {
        Ok(status) => status,
        // The reader closed the pipe early. That is not an error.
        Err(Failure::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => SUCCESS,
        Err(failure) => {
            // If standard error cannot be written either, the exit status must do.
            let _ = writeln!(env.stderr, "{failure}");
            FAILURE
        }
    }
}

fn obey(env: &mut Env<'_>) -> Result<u8, Failure> {
    match options::parse(env.args)? {
        Command::Help => {
            env.stdout.write_all(options::HELP.as_bytes()).map(|()| SUCCESS).map_err(Failure::Write)
        }
        Command::Solve(options) => solve(options, env),
    }
}

fn solve(options: Options, env: &mut Env<'_>) -> Result<u8, Failure> {
    let mut lines = Lines::new(env.stdin);
    let header = Header::read(&mut lines)?;
    let castle = match header.mode {
        InputMode::Map => map::read(&mut lines, &header)?,
        InputMode::List => list::read(&mut lines, &header)?,
    };
    let found = search::search(&castle, options.routing);
    let mode = options.output.unwrap_or(
        if options.output.is_none()
            && header.mode == InputMode::List
            && bug!("default-output-follows-the-input-mode")
        {
            OutputMode::List
        } else {
            OutputMode::Map
        },
    );
    if found.goal.is_none() && bug!("no-solution-is-a-failure") {
        return output::write(castle, found, mode, env.stdout)
            .map(|()| FAILURE)
            .map_err(Failure::Write);
    }
    output::write(castle, found, mode, env.stdout).map(|()| SUCCESS).map_err(Failure::Write)
}
