//! Programs that were built before, for commands that must be quick and may build nothing.

use super::{Runnable, Variant, target_folder};
use crate::course::{Assignment, Course, Program};
use crate::hash::fnv1a;
use crate::problem::{Failure, Problem};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// The programs of an assignment, as they are remembered beside them.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Built {
    /// What they were built from.
    sources: u64,
    /// The programs, by the name of their variant.
    programs: BTreeMap<String, Runnable>,
    /// A number for the contents of each file that a build made and a program is run by.
    files: BTreeMap<String, u64>,
}

impl Built {
    /// Builds `variants` of `assignment`, and remembers them.
    ///
    /// # Errors
    /// Where a build fails.
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
        let built = Self { sources: sources(course, assignment)?, programs, files };
        let file = file(course, assignment);
        let text = serde_json::to_string_pretty(&built).expect("paths on a command line are text");
        write(&file, &text)
            .map_err(|error| Failure::machine(format!("write {}", file.display()), error))?;
        Ok(built)
    }

    /// The programs that were built before.
    ///
    /// # Errors
    /// Where they were not, or are out of date.
    pub fn read(course: &Course, assignment: &Assignment) -> Result<Self, Failure> {
        let failed = |message: &str| {
            let message = format!("the programs of `{}` {message}", assignment.id);
            Failure::broken_course(
                Problem::new(message)
                    .hint("run `harness plug setup` where the course is, after each change to it"),
            )
        };
        let text = fs::read(file(course, assignment)).map_err(|_| failed("were not built yet"))?;
        let mut built: Self =
            serde_json::from_slice(&text).map_err(|_| failed("were built by another version"))?;
        if built.sources != sources(course, assignment)? {
            return Err(failed("are out of date"));
        }
        // What the folder was called where they were built may be a student's folder here.
        built.programs.values_mut().for_each(|program| program.folder.clone_from(&course.folder));
        Ok(built)
    }

    /// The program of `variant`.
    ///
    /// # Errors
    /// Where it was not built, or is no longer what was built: a part of a program crashes as a bug may.
    pub fn program(&self, variant: Variant<'_>) -> Result<Runnable, Failure> {
        let failed = |message: String| {
            Err(Failure::broken_course(
                Problem::new(message).hint("run `harness plug setup` again"),
            ))
        };
        let Some(program) = self.programs.get(name(variant)) else {
            return failed(format!("`{}` was not built", name(variant)));
        };
        let is_whole =
            |word: &String| self.files.get(word).is_none_or(|&whole| contents(word) == Some(whole));
        match program.words.iter().find(|word| !is_whole(word)) {
            Some(word) => failed(format!("{word} is not what was built")),
            None => Ok(program.clone()),
        }
    }
}

/// Writes `text` so that whoever reads `file` meanwhile finds all of it.
fn write(file: &Path, text: &str) -> io::Result<()> {
    let permissions = Permissions::from_mode(0o666);
    let folder = file.parent().expect("it is in a folder of the harness's own");
    let mut whole = tempfile::Builder::new().permissions(permissions).tempfile_in(folder)?;
    whole.write_all(text.as_bytes())?;
    whole.persist(file)?;
    Ok(())
}

fn name(variant: Variant<'_>) -> &str {
    match variant {
        Variant::Reference => "the reference",
        Variant::Combined => "the combined build",
        Variant::Mutant(id) => id,
    }
}

fn file(course: &Course, assignment: &Assignment) -> PathBuf {
    target_folder(course, assignment).join("programs.json")
}

/// A number for the contents of a file that can be read.
fn contents(file: &str) -> Option<u64> {
    fs::read(file).ok().map(|bytes| fnv1a(&bytes))
}

/// A number for what the programs are built from, as far as the course says where that is: the crate, or else the commands and the
/// files that they name.
fn sources(course: &Course, assignment: &Assignment) -> Result<u64, Failure> {
    let mut all = Vec::new();
    match &assignment.program {
        Program::Cargo(package) => {
            all.extend(format!("{:?} {:?}", package.binary, package.features).into_bytes());
            add(&package.folder, &mut all)?;
        }
        Program::Commands { reference, mutant } => {
            all.extend(format!("{reference:?} {mutant:?}").into_bytes());
            let words = [&reference.build, &reference.run, &mutant.build, &mutant.run]
                .into_iter()
                .flatten();
            let files = words.map(|word| course.folder.join(word)).filter(|file| file.is_file());
            files.filter_map(|file| fs::read(file).ok()).for_each(|bytes| all.extend(bytes));
        }
    }
    Ok(fnv1a(&all))
}

/// Adds the files in `folder` to `all`, without what was built there.
fn add(folder: &Path, all: &mut Vec<u8>) -> Result<(), Failure> {
    let unread = |error: &dyn std::fmt::Display| {
        Failure::machine(format!("read {}", folder.display()), error)
    };
    let entries = WalkDir::new(folder).sort_by_file_name().into_iter();
    for entry in entries.filter_entry(|entry| entry.depth() == 0 || entry.file_name() != "target") {
        let entry = entry.map_err(|error| unread(&error))?;
        if entry.file_type().is_file() {
            all.extend(fs::read(entry.path()).map_err(|error| unread(&error))?);
            all.extend(entry.file_name().as_encoded_bytes());
        }
    }
    Ok(())
}
