//! The clean solution of an assignment: the reference without bugs, as a package or sources that build on their own.
//!
//! [`clean`] cleans the sources, and [`manifest`] the manifest of a package.

mod block;
mod branch;
mod clean;
mod condition;
pub mod manifest;
mod pieces;
#[cfg(test)]
mod tests;

use super::sites::{self, SELECT, declared};
use crate::course::language::rust;
use crate::course::{Assignment, AssignmentProgram, Course, Package, Sources};
use crate::diagnostic::{Failure, Place, Problem};
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// The `subject` crate of a solution, without mutants and workers.
const SUBJECT: &[(&str, &str)] = &[
    ("subject/Cargo.toml", include_str!("solution/subject/Cargo.toml.in")),
    ("subject/src/lib.rs", include_str!("solution/subject/lib.rs.in")),
    ("subject/src/direct.rs", include_str!("../../../subject/src/direct.rs")),
    ("subject/src/env.rs", include_str!("../../../subject/src/env.rs")),
];

/// The settings of rustfmt, copied from the reference's workspace.
const FORMAT: [&str; 2] = ["rustfmt.toml", ".rustfmt.toml"];

/// A file of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Relative to the package.
    pub path: PathBuf,
    pub text: String,
}

/// The files of the clean solution of `assignment`.
///
/// # Errors
/// If commands build its program, a file cannot be read, or a bug cannot be removed.
pub fn solution(course: &Course, assignment: &Assignment) -> Result<Vec<SourceFile>, Failure> {
    match &assignment.program {
        AssignmentProgram::Cargo(package) => of_package(course, package),
        AssignmentProgram::Sources(sources) => of_sources(sources),
        AssignmentProgram::Commands { .. } => {
            let message =
                format!("`{}` is built by commands, so its bugs cannot be removed", assignment.id);
            let hint = "only a program of `cargo:`, `c:`, `cpp:` or `python:` in the course file has a solution";
            Err(Failure::usage(Problem::new(message).hint(hint)))
        }
    }
}

/// The sources without bugs, with paths relative to the folder of the first one.
fn of_sources(program: &Sources) -> Result<Vec<SourceFile>, Failure> {
    let folder = program.files.first().and_then(|file| file.parent()).unwrap_or(Path::new(""));
    let file = |(path, text): (PathBuf, String)| match path.strip_prefix(folder) {
        Ok(path) => Ok(SourceFile { path: path.to_owned(), text }),
        Err(_) => Err(Failure::broken_course(
            Problem::new(format!("{} is not in the folder of the program", path.display()))
                .hint("move it beside the first file of the program"),
        )),
    };
    let read = sites::source_files(program)?.into_iter();
    let mut files = read.map(file).collect::<Result<Vec<_>, _>>()?;
    let mutants: Vec<_> = sites::marked(program)?.into_iter().map(|site| site.id).collect();
    clean::clean(&mut files, &program.language.rules().marks, folder)?;
    names_no_mutant(&files, &mutants, folder)?;
    Ok(files)
}

fn of_package(course: &Course, package: &Package) -> Result<Vec<SourceFile>, Failure> {
    let folder = &package.folder;
    let mutants = mutants(course, folder)?;
    let (manifest, workspace) = manifest::clean(folder, &mutants)?;
    let (mut sources, mut files) = sources(folder)?;
    clean::clean(&mut sources, &rust::MARKS, folder)?;
    files.append(&mut sources);
    files.push(SourceFile { path: "Cargo.toml".into(), text: manifest });
    let subject = SUBJECT.iter();
    files
        .extend(subject.map(|(path, text)| SourceFile { path: path.into(), text: (*text).into() }));
    for name in FORMAT {
        if let Ok(text) = fs::read_to_string(workspace.join(name)) {
            files.push(SourceFile { path: name.into(), text });
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    names_no_mutant(&files, &mutants, folder)?;
    Ok(files)
}

/// The mutants of all assignments whose program is this crate.
fn mutants(course: &Course, folder: &Path) -> Result<Vec<String>, Failure> {
    let mut ids = declared(folder)?;
    for assignment in &course.assignments {
        if let AssignmentProgram::Cargo(package) = &assignment.program
            && package.folder == folder
        {
            ids.retain(|id| !package.features.contains(id));
        }
    }
    Ok(ids)
}

/// The Rust sources of a crate, and its other files except for the manifest and build output.
///
/// # Errors
/// If one cannot be read.
pub fn sources(folder: &Path) -> Result<(Vec<SourceFile>, Vec<SourceFile>), Failure> {
    let unreadable =
        |error| Failure::machine(format!("read the files of {}", folder.display()), error);
    let is_wanted = |name: &str| !["target", "Cargo.toml", "Cargo.lock"].contains(&name);
    let entries = WalkDir::new(folder).min_depth(1).sort_by_file_name().into_iter();
    let mut files = Vec::new();
    for entry in entries.filter_entry(|entry| entry.file_name().to_str().is_some_and(is_wanted)) {
        let entry = entry.map_err(|error| unreadable(error.into()))?;
        if entry.file_type().is_file() {
            let text = fs::read_to_string(entry.path()).map_err(unreadable)?;
            let path = entry.path().strip_prefix(folder).expect("it is in the folder").to_owned();
            files.push(SourceFile { path, text });
        }
    }
    Ok(files.into_iter().partition(|file| file.path.extension().is_some_and(|name| name == "rs")))
}

/// Checks that no file names a mutant, for example in a comment.
fn names_no_mutant(files: &[SourceFile], mutants: &[String], folder: &Path) -> Result<(), Failure> {
    // An id of one word may be an ordinary word in a text.
    let phrases: Vec<_> =
        mutants.iter().filter(|id| id.contains('-')).cloned().chain([SELECT.to_owned()]).collect();
    for file in files {
        for (number, line) in file.text.lines().enumerate() {
            if let Some(id) = phrases.iter().find(|id| line.contains(*id)) {
                let place = Place::new(&folder.join(&file.path), &file.text, number + 1, None);
                let problem = Problem::new(format!("the solution would name the mutant `{id}`"));
                let problem =
                    problem.at(place).hint("remove the id from this line of the reference");
                return Err(Failure::broken_course(problem));
            }
        }
    }
    Ok(())
}
