//! What every command checks before it builds anything: the catalogue names the same mutants as the source.

use crate::catalogue::sites::{self, Site};
use crate::catalogue::{self, Mutant};
use crate::course::{Assignment, Course, Package, Program, Sources};
use crate::problem::{Exit, Failure, Problem, did_you_mean};

/// Checks that the catalogue and the source name the same mutants: the features of a crate, or else the bugs that are marked in the
/// source and the programs of their own.
///
/// # Errors
/// With each mutant that only one of them names.
pub fn agree(course: &Course, assignment: &Assignment, mutants: &[Mutant]) -> Result<(), Failure> {
    let problems = match &assignment.program {
        Program::Cargo(package) => package_problems(course, assignment, package, mutants)?,
        Program::Sources(sources) => source_problems(course, assignment, sources, mutants)?,
        Program::Commands { .. } => Vec::new(),
    };
    if problems.is_empty() { Ok(()) } else { Err(Failure { exit: Exit::BrokenCourse, problems }) }
}

fn package_problems(
    course: &Course,
    assignment: &Assignment,
    package: &Package,
    mutants: &[Mutant],
) -> Result<Vec<Problem>, Failure> {
    let declared = sites::declared(&package.folder)?;
    let described = described(course, assignment, mutants)?;
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
    let is_described = |id: &String| described.contains(id) || package.features.contains(id);
    let undescribed = declared.iter().filter(|id| !is_described(id)).map(|id| {
        Problem::new(format!("the feature `{id}` of {} is not a mutant", package.folder.display()))
            .hint(format!(
                "describe it in {}",
                assignment.mutants.join(format!("{id}.yaml")).display()
            ))
    });
    Ok(undeclared.chain(undescribed).collect())
}

fn source_problems(
    course: &Course,
    assignment: &Assignment,
    sources: &Sources,
    mutants: &[Mutant],
) -> Result<Vec<Problem>, Failure> {
    let marked = sites::marked(sources)?;
    let described = described(course, assignment, mutants)?;
    let is_marked = |mutant: &Mutant| marked.iter().any(|site| site.id == mutant.id);
    let missing = mutants.iter().filter(|mutant| mutant.program.is_none() && !is_marked(mutant));
    let missing = missing.map(|mutant| {
        let program = Program::Sources(sources.clone());
        let id = &mutant.id;
        let own = assignment.mutants.join(format!("{id}.{}", sources.language.extensions()[0]));
        let (message, hint) = match sites::mark(&program, id) {
            Some(mark) => (
                format!("there is no `{mark}` in the source"),
                format!(
                    "add it where the bug takes effect, or write the whole program {}",
                    own.display()
                ),
            ),
            None => (
                format!("the mutant `{id}` has no program"),
                format!("write the whole program {}", own.display()),
            ),
        };
        Problem::new(message).at(mutant.place("summary")).hint(hint)
    });
    let undescribed = marked.iter().filter(|site| !described.contains(&site.id));
    let undescribed = undescribed.map(|site| undescribed_bug(assignment, site, &described));
    let both = mutants.iter().filter(|mutant| mutant.program.is_some() && is_marked(mutant));
    let both = both.map(|mutant| {
        let id = &mutant.id;
        let program =
            mutant.program.as_ref().map_or_else(String::new, |path| path.display().to_string());
        let site = marked.iter().find(|site| site.id == *id).map(|site| site.place.clone());
        let problem = Problem::new(format!(
            "the mutant `{id}` is in the source, and also a program of its own: {program}"
        ))
        .hint("keep only one of them");
        Problem { place: site, ..problem }
    });
    Ok(missing.chain(undescribed).chain(both).collect())
}

fn undescribed_bug(assignment: &Assignment, site: &Site, described: &[String]) -> Problem {
    let hint = did_you_mean(&site.id, described.iter().map(String::as_str)).unwrap_or_else(|| {
        let file = assignment.mutants.join(format!("{}.yaml", site.id));
        format!(
            "describe it in {}; `harness mutants new` writes this file for a new mutant",
            file.display()
        )
    });
    Problem::new(format!("there is no mutant `{}` in the catalogue", site.id))
        .at(site.place.clone())
        .hint(hint)
}

/// The ids in the catalogue, and in those of other assignments with the same source.
fn described(
    course: &Course,
    assignment: &Assignment,
    mutants: &[Mutant],
) -> Result<Vec<String>, Failure> {
    let mut described: Vec<_> = mutants.iter().map(|mutant| mutant.id.clone()).collect();
    for other in course.assignments.iter().filter(|other| other.id != assignment.id) {
        if is_shared(&assignment.program, &other.program) {
            described.extend(catalogue::ids(other)?);
        }
    }
    Ok(described)
}

/// Whether two programs are the same crate, or have a file in common.
fn is_shared(one: &Program, other: &Program) -> bool {
    match (one, other) {
        (Program::Cargo(one), Program::Cargo(other)) => one.folder == other.folder,
        (Program::Sources(one), Program::Sources(other)) => {
            one.files.iter().any(|file| other.files.contains(file))
        }
        _ => false,
    }
}

/// The catalogue of `assignment` without the mutants that are declared equivalent. It must agree with the source.
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
    mut mutants: Vec<Mutant>,
) -> Result<Vec<Mutant>, Failure> {
    agree(course, assignment, &mutants)?;
    mutants.retain(Mutant::is_a_bug);
    Ok(mutants)
}

/// How many programs run at the same time: as many as `wanted`, or one for each core.
pub fn jobs(wanted: Option<u16>) -> usize {
    wanted.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}
