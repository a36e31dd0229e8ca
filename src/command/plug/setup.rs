//! `harness plug setup`: builds every program once, so that nothing need be built while the platform watches the clock.

use crate::cli::plug::Setup;
use crate::course::{Course, Program};
use crate::problem::progress::Progress;
use crate::problem::{Exit, Failure};
use crate::run::build::Variant;
use crate::run::build::built::Built;
use crate::run::prepare;
use std::io::{self, Write};
use std::iter;

pub(super) fn run(options: &Setup) -> Result<Exit, Failure> {
    let course = Course::read(&options.course)?;
    let wanted = options.assignment.as_deref().map(|id| course.assignment(id)).transpose()?;
    for assignment in course
        .assignments
        .iter()
        .filter(|assignment| wanted.is_none_or(|wanted| wanted.id == assignment.id))
    {
        let mutants = prepare::bugs(&course, assignment)?;
        let others: Vec<_> = match assignment.program {
            Program::Cargo(_) => vec![Variant::Combined],
            Program::Commands { .. } => {
                mutants.iter().map(|mutant| Variant::Mutant(&mutant.id)).collect()
            }
        };
        let variants: Vec<_> = iter::once(Variant::Reference).chain(others).collect();
        let progress = Progress::new("building the programs", None);
        Built::build(&course, assignment, &variants)?;
        drop(progress);
        let said = writeln!(io::stdout(), "{}: built, with {} bugs", assignment.id, mutants.len());
        said.map_err(|error| Failure::unwritten("the result", &error))?;
    }
    Ok(Exit::Done)
}
