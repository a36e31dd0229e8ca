//! What every command checks before it builds anything: the catalogue names the same mutants as the crate.

use crate::catalogue::sites;
use crate::catalogue::{self, Mutant};
use crate::course::{Assignment, Course, Program};
use crate::problem::{Exit, Failure, Problem};

/// Checks that the catalogue and the crate's features name the same mutants.
///
/// # Errors
/// With each mutant that only one of them names.
pub fn agree(course: &Course, assignment: &Assignment, mutants: &[Mutant]) -> Result<(), Failure> {
    let Program::Cargo(package) = &assignment.program else { return Ok(()) };
    let declared = sites::declared(&package.folder)?;
    let mut described: Vec<_> = mutants
        .iter()
        .map(|mutant| mutant.id.clone())
        .chain(package.features.iter().cloned())
        .collect();
    for other in course.assignments.iter().filter(|other| other.id != assignment.id) {
        // Two assignments may share a crate.
        if matches!(&other.program, Program::Cargo(shared) if shared.folder == package.folder) {
            described.extend(catalogue::ids(other)?);
        }
    }
    let undeclared = mutants.iter().filter(|mutant| !declared.contains(&mutant.id)).map(|mutant| {
        Problem::new(format!(
            "the mutant `{}` is not a feature of {}",
            mutant.id,
            package.folder.join("Cargo.toml").display()
        ))
        .hint(format!(
            "add `{} = []` under [features], or remove {}",
            mutant.id,
            mutant.file.display()
        ))
    });
    let undescribed = declared.iter().filter(|id| !described.contains(id)).map(|id| {
        Problem::new(format!("the feature `{id}` of {} is not a mutant", package.folder.display()))
            .hint(format!(
                "describe it in {}",
                assignment.mutants.join(format!("{id}.yaml")).display()
            ))
    });
    let problems: Vec<_> = undeclared.chain(undescribed).collect();
    if problems.is_empty() { Ok(()) } else { Err(Failure { exit: Exit::BrokenCourse, problems }) }
}

/// The catalogue of `assignment` without the mutants that are declared equivalent. It must agree with the crate.
///
/// # Errors
/// If the catalogue is wrong.
pub fn bugs(course: &Course, assignment: &Assignment) -> Result<Vec<Mutant>, Failure> {
    let mut mutants = catalogue::read(assignment)?;
    agree(course, assignment, &mutants)?;
    mutants.retain(Mutant::is_a_bug);
    Ok(mutants)
}

/// How many programs run at the same time: as many as `wanted`, or one for each core.
pub fn jobs(wanted: Option<u16>) -> usize {
    wanted.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}
