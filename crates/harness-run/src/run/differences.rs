//! How the catalogue of an assignment and its source differ.

use crate::catalogue::sites::{self, Site};
use crate::catalogue::{self, Mutant};
use crate::course::{Assignment, AssignmentProgram, Course, Package, Sources};
use crate::diagnostic::{Failure, Problem, did_you_mean};
use std::collections::BTreeSet;

/// How the catalogue and the source differ: by the features of a crate, or else by the bugs that are marked in the source and the
/// programs of their own.
#[derive(Default)]
pub struct Differences {
    /// The described mutants that the source does not have, by their indexes.
    pub unwritten: Vec<(usize, Problem)>,
    /// The mutants in the source that no file describes, by their ids.
    pub undescribed: Vec<(String, Problem)>,
    /// The mutants that have two programs.
    pub twice: Vec<Problem>,
}

impl Differences {
    /// Finds how the source differs from `mutants`, which are the whole catalogue.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn find(
        course: &Course,
        assignment: &Assignment,
        mutants: &[Mutant],
    ) -> Result<Self, Failure> {
        let mut differences = match &assignment.program {
            AssignmentProgram::Cargo(package) => of_package(course, assignment, package, mutants)?,
            AssignmentProgram::Sources(sources) => {
                of_sources(course, assignment, sources, mutants)?
            }
            AssignmentProgram::Commands { .. } => Self::default(),
        };
        let mut seen = BTreeSet::new();
        differences.undescribed.retain(|(id, _)| seen.insert(id.clone()));
        Ok(differences)
    }

    /// Whether nothing can be run on `mutants`: one has two programs, or the source has none of them and is probably the wrong one.
    pub fn break_the_course(&self, mutants: &[Mutant]) -> bool {
        let has_none = !mutants.is_empty() && self.unwritten.len() == mutants.len();
        has_none || !self.twice.is_empty()
    }

    /// All of them.
    pub fn problems(&self) -> Vec<Problem> {
        let unwritten = self.unwritten.iter().map(|(_, problem)| problem);
        let undescribed = self.undescribed.iter().map(|(_, problem)| problem);
        unwritten.chain(undescribed).chain(&self.twice).cloned().collect()
    }
}

fn of_package(
    course: &Course,
    assignment: &Assignment,
    package: &Package,
    mutants: &[Mutant],
) -> Result<Differences, Failure> {
    let declared = sites::declared(&package.folder)?;
    let described = described(course, assignment, mutants)?;
    let all = mutants.iter().enumerate();
    let undeclared = all.filter(|(_, mutant)| !declared.contains(&mutant.id));
    let undeclared = undeclared.map(|(index, mutant)| {
        let problem = Problem::new(format!(
            "the mutant `{}` is not a feature of {}",
            mutant.id,
            package.folder.join("Cargo.toml").display()
        ))
        .hint(format!(
            "add `{} = []` under [features], or remove {}",
            mutant.id,
            mutant.file.display()
        ));
        (index, problem)
    });
    let is_described = |id: &String| described.contains(id) || package.features.contains(id);
    let undescribed = declared.iter().filter(|id| !is_described(id)).map(|id| {
        let folder = package.folder.display();
        let problem = Problem::new(format!("the feature `{id}` of {folder} is not a mutant"));
        (id.clone(), problem.hint(describe_it(assignment, id)))
    });
    let undescribed: Vec<_> = undescribed.collect();
    // The compiler may allow to ask for a feature that is not declared.
    let undeclared_bugs = sites::find(&package.folder)?.into_iter();
    let undeclared_bugs =
        undeclared_bugs.filter(|site| !declared.contains(&site.id) && !is_described(&site.id));
    let undeclared_bugs: Vec<_> = undeclared_bugs
        .map(|site| (site.id.clone(), undescribed_bug(assignment, &site, &described)))
        .collect();
    Ok(Differences {
        unwritten: undeclared.collect(),
        undescribed: undescribed.into_iter().chain(undeclared_bugs).collect(),
        twice: Vec::new(),
    })
}

fn of_sources(
    course: &Course,
    assignment: &Assignment,
    sources: &Sources,
    mutants: &[Mutant],
) -> Result<Differences, Failure> {
    let marked = sites::marked(sources)?;
    let described = described(course, assignment, mutants)?;
    let is_marked = |mutant: &Mutant| marked.iter().any(|site| site.id == mutant.id);
    let all = mutants.iter().enumerate();
    let missing = all.filter(|(_, mutant)| mutant.program.is_none() && !is_marked(mutant));
    let missing = missing.map(|(index, mutant)| {
        let program = AssignmentProgram::Sources(sources.clone());
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
        (index, Problem::new(message).at(mutant.place("summary")).hint(hint))
    });
    let undescribed = marked.iter().filter(|site| !described.contains(&site.id));
    let undescribed =
        undescribed.map(|site| (site.id.clone(), undescribed_bug(assignment, site, &described)));
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
    Ok(Differences {
        unwritten: missing.collect(),
        undescribed: undescribed.collect(),
        twice: both.collect(),
    })
}

fn undescribed_bug(assignment: &Assignment, site: &Site, described: &[String]) -> Problem {
    let hint = did_you_mean(&site.id, described.iter().map(String::as_str))
        .unwrap_or_else(|| describe_it(assignment, &site.id));
    Problem::new(format!("there is no mutant `{}` in the catalogue", site.id))
        .at(site.place.clone())
        .hint(hint)
}

fn describe_it(assignment: &Assignment, id: &str) -> String {
    let file = assignment.mutants.join(format!("{id}.yaml"));
    let command = format!("harness mutants new {} --missing", assignment.id);
    format!("describe it in {}; `{command}` writes this file", file.display())
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
fn is_shared(one: &AssignmentProgram, other: &AssignmentProgram) -> bool {
    match (one, other) {
        (AssignmentProgram::Cargo(one), AssignmentProgram::Cargo(other)) => {
            one.folder == other.folder
        }
        (AssignmentProgram::Sources(one), AssignmentProgram::Sources(other)) => {
            one.files.iter().any(|file| other.files.contains(file))
        }
        _ => false,
    }
}
