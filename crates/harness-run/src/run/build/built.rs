//! Programs that were built before, for commands that have no time to build.

use super::state::State;
use super::{Runnable, Variant, target_folder};
use crate::course::{Assignment, AssignmentProgram, Course};
use crate::diagnostic::{Failure, Problem};
use crate::files;
use crate::hash::fnv1a;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The programs of an assignment, as a file beside them records them.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Built {
    /// A hash of what the course file says about them.
    described: u64,
    /// What they were built from, with paths relative to the course.
    sources: BTreeMap<PathBuf, State>,
    /// By the name of the variant.
    programs: BTreeMap<String, Runnable>,
    /// A hash of each built file that the command line of a program names.
    files: BTreeMap<String, u64>,
}

impl Built {
    /// Builds `variants` of `assignment`, and records them.
    ///
    /// # Errors
    /// If a build fails.
    pub fn build(
        course: &Course,
        assignment: &Assignment,
        variants: &[Variant<'_>],
    ) -> Result<Self, Failure> {
        let wanted: Vec<_> = variants.iter().map(|&variant| (assignment, variant)).collect();
        let built = super::all(course, &wanted)?;
        let own = target_folder(course, assignment);
        let words = built.iter().flat_map(|program| &program.words);
        let made = words
            .filter(|word| Path::new(word).starts_with(&own))
            .filter_map(|word| Some((word.clone(), contents(word)?)));
        let files = made.collect();
        let programs =
            variants.iter().map(|&variant| name(variant).to_owned()).zip(built).collect();
        let (described, sources) = (described(course, assignment), sources(course, assignment)?);
        let built = Self { described, sources, programs, files };
        let file = file(course, assignment);
        let text = serde_json::to_string_pretty(&built).expect("paths on a command line are text");
        fs::create_dir_all(&own)
            .and_then(|()| files::replace(&file, text.as_bytes()))
            .map_err(|error| Failure::machine(format!("write {}", file.display()), error))?;
        Ok(built)
    }

    /// The programs that were built before.
    ///
    /// # Errors
    /// If they were not built, or are out of date.
    pub fn read(course: &Course, assignment: &Assignment) -> Result<Self, Failure> {
        let failed = |message: &str| {
            let message = format!("the programs of `{}` {message}", assignment.id);
            Failure::broken_course(
                Problem::new(message)
                    .hint("run `harness autograder-io setup` in the course after each change"),
            )
        };
        let text = fs::read(file(course, assignment)).map_err(|_| failed("were not built yet"))?;
        let mut built: Self =
            serde_json::from_slice(&text).map_err(|_| failed("were built by another version"))?;
        let root = super::root(course);
        let is_same = |(path, state): (&PathBuf, &State)| state.if_same(&root.join(path)).is_some();
        if built.described != described(course, assignment) || !built.sources.iter().all(is_same) {
            return Err(failed("are out of date"));
        }
        // The recorded path may be another folder on this machine.
        built.programs.values_mut().for_each(|program| program.folder.clone_from(&course.folder));
        Ok(built)
    }

    /// The program of `variant`.
    ///
    /// # Errors
    /// If it was not built, or has changed since: a damaged program could crash like a bug.
    pub fn program(&self, variant: Variant<'_>) -> Result<Runnable, Failure> {
        let failed = |message: String| {
            Err(Failure::broken_course(
                Problem::new(message).hint("run `harness autograder-io setup` again"),
            ))
        };
        let Some(program) = self.programs.get(name(variant)) else {
            return failed(format!("`{}` was not built", name(variant)));
        };
        let is_whole =
            |word: &String| self.files.get(word).is_none_or(|&whole| contents(word) == Some(whole));
        match program.words.iter().find(|word| !is_whole(word)) {
            Some(word) => failed(format!("{word} has changed since it was built")),
            None => Ok(program.clone()),
        }
    }
}

fn name(variant: Variant<'_>) -> &str {
    match variant {
        Variant::Reference => "the reference",
        Variant::Combined => "the combined build",
        Variant::Mutant(id) | Variant::Unoptimized(id, _) | Variant::Selected(id) => id,
    }
}

fn file(course: &Course, assignment: &Assignment) -> PathBuf {
    target_folder(course, assignment).join("programs.json")
}

/// A hash of the contents of a file that can be read.
fn contents(file: &str) -> Option<u64> {
    fs::read(file).ok().map(|bytes| fnv1a(&bytes))
}

/// A hash of what the course file says about the programs, without the place of the course.
fn described(course: &Course, assignment: &Assignment) -> u64 {
    let own = |file: &PathBuf| file.strip_prefix(&course.folder).unwrap_or(file).to_owned();
    let text = match &assignment.program {
        AssignmentProgram::Cargo(package) => {
            let folder = own(&package.folder);
            format!("{} {:?} {:?}", folder.display(), package.binary, package.features)
        }
        AssignmentProgram::Sources(sources) => {
            let files: Vec<_> = sources.files.iter().map(own).collect();
            format!("{:?} {files:?} {:?}", sources.language, sources.flags)
        }
        AssignmentProgram::Commands { reference, mutant, .. } => {
            format!("{reference:?} {mutant:?}")
        }
    };
    fnv1a(text.as_bytes())
}

/// The files that the programs are built from. Folders do not count: a new file among students' files changes no program.
fn sources(course: &Course, assignment: &Assignment) -> Result<BTreeMap<PathBuf, State>, Failure> {
    let root = super::root(course);
    let mut sources = BTreeMap::new();
    for path in super::sources(course, assignment) {
        let failed = |error| Failure::machine(format!("read {}", path.display()), error);
        match State::of(&path).map_err(failed)? {
            State::Folder(_) => {}
            State::Missing if !path.starts_with(&root) => {}
            state => {
                sources.insert(path.strip_prefix(&root).unwrap_or(&path).to_owned(), state);
            }
        }
    }
    Ok(sources)
}
