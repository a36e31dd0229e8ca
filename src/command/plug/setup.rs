//! `harness plug setup`: builds every program once, because the platform limits the time of the other commands.

use crate::cli::plug::Setup;
use crate::course::Course;
use crate::problem::progress::Progress;
use crate::problem::{Exit, Failure};
use crate::run::prepare;
use crate::run::programs::Plan;
use std::io::{self, Write};

pub(super) fn run(options: &Setup) -> Result<Exit, Failure> {
    let course = Course::read(&options.course)?;
    let wanted = options.assignment.as_deref().map(|id| course.assignment(id)).transpose()?;
    for assignment in course
        .assignments
        .iter()
        .filter(|assignment| wanted.is_none_or(|wanted| wanted.id == assignment.id))
    {
        let mutants = prepare::bugs(&course, assignment)?;
        let progress = Progress::new("building the programs", None);
        Plan::new(&course, assignment, &mutants).record()?;
        drop(progress);
        let said = writeln!(io::stdout(), "{}: built, with {} bugs", assignment.id, mutants.len());
        said.map_err(|error| Failure::unwritten("the result", &error))?;
    }
    Ok(Exit::Done)
}
