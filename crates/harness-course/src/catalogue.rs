//! The catalogue of an assignment: one YAML file for each mutant, named after its id.

pub mod behaviours;
mod entries;
pub mod expected;
pub mod sites;
pub mod solution;
mod template;
mod witness;
mod worth;

pub use entries::own_programs;
pub use template::template;

use crate::course::yaml::{Source, Spanned};
use crate::course::{Assignment, Points};
use crate::diagnostic::{Failure, FailureKind, Place, Problem, nearest};
use crate::domain::{Draft, How};
use crate::files;
use crate::suite::name;
use entries::Entry;
use expected::Expected;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A mutant as its file describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// A kebab-case phrase that states the bug.
    pub id: String,
    /// The catalogue file. The source, if the mutant is a program of its own without a catalogue file.
    pub file: PathBuf,
    /// The source, a file or a folder, if the mutant is a program of its own.
    pub program: Option<PathBuf>,
    /// The bug in one sentence.
    pub summary: String,
    pub kind: MutantKind,
    /// The part of the assignment that the bug is in.
    pub topic: String,
    /// The place in the specification that the bug violates.
    pub spec: String,
    /// Helps a student to find the bug without giving it away.
    pub hint: String,
    /// The points for exposing it.
    pub points: Points,
    /// The name that it shares with mutants that are always exposed together with it.
    pub behaviour: Option<String>,
    pub witness: Option<Witness>,
    /// What the file declares about the mutant. `mutants verify` checks it.
    pub expect: Option<Expectation>,
    /// The lines of its file that start with a key.
    keys: Vec<Place>,
}

impl Mutant {
    /// A candidate with this id, of which nothing else is known yet.
    pub fn proposed(id: String) -> Self {
        Self { program: None, ..undescribed(id, PathBuf::new()) }
    }

    /// Whether the mutant counts as a bug. One that is declared equivalent does not.
    pub fn is_a_bug(&self) -> bool {
        !matches!(self.expect, Some(Expectation::Equivalent(_)))
    }

    /// The line of its file that starts with `key`, or the first line.
    pub fn place(&self, key: &str) -> Place {
        let begins = |place: &&Place| {
            place.text.as_ref().and_then(|text| text.strip_prefix(key)?.strip_prefix(':')).is_some()
        };
        let first = || Place { file: self.file.clone(), line: 1, column: None, text: None };
        self.keys.iter().find(begins).cloned().unwrap_or_else(first)
    }
}

/// What a catalogue file declares about a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expectation {
    /// Its witness exposes it in this way.
    How(How),
    /// No test can expose it, for this reason.
    Equivalent(String),
}

/// The kind of mistake that a bug is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MutantKind {
    /// The specification was misunderstood.
    Misreading,
    /// The specification was understood, but the code does something else.
    Implementation,
}

impl MutantKind {
    /// The word in the catalogue.
    pub fn word(self) -> &'static str {
        match self {
            Self::Misreading => "misreading",
            Self::Implementation => "implementation",
        }
    }
}

/// The smallest known draft that exposes a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Witness {
    /// The part of the test's name between `test-n-` and `.txt`.
    pub flags: String,
    /// The contents of the file.
    pub input: String,
    /// What the reference does on it, unless that is not recorded yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expected>,
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
    kind: MutantKind,
    #[serde(alias = "area")]
    topic: String,
    spec: String,
    hint: String,
    points: Points,
    behaviour: Option<String>,
    witness: Option<Spanned<Witness>>,
    expect: Option<Expectation>,
}

/// The ids of the mutants of `assignment`, in order.
///
/// # Errors
/// If the folder cannot be read, or has a file that belongs to no mutant.
pub fn ids(assignment: &Assignment) -> Result<Vec<String>, Failure> {
    Ok(entries::of(assignment)?.into_iter().map(|entry| entry.id).collect())
}

/// The error for an unknown mutant `id`. The hint suggests a similar one of `ids`, or says what to do `otherwise`.
pub fn unknown<'a>(
    id: &str,
    mut ids: impl Iterator<Item = &'a str> + Clone,
    otherwise: &str,
) -> Failure {
    // The edit distance from a part of an id to the whole is too large to be found as similar.
    let near = nearest(id, ids.clone()).or_else(|| ids.find(|whole| whole.contains(id)));
    let hint = near.map_or_else(|| otherwise.to_owned(), |near| format!("did you mean `{near}`?"));
    Failure::usage(Problem::new(format!("there is no mutant `{id}`")).hint(hint))
}

