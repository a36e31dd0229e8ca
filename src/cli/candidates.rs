//! What a shell offers when the user presses Tab on an assignment, a mutant or a test.
//!
//! The assignments and mutants are those of the course that the command line names. A broken course has none to offer.

use crate::catalogue;
use crate::course::{Assignment, Course};
use crate::suite::name;
use clap_complete::engine::{
    ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter,
};
use std::env;
use std::path::{Path, PathBuf};

/// The ids of the assignments, each with its title.
pub(super) fn assignments() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let candidate = |assignment: &Assignment| {
            CompletionCandidate::new(&assignment.id).help(Some(assignment.title.clone().into()))
        };
        course().iter().flat_map(|course| &course.assignments).map(candidate).collect()
    })
}

/// The ids of the mutants, of one assignment if the command line names it, or a test in a folder of its name.
pub(super) fn mutants() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let course = course();
        let all = || course.iter().flat_map(|course| &course.assignments);
        let named = option("--assignment");
        let is_named = |assignment: &&Assignment| match &named {
            Some(id) => Path::new(&assignment.id) == id,
            None => has_test_of(assignment),
        };
        let is_any = named.is_some() || all().any(|assignment| is_named(&assignment));
        let assignments = all().filter(|assignment| !is_any || is_named(assignment));
        let ids = assignments.filter_map(|assignment| catalogue::ids(assignment).ok());
        let mut ids: Vec<_> = ids.flatten().collect();
        // Two assignments may have a mutant with the same id.
        ids.sort();
        ids.dedup();
        ids.into_iter().map(CompletionCandidate::new).collect()
    })
}

/// Whether a word of the command line is a test in a folder that is named like the assignment.
fn has_test_of(assignment: &Assignment) -> bool {
    env::args_os().any(|word| {
        let path = Path::new(&word);
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let mut folders = path.ancestors().skip(1).filter_map(Path::file_name);
        name::is_like_a_test(&file) && folders.any(|folder| folder == assignment.id.as_str())
    })
}

/// Folders, and the files in them that are named like tests.
pub(super) fn tests() -> ArgValueCompleter {
    ArgValueCompleter::new(PathCompleter::any().filter(|path| {
        path.file_name().is_some_and(|file| name::is_like_a_test(&file.to_string_lossy()))
    }))
}

fn course() -> Option<Course> {
    Course::read(&option("--course").unwrap_or_else(|| PathBuf::from("."))).ok()
}

/// The value of an option on the command line that is being completed: `--name value` or `--name=value`.
fn option(name: &str) -> Option<PathBuf> {
    let words: Vec<_> = env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let value = |at: usize| match words[at].strip_prefix(name)? {
        "" => words.get(at + 1).cloned(),
        rest => rest.strip_prefix('=').map(str::to_owned),
    };
    (0..words.len()).find_map(value).filter(|value| !value.is_empty()).map(PathBuf::from)
}
