//! The mutants of an assignment: one YAML file each, named for the mutant's id.

pub mod sites;
mod template;
mod witness;

pub use template::template;

use crate::course::Assignment;
use crate::course::yaml::{Source, Spanned};
use crate::domain::{Draft, How};
use crate::problem::{Exit, Failure, Place, Problem, nearest};
use crate::suite::name;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// One bug, as its file describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// What is declared of it, for `mutants verify` to hold it to.
    pub expect: Option<Expectation>,
    /// The lines of its file that begin with a key.
    keys: Vec<Place>,
}

impl Mutant {
    /// Whether it counts as a bug that exists: one that is declared equivalent does not.
    pub fn is_a_bug(&self) -> bool {
        !matches!(self.expect, Some(Expectation::Equivalent(_)))
    }

    /// The line of its file that begins with `key`, or the first.
    pub fn place(&self, key: &str) -> Place {
        let begins = |place: &&Place| {
            place.text.as_ref().and_then(|text| text.strip_prefix(key)?.strip_prefix(':')).is_some()
        };
        let first = || Place { file: self.file.clone(), line: 1, column: None, text: None };
        self.keys.iter().find(begins).cloned().unwrap_or_else(first)
    }
}

/// What is declared of a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expectation {
    /// Its witness exposes it in this way.
    How(How),
    /// Nothing can expose it, for this reason.
    Equivalent(String),
}

/// What sort of mistake a bug is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The document was understood wrongly.
    Misreading,
    /// The document was understood, and the code does something else.
    Implementation,
}

impl Kind {
    /// The word that the catalogue uses.
    pub fn word(self) -> &'static str {
        match self {
            Self::Misreading => "misreading",
            Self::Implementation => "implementation",
        }
    }
}

/// A case that exposes a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Witness {
    /// What stands between `test-n-` and `.txt`.
    pub flags: String,
    /// The contents of the file.
    pub input: String,
}

impl Witness {
    /// The witness as a draft.
    pub fn draft(&self) -> Draft {
        Draft { flags: self.flags.clone(), input: self.input.clone().into_bytes() }
    }
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
    expect: Option<Expectation>,
}

/// The ids of the catalogue of `assignment`, in order.
///
/// # Errors
/// Where the folder can't be read.
pub fn ids(assignment: &Assignment) -> Result<Vec<String>, Failure> {
    Ok(files(assignment)?.iter().map(|file| id_of(file)).collect())
}

/// That `id` is none of `ids`: with the one that was probably meant, or else what to do `otherwise`.
pub fn unknown<'a>(
    id: &str,
    mut ids: impl Iterator<Item = &'a str> + Clone,
    otherwise: &str,
) -> Failure {
    // A part of an id is further from it, in letters, than a misspelled one.
    let near = nearest(id, ids.clone()).or_else(|| ids.find(|whole| whole.contains(id)));
    let hint = near.map_or_else(|| otherwise.to_owned(), |near| format!("did you mean `{near}`?"));
    Failure::usage(Problem::new(format!("there is no mutant `{id}`")).hint(hint))
}

fn id_of(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn files(assignment: &Assignment) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |error| {
        Failure::machine(format!("read the folder {}", assignment.mutants.display()), error)
    };
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
    let (mutants, problems) =
        partition(files(assignment)?.into_iter().map(|file| read_mutant(&file, assignment)));
    if !problems.is_empty() {
        return Err(Failure { exit: Exit::BrokenCourse, problems });
    }
    if mutants.is_empty() {
        let message = format!("there is no mutant in {}", assignment.mutants.display());
        return Err(Failure::broken_course(
            Problem::new(message).hint("a mutant is a file `<id>.yaml` there"),
        ));
    }
    Ok(mutants)
}

fn partition(
    results: impl Iterator<Item = Result<Mutant, Problem>>,
) -> (Vec<Mutant>, Vec<Problem>) {
    let (mut mutants, mut problems) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(mutant) => mutants.push(mutant),
            Err(problem) => problems.push(problem),
        }
    }
    (mutants, problems)
}

/// Writes `witness` into the mutant's file; everything else in it stays as it is, byte for byte.
///
/// # Errors
/// Where the file can't be written, or its form leaves no place for a witness.
pub fn write_witness(
    mutant: &Mutant,
    witness: &Witness,
    assignment: &Assignment,
) -> Result<(), Problem> {
    let file = &mutant.file;
    let unwritten = |error| Problem::new(format!("cannot write {}: {error}", file.display()));
    let text = std::fs::read_to_string(file).map_err(unwritten)?;
    let wanted = Mutant { witness: Some(witness.clone()), ..mutant.clone() };
    let is_read_back = |text: &String| {
        let source = Source::new(file, text.clone());
        parse_mutant(&source, file, assignment)
            .is_ok_and(|mutant| Mutant { keys: wanted.keys.clone(), ..mutant } == wanted)
    };
    match witness::texts(&text, witness).into_iter().find(is_read_back) {
        Some(text) => std::fs::write(file, text).map_err(unwritten),
        None => Err(Problem::new(format!(
            "the witness of `{}` can't be written into its file",
            mutant.id
        ))
        .at(mutant.place("witness"))
        .hint("let `witness:` stand at the beginning of a line of its own, after the other keys")),
    }
}

fn read_mutant(file: &Path, assignment: &Assignment) -> Result<Mutant, Problem> {
    parse_mutant(&Source::read(file)?, file, assignment)
}

fn parse_mutant(source: &Source, file: &Path, assignment: &Assignment) -> Result<Mutant, Problem> {
    let id = id_of(file);
    check_id(&id).map_err(|message| Problem::new(format!("{message} ({})", file.display())))?;
    let written: Written = source.parse()?;
    if let Some(witness) = &written.witness {
        name::tail(&witness.value.flags, &assignment.tests).map_err(|problem| {
            source.problem(witness, format!("the witness of `{id}`: {}", problem.message))
        })?;
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
        expect: written.expect,
        file: file.to_owned(),
        keys: source.lines_that(|line| line.starts_with(|c: char| c.is_ascii_lowercase())),
    })
}

/// Checks that `id` is kebab-case: it is a Cargo feature, a file's name, and a word on a command line.
///
/// # Errors
/// With what is wrong with it.
pub fn check_id(id: &str) -> Result<(), String> {
    let word = |word: &str| {
        !word.is_empty()
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
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