fn id_of(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reads the catalogue of `assignment`, in the order of the ids.
///
/// # Errors
/// With all problems of all files, or if there is no mutant.
pub fn read(assignment: &Assignment) -> Result<Vec<Mutant>, Failure> {
    let mutants = read_if_any(assignment)?;
    if mutants.is_empty() {
        let message = format!("there are no mutants in {}", assignment.mutants.display());
        let hint = "add a file `<id>.yaml` for each mutant, or run `harness mutants new` or `harness mutants propose`";
        return Err(Failure::broken_course(Problem::new(message).hint(hint)));
    }
    Ok(mutants)
}

/// As [`read`], of a catalogue that may have no mutant yet.
///
/// # Errors
/// With all problems of all files.
pub fn read_if_any(assignment: &Assignment) -> Result<Vec<Mutant>, Failure> {
    let entries = entries::of(assignment)?.into_iter();
    let (mutants, mut problems) = partition(entries.map(|entry| read_mutant(entry, assignment)));
    problems.extend(behaviours::unequal(&mutants));
    if !problems.is_empty() {
        return Err(Failure { kind: FailureKind::Course, problems });
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

/// Writes `witness` into the mutant's catalogue file. Everything else in the file stays the same, byte for byte. A program of its own
/// without a catalogue file gets one.
///
/// # Errors
/// If the file cannot be written, or its form has no place for a witness.
pub fn write_witness(
    mutant: &Mutant,
    witness: &Witness,
    assignment: &Assignment,
) -> Result<(), Failure> {
    let file = &assignment.mutants.join(format!("{}.yaml", mutant.id));
    let unwritten = |error| Failure::unwritable(file, &error);
    let text = if *file == mutant.file {
        std::fs::read_to_string(file).map_err(unwritten)?
    } else {
        template::described(&mutant.id, &mutant.summary)
    };
    let wanted = Mutant { witness: Some(witness.clone()), file: file.clone(), ..mutant.clone() };
    let is_read_back = |text: &String| {
        let source = Source::new(file, text.clone());
        let read = parse_mutant(&source, file, assignment);
        let (keys, program) = (&wanted.keys, &wanted.program);
        read.is_ok_and(|mutant| {
            Mutant { keys: keys.clone(), program: program.clone(), ..mutant } == wanted
        })
    };
    let has_its_test =
        mutant.witness.as_ref().is_some_and(|known| known.draft() == witness.draft());
    // Lines that stay the same keep their form and their comments.
    let in_place = witness.expected.as_ref().filter(|_| has_its_test);
    let in_place = in_place.and_then(|expected| witness::with_expected(&text, expected));
    let mut texts = in_place.into_iter().chain(witness::texts(&text, witness));
    if let Some(text) = texts.find(is_read_back) {
        return files::replace(file, text.as_bytes()).map_err(unwritten);
    }
    let message = format!("cannot write the witness of `{}` into its file", mutant.id);
    let hint = "put `witness:` at the start of a line, after the other keys";
    Err(Failure::broken_course(Problem::new(message).at(mutant.place("witness")).hint(hint)))
}

/// Writes other points into the file of a mutant. Everything else in it stays as it is.
///
/// # Errors
/// If the file cannot be written, or has no line with the points.
pub fn write_points(
    mutant: &Mutant,
    points: Points,
    assignment: &Assignment,
) -> Result<(), Failure> {
    let file = &mutant.file;
    let unwritten = |error| Failure::unwritable(file, &error);
    let text = std::fs::read_to_string(file).map_err(unwritten)?;
    let wanted = Mutant { points, ..mutant.clone() };
    let is_read_back = |text: &String| {
        let read = parse_mutant(&Source::new(file, text.clone()), file, assignment);
        let (keys, program) = (&wanted.keys, &wanted.program);
        read.is_ok_and(|mutant| {
            Mutant { keys: keys.clone(), program: program.clone(), ..mutant } == wanted
        })
    };
    if let Some(text) = worth::text(&text, points).filter(is_read_back) {
        return files::replace(file, text.as_bytes()).map_err(unwritten);
    }
    let message = format!("cannot write the points of `{}` into its file", mutant.id);
    let hint = "write `points: 1` at the start of a line";
    Err(Failure::usage(Problem::new(message).at(mutant.place("points")).hint(hint)))
}

/// The text of a catalogue file for a mutant that somebody has to write, with its witness. `notes` are comments at its beginning, and
/// `topics` those that the catalogue uses so far. `None` if the witness cannot be written as YAML.
pub fn prepared(
    id: &str,
    topics: &[&str],
    notes: &[String],
    witness: &Witness,
    assignment: &Assignment,
) -> Option<String> {
    let file = assignment.mutants.join(format!("{id}.yaml"));
    let is_read_back = |text: &String| {
        let read = parse_mutant(&Source::new(&file, text.clone()), &file, assignment);
        read.is_ok_and(|mutant| mutant.witness.as_ref() == Some(witness))
    };
    template::prepared(id, topics, notes, witness).into_iter().find(is_read_back)
}

fn read_mutant(entry: Entry, assignment: &Assignment) -> Result<Mutant, Problem> {
    let Entry { id, file, program } = entry;
    match (file, program) {
        (Some(file), program) => {
            let mutant = parse_mutant(&Source::read(&file)?, &file, assignment)?;
            Ok(Mutant { program, ..mutant })
        }
        (None, Some(program)) => Ok(undescribed(id, program)),
        (None, None) => unreachable!("an entry has a file"),
    }
}

/// The mutant that is a program of its own without a catalogue file.
fn undescribed(id: String, program: PathBuf) -> Mutant {
    Mutant {
        summary: title(&id),
        id,
        file: program.clone(),
        program: Some(program),
        kind: MutantKind::Implementation,
        topic: String::new(),
        spec: String::new(),
        hint: String::new(),
        points: Points::ONE,
        behaviour: None,
        witness: None,
        expect: None,
        keys: Vec::new(),
    }
}

/// The id as a sentence: `stops-at-a-blank-line` is "Stops at a blank line."
fn title(id: &str) -> String {
    let words = id.replace('-', " ");
    let mut letters = words.chars();
    letters
        .next()
        .map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
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
        topic: written.topic,
        spec: written.spec,
        hint: written.hint,
        points: written.points,
        behaviour: written.behaviour,
        witness: written.witness.map(|witness| witness.value),
        expect: written.expect,
        file: file.to_owned(),
        program: None,
        keys: source.lines_that(|line| line.starts_with(|c: char| c.is_ascii_lowercase())),
    })
}

/// Checks that `id` is kebab-case, because it is a Cargo feature, a file's name, and a word on a command line.
///
/// # Errors
/// With the error message.
pub fn check_id(id: &str) -> Result<(), String> {
    let word = |word: &str| {
        !word.is_empty()
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let begins_with_a_letter = id.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase());
    if begins_with_a_letter && id.split('-').all(word) {
        return Ok(());
    }
    Err(format!("`{id}` is not a valid mutant id: use lower-case words joined by `-`"))
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
