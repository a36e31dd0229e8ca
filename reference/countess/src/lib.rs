//! Rescue the Countess: finds Marco's way through a castle of square rooms and warp pipes, with a stack or a queue.
//!
//! [`run`] is the whole program: it reads the options, reads the castle in either input mode, searches, and prints the path in
//! either output mode. Nothing reaches standard output before all of the input has been accepted.

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
use options::{Command, Options};
use std::io;
use subject::Env;

/// Runs the program and returns its exit status: 0 if the input was accepted, solvable or not, and 1 otherwise.
pub fn run(env: &mut Env<'_>) -> u8 {
    match obey(env) {
        Ok(status) => status,
        // Whoever reads the output has seen enough.
        Err(Failure::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(failure) => {
            // There is nowhere left to report that standard error can't be written.
            let _ = writeln!(env.stderr, "{failure}");
            1
        }
    }
}

fn obey(env: &mut Env<'_>) -> Result<u8, Failure> {
    match options::parse(env.args)? {
        Command::Help => {
            env.stdout.write_all(options::HELP.as_bytes()).map(|()| 0).map_err(Failure::Write)
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
    output::write(castle, found, options.output_mode(header.mode), env.stdout)
        .map_err(Failure::Write)
}
