//! `harness autograder-io judge BUG TEST…`: says whether one of the tests exposes a bug. [`grade`](super::grade) starts it and reads
//! its status.

use crate::catalogue;
use crate::cli::autograder_io::Judge;
use crate::course::{Assignment, Course};
use crate::diagnostic::{Failure, Problem, did_you_mean, printable};
use crate::domain::How;
use crate::exit::Exit;
use crate::result::grade;
use crate::run::work::Work;
use std::io::{self, Write};

pub(super) fn run(work: &Work, options: &Judge) -> Result<Exit, Failure> {
    let course = Course::read(&options.handed.course)?;
    let assignment = super::assignment(&course, &options.handed)?;
    check_exists(&options.bug, assignment)?;
    let mut programs = super::programs(work, &course, assignment, Some(&options.bug))?;
    for name in &options.tests {
        let rejected = |problem: Problem| {
            writeln!(io::stderr(), "{}: not valid: {}", printable(name), problem.message)
        };
        let test = match super::test(name, &options.handed, assignment) {
            Ok(test) => test,
            Err(problem) => {
                rejected(problem).map_err(unwritten)?;
                continue;
            }
        };
        let row = programs.rows(&[super::case(&test, assignment)])?.remove(0);
        if let Some(problem) = grade::rejection(&row, &test, assignment) {
            rejected(problem).map_err(unwritten)?;
        } else if let Some(difference) = row.exposed.first() {
            let how = How::from(difference.how);
            writeln!(io::stdout(), "{}: exposed by {} ({})", options.bug, test.file, how.word())
                .map_err(unwritten)?;
            return Ok(Exit::Exposed);
        }
    }
    writeln!(io::stdout(), "{}: not exposed", options.bug).map_err(unwritten)?;
    Ok(Exit::Done)
}

fn check_exists(bug: &str, assignment: &Assignment) -> Result<(), Failure> {
    let ids = catalogue::ids(assignment)?;
    if ids.iter().any(|id| id == bug) {
        return Ok(());
    }
    let hint = did_you_mean(bug, ids.iter().map(String::as_str));
    let hint = hint.unwrap_or_else(|| "`harness mutants list` lists all bugs".to_owned());
    Err(Failure::usage(Problem::new(format!("there is no bug `{}`", printable(bug))).hint(hint)))
}

#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` hands over")]
fn unwritten(error: io::Error) -> Failure {
    Failure::unwritten("the verdict", &error)
}
