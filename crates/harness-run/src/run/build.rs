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
mod foreign;
mod hooks;
mod kept;
mod language;
mod mirror;
mod record;
mod state;
mod surroundings;
mod text;
mod traced;

pub use cargo::cargo;
pub use foreign::{ForeignFile, foreign};
pub use language::java_options;
pub use text::{header, object};
pub(super) use traced::source as traced_source;
pub use traced::{library as traced_library, object as traced_object};

use super::interactor::Interactor;
use super::parallel;
use super::prepare;
use super::work::Work;
use crate::course::language::Made;
use crate::course::{Assignment, AssignmentProgram, Course, Language, Package};
use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::files;
use record::Record;
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use walkdir::WalkDir;

/// A program that can be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variant<'a> {
    /// The correct program.
    Reference,
    /// One program with every mutant, selected for each run.
    Combined,
    /// The reference with one bug.
    Mutant(&'a str),
    /// The combined build, started as a process with this mutant selected.
    Selected(&'a str),
    /// The reference with one bug, compiled without optimization, in the target folder of this number. Builds with different numbers
    /// run in parallel.
    Unoptimized(&'a str, usize),
}

impl<'a> Variant<'a> {
    /// The variant whose program this one runs. It is built once for all that share it.
    fn shared(self, assignment: &Assignment) -> Self {
        let is_whole_program = self.id().is_some_and(|id| assignment.own_program(id).is_some());
        let is_selected = matches!(
            &assignment.program,
            AssignmentProgram::Sources(sources) if sources.language.compiler().is_none()
        );
        match self {
            _ if is_whole_program => self,
            _ if is_selected => Self::Reference,
            Self::Selected(_) => Self::Combined,
            _ => self,
        }
    }

    fn id(self) -> Option<&'a str> {
        match self {
            Self::Reference | Self::Combined => None,
            Self::Mutant(id) | Self::Selected(id) | Self::Unoptimized(id, _) => Some(id),
        }
    }
}

/// A command line that runs a variant; the arguments of a case are appended.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Runnable {
    pub words: Vec<String>,
    /// The folder that its relative paths start from. Unless it is a program of the course's own, such as a compiler, it runs in others.
    pub folder: PathBuf,
    /// The mutant that a combined build selects if it is started as a process.
    pub mutant: Option<String>,
    /// What a hostile program may read beside the files that its words name. Nobody has looked at it, so it is contained as far as the
    /// machine allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hostile: Option<Vec<PathBuf>>,
    /// What it talks with, instead of reading the input and printing an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interactor: Option<Box<Interactor>>,
}

impl Runnable {
    pub fn new(words: Vec<String>, folder: PathBuf) -> Self {
        Self { words, folder, mutant: None, hostile: None, interactor: None }
    }

    /// The same program, at which nobody has looked.
    #[must_use]
    pub fn hostile(self) -> Self {
        Self { hostile: Some(Vec::new()), ..self }
    }

    /// The same program, which talks with the interactor of the assignment, if that has one.
    ///
    /// # Errors
    /// If the interactor cannot be built.
    pub fn talking(self, course: &Course, assignment: &Assignment) -> Result<Self, Failure> {
        Ok(Self { interactor: Interactor::of(course, assignment)?.map(Box::new), ..self })
    }

    /// The same program with the whole paths of the files that its words name, and of the folders that they name with a slash, because
    /// it runs in other folders than its own.
    #[must_use]
    pub fn with_whole_paths(mut self) -> Self {
        let folder = self.folder.canonicalize().unwrap_or_else(|_| self.folder.clone());
        for word in self.words.iter_mut().skip(1) {
            let path = folder.join(&*word);
            if (path.is_file() || word.contains('/') && path.is_dir())
                && let Some(path) = path.to_str()
            {
                path.clone_into(word);
            }
        }
        self
    }
}

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
        Failure::broken_course(Problem::new(format!("cannot start `{name}`: {error}")).hint(hint))
    })
}

/// The failure to do `what` for which the builder wrote into `target` and `printed` its errors. It is the course's fault, unless the
/// disk is read-only or full.
fn failed(what: &str, target: &Path, printed: &[u8]) -> Failure {
    let printed = String::from_utf8_lossy(printed);
    if let Err(error) = files::check_writable(target) {
        return unwritable(what, target, &error);
    }
    if let Some((folder, error)) = full_disk(target, &printed) {
        return unwritable(what, &folder, &error);
    }
    Failure::broken_course(Problem::new(format!("cannot {what}\n{}", printed.trim_end())))
}

/// The full disk that made a tool print this, if one did. A linker does not say so: it writes through a mapping, and crashes.
fn full_disk(target: &Path, printed: &str) -> Option<(PathBuf, io::Error)> {
    const LITTLE: u64 = 64 << 20;
    let says = |any: &[&str]| any.iter().any(|text| printed.contains(text));
    let is_over_quota = says(&["Disk quota exceeded"]);
    let is_full = says(&["No space left on device"]);
    let crashed = says(&["Bus error", "signal 7", "SIGBUS", "signal: 7"]);
    let free = |folder: &PathBuf| {
        let disk = rustix::fs::statvfs(files::nearest_existing(folder)).ok()?;
        Some((disk.f_bavail * disk.f_frsize, folder.clone()))
    };
    // A compiler also writes into the folder for temporary files.
    let folders = [target.to_owned(), env::temp_dir()];
    let (left, folder) = folders.iter().filter_map(free).min_by_key(|(left, _)| *left)?;
    let folder = if is_over_quota { target.to_owned() } else { folder };
    let error = if is_over_quota { Errno::DQUOT } else { Errno::NOSPC };
    (is_over_quota || is_full || crashed && left < LITTLE).then(|| (folder, error.into()))
}

/// The failure to do `what` because `target` cannot be written.
fn unwritable(what: &str, target: &Path, error: &io::Error) -> Failure {
    let message = format!("cannot {what}: cannot write into {}: {error}", target.display());
    let hint = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "make room on that disk; `harness doctor` shows how much there is"
        }
        _ => {
            "make that folder writable, or copy the course to one that is; `harness doctor` checks it"
        }
    };
    Failure::new(FailureKind::Machine, Problem::new(message).hint(hint))
}

fn describe(variant: Variant<'_>) -> String {
    match variant {
        Variant::Reference => "reference".to_owned(),
        Variant::Combined | Variant::Selected(_) => "combined build".to_owned(),
        Variant::Mutant(id) | Variant::Unoptimized(id, _) => format!("mutant `{id}`"),
    }
}
