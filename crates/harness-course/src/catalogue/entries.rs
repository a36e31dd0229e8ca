//! The files in the folder of a catalogue: `<id>.yaml` describes a mutant, and `<id>.cpp` or a folder `<id>` is a program of its own.

use super::check_id;
use super::sites::Site;
use crate::course::{Assignment, AssignmentProgram, Language};
use crate::diagnostic::{Failure, FailureKind, Place, Problem, did_you_mean};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The files of one mutant. There is at least one.
pub(super) struct Entry {
    pub(super) id: String,
    /// The catalogue file.
    pub(super) file: Option<PathBuf>,
    /// The source of a program of its own.
    pub(super) program: Option<PathBuf>,
}

/// The mutants of `assignment`, in the order of their ids.
///
/// # Errors
/// If the folder cannot be read, or has a file that belongs to no mutant. Hidden files are allowed.
pub(super) fn of(assignment: &Assignment) -> Result<Vec<Entry>, Failure> {
    let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
    let mut problems = Vec::new();
    for path in paths(&assignment.mutants)? {
        let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let new = || Entry { id: id.clone(), file: None, program: None };
        let is_folder = path.is_dir();
        if !is_folder && path.extension().is_some_and(|extension| extension == "yaml") {
            entries.entry(id.clone()).or_insert_with(new).file = Some(path);
        } else if is_program(assignment, &path, is_folder) {
            if let Err(problem) = check_program(assignment, &id, &path, is_folder) {
                problems.push(problem);
                continue;
            }
            let entry = entries.entry(id.clone()).or_insert_with(new);
            if let Some(other) = entry.program.replace(path.clone()) {
                problems.push(twice(&id, &other, &path));
            }
        } else {
            problems.push(unknown(assignment, &path, is_folder));
        }
    }
    if problems.is_empty() {
        Ok(entries.into_values().collect())
    } else {
        Err(Failure { kind: FailureKind::Course, problems })
    }
}

/// The places of the mutants that are programs of their own.
///
/// # Errors
/// As [`of`].
pub fn own_programs(assignment: &Assignment) -> Result<Vec<Site>, Failure> {
    let programs = of(assignment)?.into_iter().filter_map(|entry| Some((entry.id, entry.program?)));
    let site = |(id, path): (String, PathBuf)| {
        let sources = assignment.own_sources(&path);
        let file = sources.and_then(|sources| sources.files.into_iter().next()).unwrap_or(path);
        Site { id, place: Place { file, line: 1, column: None, text: None } }
    };
    Ok(programs.map(site).collect())
}

/// The paths in a folder, in order, without hidden files.
fn paths(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable =
        |error| Failure::machine(format!("read the folder {}", folder.display()), error);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        if !entry.file_name().as_encoded_bytes().starts_with(b".") {
            paths.push(entry.path());
        }
    }
    paths.sort();
    Ok(paths)
}

/// Whether the file or folder can be a program of its own.
fn is_program(assignment: &Assignment, path: &Path, is_folder: bool) -> bool {
    let AssignmentProgram::Sources(_) = &assignment.program else { return false };
    let is_source = || Language::ALL.iter().any(|language| language.has_source(path));
    if is_folder { path.extension().is_none() } else { is_source() }
}

fn check_program(
    assignment: &Assignment,
    id: &str,
    path: &Path,
    is_folder: bool,
) -> Result<(), Problem> {
    let shown = path.display();
    check_id(id).map_err(|message| {
        Problem::new(format!("{message} ({shown})"))
            .hint("a source or folder beside the catalogue files is a mutant; its name is the id")
    })?;
    let AssignmentProgram::Sources(sources) = &assignment.program else { return Ok(()) };
    if !is_folder {
        return Ok(());
    }
    let name = sources.files.first().and_then(|file| file.file_name()).unwrap_or_default();
    let own = assignment.own_sources(path);
    let has_start = own.as_ref().is_some_and(|own| {
        let is_named = own.files[0].file_name() == Some(name);
        let needs_name = own.language.rules().starts_by_name;
        is_named || !needs_name || own.language != sources.language
    });
    if !has_start {
        let problem =
            format!("the program of the mutant `{id}` has no {} in {shown}", name.display());
        return Err(Problem::new(problem)
            .hint("give the file that starts the program the name of the reference's"));
    }
    Ok(())
}

fn twice(id: &str, one: &Path, other: &Path) -> Problem {
    let message =
        format!("the mutant `{id}` has two programs: {} and {}", one.display(), other.display());
    Problem::new(message).hint("remove one of them, or give it another id")
}

fn unknown(assignment: &Assignment, path: &Path, is_folder: bool) -> Problem {
    let what = if is_folder { "folder" } else { "file" };
    let programs = match &assignment.program {
        AssignmentProgram::Sources(sources) => {
            let extensions = sources.language.extensions().iter();
            let names: Vec<_> = extensions.map(|extension| format!("<id>.{extension}")).collect();
            format!(", {} or a folder <id>", names.join(", "))
        }
        _ => String::new(),
    };
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let near = did_you_mean(extension, ["yaml"]).map(|_| path.with_extension("yaml"));
    let expected =
        || format!("a catalogue contains <id>.yaml{programs}; move other files elsewhere");
    let hint = near.map_or_else(expected, |near| format!("did you mean {}?", near.display()));
    Problem::new(format!("the {what} {} belongs to no mutant", path.display())).hint(hint)
}
