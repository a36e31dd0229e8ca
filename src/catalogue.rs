//! The mutants of an assignment: one YAML file each, named for the mutant's id.

use crate::course::Assignment;
use crate::problem::{Exit, Failure, Problem};
use crate::suite::name;
use crate::yaml::{Source, Spanned};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// One bug, as its file describes it.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The id: a kebab-case phrase that states the bug.
    pub id: String,
    /// The file that describes it.
    pub file: PathBuf,
    /// The bug in one sentence.
    pub summary: String,
    /// What sort of mistake it is.
    pub kind: Kind,
    /// The part of the assignment that it is in.
    pub area: String,
    /// Where the document says otherwise.
    pub spec: String,
    /// What helps a student to find it, without giving it away.
    pub hint: String,
    /// What exposing it is worth.
    pub points: u32,
    /// The smallest known case that exposes it.
    pub witness: Option<Witness>,
}

/// What sort of mistake a bug is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The document was understood wrongly.
    Misreading,
    /// The document was understood, and the code does something else.
    Implementation,
}

/// A case that exposes a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Witness {
    /// What stands between `test-n-` and `.txt`.
    pub flags: String,
    /// The contents of the file.
    pub input: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    summary: String,
    kind: Kind,
    area: String,
    spec: String,
    hint: String,
    points: u32,
    witness: Option<Spanned<Witness>>,
}

/// The ids of the catalogue of `assignment`, in order.
///
/// # Errors
/// Where the folder can't be read.
pub fn ids(assignment: &Assignment) -> Result<Vec<String>, Failure> {
    Ok(files(assignment)?.iter().map(|file| id_of(file)).collect())
}

fn id_of(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn files(assignment: &Assignment) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |error| Failure::machine(format!("read the folder {}", assignment.mutants.display()), error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&assignment.mutants).map_err(unreadable)? {
        files.push(entry.map_err(unreadable)?.path());
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "yaml"));
    files.sort();
    Ok(files)
}

/// Reads the catalogue of `assignment`, in the order of the ids.
///
/// # Errors
/// With every problem of every file.
pub fn read(assignment: &Assignment) -> Result<Vec<Mutant>, Failure> {
    let (mutants, problems) = partition(files(assignment)?.into_iter().map(|file| read_mutant(file, assignment)));
    if !problems.is_empty() {
        return Err(Failure { exit: Exit::BrokenCourse, problems });
    }
    if mutants.is_empty() {
        let message = format!("there is no mutant in {}", assignment.mutants.display());
        return Err(Failure::broken_course(Problem::new(message).hint("a mutant is a file `<id>.yaml` there")));
    }
    Ok(mutants)
}

fn partition(results: impl Iterator<Item = Result<Mutant, Problem>>) -> (Vec<Mutant>, Vec<Problem>) {
    let (mut mutants, mut problems) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(mutant) => mutants.push(mutant),
            Err(problem) => problems.push(problem),
        }
    }
    (mutants, problems)
}

fn read_mutant(file: PathBuf, assignment: &Assignment) -> Result<Mutant, Problem> {
    let source = Source::read(&file)?;
    let id = id_of(&file);
    check_id(&id).map_err(|message| Problem::new(format!("{message} ({})", file.display())))?;
    let written: Written = source.parse()?;
    if let Some(witness) = &written.witness {
        name::tail(&witness.value.flags, &assignment.tests)
            .map_err(|problem| source.problem(witness, format!("the witness of `{id}`: {}", problem.message)))?;
    }
    Ok(Mutant {
        id,
        summary: written.summary,
        kind: written.kind,
        area: written.area,
        spec: written.spec,
        hint: written.hint,
        points: written.points,
        witness: written.witness.map(|witness| witness.value),
        file,
    })
}

/// Checks that `id` is kebab-case: it is a Cargo feature, a file's name, and a word on a command line.
///
/// # Errors
/// With what is wrong with it.
pub fn check_id(id: &str) -> Result<(), String> {
    let word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let begins_with_a_letter = id.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase());
    if begins_with_a_letter && id.split('-').all(word) {
        return Ok(());
    }
    Err(format!("`{id}` is not a mutant's id: lower-case words with a `-` between them"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_kebab_case() {
        assert!(check_id("discovers-west-before-east").is_ok());
        for id in ["", "Bad", "a--b", "-a", "a b", "ä", "1-a", "../a"] {
            assert!(check_id(id).is_err(), "{id}");
        }
    }
}
