//! `harness autograder-io setup`: builds every program once, because the platform limits the time of the other commands.

use crate::cli::autograder_io::Setup;
use crate::command::terminal::Terminal;
use crate::course::Course;
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::grading::{Observer, counted, uncounted};
use crate::run::programs::{Plan, Programs};
use crate::run::work::Work;
use std::io::{self, Write};

pub(super) fn run(work: &Work, options: &Setup) -> Result<Exit, Failure> {
    let course = Course::read(&options.course)?;
    let wanted = options.assignment.as_deref().map(|id| course.assignment(id)).transpose()?;
    let on = Terminal::new(true);
    for assignment in course
        .assignments
        .iter()
        .filter(|assignment| wanted.is_none_or(|wanted| wanted.id == assignment.id))
    {
        let mutants = counted::declared(&course, assignment, &on)?;
        on.begin("building the programs", None);
        let plan = Plan::new(work, &course, assignment, &mutants);
        plan.record()?;
        let uncounted = uncounted::find(assignment, &mutants, &mut Programs::open(&plan)?)?;
        on.end();
        if !uncounted.is_empty() {
            on.warn(&uncounted::warning(assignment, &uncounted));
        }
        let bugs = mutants.len() - uncounted.len();
        let said = writeln!(io::stdout(), "{}: built, with {bugs} bugs", assignment.id);
        said.map_err(|error| Failure::unwritten("the result", &error))?;
    }
    Ok(Exit::Done)
}
