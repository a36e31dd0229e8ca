//! Sliding Block Puzzles: the fewest moves that bring the goal piece to the right-hand edge.
//!
//! [`run`] is the whole program: options, data file, search, output. It does all I/O; the other modules do none.

pub mod board;
mod cells;
pub mod data;
mod layout;
mod moves;
mod names;
mod options;
mod page;
mod report;
pub mod search;
mod seen;
mod words;

use options::Options;
use page::Page;
use report::Report;
use std::io;
use subject::{Env, bug};

/// Runs the program and returns its exit status: 0 for a puzzle, with or without a solution, and 1 for an error.
pub fn run(env: &mut Env<'_>) -> u8 {
    match solve(env) {
        Ok(()) => 0,
        Err(message) => {
            // If standard error cannot be written either, the exit status must do.
            let _ = writeln!(env.stderr, "{message}");
            1
        }
    }
}

fn solve(env: &mut Env<'_>) -> Result<(), String> {
    let options = Options::parse(env.args)?;
    let file = options.file.display();
    let bytes =
        env.files.read(&options.file).map_err(|error| format!("cannot read {file}: {error}"))?;
    let data = data::read(&String::from_utf8_lossy(&bytes))?;
    let moves = search::search(&data.puzzle).moves;
    let report = Report::new(&data, moves);
    if let Some(page) = &options.page
        && !(report.solution.is_none() && bug!("writes-no-page-without-a-solution"))
    {
        let html = Page(&report).to_string();
        env.files
            .write(page, html.as_bytes())
            .map_err(|error| format!("cannot write {}: {error}", page.display()))?;
    }
    let written: io::Result<()> = env.stdout.write_all(report.to_string().as_bytes());
    written.map_err(|error| format!("cannot write the output: {error}"))
}
