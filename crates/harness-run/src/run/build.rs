//! Building the variants of an assignment.
//!
//! Cargo builds a crate, compilers build source files, and the commands of the course file build any other program. A variant is built
//! again only if something that it was built from has changed: see [`record`].

mod altered;
pub mod built;
mod cargo;
mod cargo_traces;
pub mod check;
mod classes;
mod commands;
mod compiler;
mod depfile;
mod failure;
mod foreign;
mod hooks;
mod kept;
mod language;
mod mirror;
mod record;
mod runnable;
mod state;
mod surroundings;
mod text;
mod traced;
mod variant;

pub use cargo::cargo;
pub(super) use classes::QUICK;
pub use foreign::{ForeignFile, foreign};
pub use language::java_options;
pub use runnable::Runnable;
pub use text::{header, object};
pub(super) use traced::source as traced_source;
pub use traced::{library as traced_library, object as traced_object};
pub use variant::Variant;

use super::parallel;
use super::prepare;
use super::work::Work;
use crate::course::language::Made;
use crate::course::{Assignment, AssignmentProgram, Course, Language, Package};
use crate::diagnostic::{Failure, FailureKind, Problem};
use failure::{failed, unwritable};
use record::Record;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use walkdir::WalkDir;

/// The program of the source `file`, if it is in C, C++ or Python. Its steps count, as in a combined build.
///
/// # Errors
/// If it does not compile.
pub fn source(
    work: &Work,
    course: &Course,
    assignment: &Assignment,
    file: &Path,
) -> Result<Option<Runnable>, Failure> {
    language::source(work, course, assignment, file).transpose()
}

/// The library of a right program, for unit tests: that at `path`, or the reference without one, compiled with these `options` beside its
/// own. `name` is what messages call it.
///
/// # Errors
/// If it does not compile.
pub fn right(
    course: &Course,
    assignment: &Assignment,
    path: Option<&Path>,
    options: &[&str],
    name: &str,
) -> Result<PathBuf, Failure> {
    language::right(course, assignment, path, options, name)
}

/// The library of the mutant `id`, for unit tests, compiled with these `options` beside its own.
///
/// # Errors
/// If it does not compile.
pub fn disguised(
    course: &Course,
    assignment: &Assignment,
    id: &str,
    options: &[&str],
) -> Result<PathBuf, Failure> {
    language::disguised(course, assignment, id, options)
}

/// The folder of the classes of `files` in Java, which have paths and contents, compiled once for the course. Files that are no sources lie
/// beside the classes. `what` is what this does, for messages.
///
/// # Errors
/// If they do not compile.
pub fn classes(
    course: &Course,
    assignment: &Assignment,
    files: &[(PathBuf, Vec<u8>)],
    options: &[String],
    what: &str,
) -> Result<PathBuf, Failure> {
    classes::classes(course, assignment, files, options, what)
}

/// The bytes that `make` makes of these words by the program `tool`, made once for the course.
///
/// # Errors
/// If `make` fails.
pub fn kept(
    course: &Course,
    assignment: &Assignment,
    tool: &str,
    words: &[&str],
    make: impl FnOnce() -> Result<Vec<u8>, Failure>,
) -> Result<Vec<u8>, Failure> {
    kept::kept(course, assignment, tool, words, make)
}

/// The words that start a program in Java with so many megabytes of memory, without its classes.
pub fn java(memory_mb: u64) -> Vec<String> {
    ["java".to_owned()].into_iter().chain(language::java_options(memory_mb)).collect()
}

/// Builds the library of a crate, for unit tests, with more `settings` of its release profile. Libraries that it needs lie beside it.
///
/// # Errors
/// If the build fails.
pub fn library(
    course: &Course,
    assignment: &Assignment,
    package: &Package,
    variant: Variant<'_>,
    settings: &[&str],
) -> Result<PathBuf, Failure> {
    cargo::library(course, assignment, package, variant, settings, &[])
}

/// Builds the library of the reference with other texts of some `files`, which have paths in the crate. That of the library is the first.
///
/// # Errors
/// If the build fails.
pub fn altered_library(
    course: &Course,
    assignment: &Assignment,
    package: &Package,
    files: &[(PathBuf, String)],
) -> Result<PathBuf, Failure> {
    cargo::library(course, assignment, package, Variant::Reference, &[], files)
}

/// Builds the program of an inspector, called `name`, from the source at `path`, or from the sources in that folder. `None` if there are
/// none.
///
/// # Errors
/// If the build fails.
pub fn inspector(
    course: &Course,
    assignment: &Assignment,
    path: &Path,
    name: &str,
) -> Result<Option<Runnable>, Failure> {
    language::inspector(course, assignment, path, name).transpose()
}

/// Builds `variant` of `assignment`, unless it is up to date.
///
/// # Errors
/// If the build fails: with what it printed.
pub fn build(
    course: &Course,
    assignment: &Assignment,
    variant: Variant<'_>,
) -> Result<Runnable, Failure> {
    Ok(all(course, &[(assignment, variant)])?.remove(0))
}

