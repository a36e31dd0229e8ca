//! `harness plug setup`: builds every program once, because the platform limits the time of the other commands.

use crate::cli::plug::Setup;
use crate::command::terminal::Terminal;
use crate::course::Course;
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::grading::Counted;
use std::io::{self, Write};

pub(super) fn run(options: &Setup) -> Result<Exit, Failure> {
    let course = Course::read(&options.course)?;
    let wanted = options.assignment.as_deref().map(|id| course.assignment(id)).transpose()?;
    let on = Terminal::new(true);
    for assignment in course
        .assignments
        .iter()
        .filter(|assignment| wanted.is_none_or(|wanted| wanted.id == assignment.id))
    {
        let bugs = Counted::build(&course, assignment, &on)?.mutants.len();
        let said = writeln!(io::stdout(), "{}: built, with {bugs} bugs", assignment.id);
        said.map_err(|error| Failure::unwritten("the result", &error))?;
    }
    Ok(Exit::Done)
}
