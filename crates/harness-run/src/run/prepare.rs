//! What every command does before it builds anything: it reads the catalogue, and takes the mutants that the source has too.

use super::differences::Differences;
use crate::catalogue::{self, Mutant};
use crate::course::{Assignment, Course};
use crate::diagnostic::{Failure, FailureKind};

/// The mutants of `assignment` that are in its catalogue and in its source, without those that are declared equivalent. A mutant that
/// somebody has only begun to write does not count.
///
/// # Errors
/// If the catalogue is wrong, or has no mutant.
pub fn bugs(course: &Course, assignment: &Assignment) -> Result<Vec<Mutant>, Failure> {
    bugs_of(course, assignment, catalogue::read(assignment)?)
}

/// As [`bugs`], of a catalogue that may have no mutant yet.
///
/// # Errors
/// If the catalogue is wrong.
pub fn bugs_if_any(course: &Course, assignment: &Assignment) -> Result<Vec<Mutant>, Failure> {
    bugs_of(course, assignment, catalogue::read_if_any(assignment)?)
}

fn bugs_of(
    course: &Course,
    assignment: &Assignment,
    mutants: Vec<Mutant>,
) -> Result<Vec<Mutant>, Failure> {
    let mut bugs = written(course, assignment, mutants)?;
    bugs.retain(Mutant::is_a_bug);
    Ok(bugs)
}

/// Those of `mutants`, which are the whole catalogue, that the source has.
///
/// # Errors
/// If the source cannot be read or has none of them, or if a mutant has two programs.
pub fn written(
    course: &Course,
    assignment: &Assignment,
    mutants: Vec<Mutant>,
) -> Result<Vec<Mutant>, Failure> {
    let differences = Differences::find(course, assignment, &mutants)?;
    if differences.break_the_course(&mutants) {
        return Err(Failure { kind: FailureKind::Course, problems: differences.problems() });
    }
    let is_written = |index| differences.unwritten.iter().all(|(other, _)| *other != index);
    let all = mutants.into_iter().enumerate();
    Ok(all.filter(|(index, _)| is_written(*index)).map(|(_, mutant)| mutant).collect())
}

/// How many programs run at the same time: as many as `wanted`, or one for each core.
pub fn jobs(wanted: Option<u16>) -> usize {
    wanted.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}