/// Builds all of `variants` in parallel, unless they are up to date. A program that several variants run is built once.
///
/// # Errors
/// With the failure of the first variant whose build fails.
pub fn all(
    course: &Course,
    variants: &[(&Assignment, Variant<'_>)],
) -> Result<Vec<Runnable>, Failure> {
    let shared: Vec<_> =
        variants.iter().map(|(of, variant)| (&*of.id, variant.shared(of))).collect();
    let places: BTreeMap<_, _> = shared.iter().zip(0..).collect();
    let wanted: Vec<_> =
        places.values().map(|&at: &usize| (variants[at].0, shared[at].1)).collect();
    let built = each(course, &wanted)?;
    let runnable = |(&(_, variant), shared): (&(_, Variant<'_>), &(_, Variant<'_>))| {
        let at = places.keys().position(|program| *program == shared);
        let program = built[at.expect("every program is built")].clone();
        let selected = variant.id().filter(|_| variant != shared.1).map(str::to_owned);
        Runnable { mutant: selected, ..program }
    };
    let runnables = variants.iter().zip(&shared).map(runnable);
    let all = runnables.zip(variants);
    all.map(|(runnable, (assignment, _))| runnable.talking(course, assignment)).collect()
}

/// Builds each of `programs`. Cargo uses all cores by itself, and its calls wait for each other. Other compilers use one core each.
fn each(
    course: &Course,
    programs: &[(&Assignment, Variant<'_>)],
) -> Result<Vec<Runnable>, Failure> {
    let is_crate = |(assignment, _): &(&Assignment, _)| assignment.program.needs_cargo();
    let slots =
        prepare::jobs(None).max(programs.iter().filter(|program| is_crate(program)).count());
    let built = parallel::map(programs.len(), slots, |at| {
        let (assignment, variant) = programs[at];
        Ok(match &assignment.program {
            AssignmentProgram::Cargo(package) => cargo::build(course, assignment, package, variant),
            AssignmentProgram::Sources(sources) => {
                language::build(course, assignment, sources, variant)
            }
            AssignmentProgram::Commands { reference, mutant, sources } => {
                let commands = (reference, mutant);
                commands::Build::new(course, assignment, commands, sources, variant).build()
            }
        })
    })?;
    // The first failure is that of the first program, whichever failed first.
    built.into_iter().collect()
}

/// The files that the programs of `assignment` are built from, and the folders in which new ones would matter, as far as they are known.
/// More of them are known once the programs are built.
pub fn sources(course: &Course, assignment: &Assignment) -> BTreeSet<PathBuf> {
    let root = root(course);
    let target = target_folder(course, assignment);
    let files = WalkDir::new(&target).max_depth(3).into_iter().filter_map(Result::ok);
    let records = files.filter(|entry| entry.path().extension() == Some("json".as_ref()));
    let records = records.filter_map(|entry| Record::read(entry.path()));
    let mut sources: BTreeSet<_> = records.flat_map(|record| record.sources(&root)).collect();
    match &assignment.program {
        AssignmentProgram::Cargo(_) => {}
        AssignmentProgram::Sources(given) => {
            let files = given.files.iter().map(|file| in_root(course, file));
            sources.extend(files.flat_map(|file| imported_by(&file, given.language)));
        }
        AssignmentProgram::Commands { reference, mutant, sources: declared } => {
            for variant in [Variant::Reference, Variant::Mutant("")] {
                let commands = (reference, mutant);
                let build = commands::Build::new(course, assignment, commands, declared, variant);
                sources.extend(build.sources(&root));
            }
        }
    }
    sources
}

/// A source, and what it can import without naming a folder: every file beside it, if sources are run as they are.
fn imported_by(file: &Path, language: Language) -> Vec<PathBuf> {
    let beside = file.parent().filter(|_| matches!(language.rules().made, Made::Nothing));
    let entries = beside.and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten();
    let others = entries.flatten().map(|entry| entry.path());
    others.filter(|path| language.has_source(path)).chain([file.to_owned()]).collect()
}

/// The folder of the course, without links.
pub fn root(course: &Course) -> PathBuf {
    course.folder.canonicalize().unwrap_or_else(|_| course.folder.clone())
}

/// A path of the course file, for any current folder.
fn in_root(course: &Course, path: &Path) -> PathBuf {
    root(course).join(path.strip_prefix(&course.folder).unwrap_or(path))
}

/// The folder of what is built for `assignment`.
pub fn target_folder(course: &Course, assignment: &Assignment) -> PathBuf {
    root(course).join("target").join("harness").join(&assignment.id)
}

/// The path with `ending` after its name.
fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn run(command: &mut Command, name: &str) -> Result<Output, Failure> {
    command.output().map_err(|error| {
        let hint = format!("is `{name}` installed and on the PATH?");
        let problem = Problem::new(format!("cannot start `{name}`: {error}")).hint(hint);
        Failure::new(FailureKind::Machine, problem)
    })
}
