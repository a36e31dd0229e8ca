//! Programs in C and C++ that are compiled apart from their tests: each variant is a library, built once for the course. A file of tests
//! is compiled and linked once, and each variant takes the place of the library under the same name.

use super::Kit;
use super::compiler::{Compiler, PROGRAM, TELL};
use crate::built::Built;
use crate::coverage::Counter;
use crate::diagnostic::{Failure, Problem};
use crate::rooms::Rooms;
use crate::run::build::{self, Runnable};
use crate::run::coverage::{Coverage, Notes};
use crate::running::Pair;
use crate::variant::{Given, Variant};
use crate::variants::Variants;
use std::fs;
use std::path::{Path, PathBuf};
use subject::Case;

/// The name of the library, and the options that find it when tests are linked and when they run.
const LIBRARY: &str = "libsubject.so";
const LINK: [&str; 3] = ["-L.", "-lsubject", "-Wl,-rpath,$ORIGIN"];

/// How disguises are compiled.
const DISGUISES: [&[&str]; 8] = [
    &["-O0"],
    &["-O1"],
    &["-Os"],
    &["-O3"],
    &["-O0", "-falign-functions=128"],
    &["-O1", "-fno-inline", "-falign-functions=64"],
    &["-O2", "-fno-omit-frame-pointer", "-fno-reorder-blocks"],
    &["-O3", "-falign-loops=64", "-fno-schedule-insns2"],
];

pub(super) struct Libraries {
    pub(super) compiler: Compiler,
}

impl Kit for Libraries {
    fn variant(&self, given: Given<'_>, id: Option<&str>) -> Result<Variant, Failure> {
        let variant = id.map_or(build::Variant::Reference, build::Variant::Mutant);
        let built = build::build(given.course, given.assignment, variant)?;
        Variant::library(Path::new(&built.words[0]), LIBRARY)
    }

    fn right(&self, given: Given<'_>, path: &Path, name: &str) -> Result<Variant, Failure> {
        let built = build::right(given.course, given.assignment, Some(path), &[], name)?;
        Variant::library(&built, LIBRARY)
    }

    fn disguises(&self) -> usize {
        DISGUISES.len()
    }

    fn disguised(&self, given: Given<'_>, at: usize, id: Option<&str>) -> Result<Variant, Failure> {
        let (Given { course, assignment }, options) = (given, DISGUISES[at]);
        let built = match id {
            Some(id) => build::disguised(course, assignment, id, options)?,
            None => build::right(course, assignment, None, options, "a decoy")?,
        };
        Variant::library(&built, LIBRARY)
    }

    /// A program whose marks cannot be calls, for example because they are in constants, tells nothing.
    fn teller(&self, given: Given<'_>) -> Result<Option<Variant>, Failure> {
        let what = "what tells the bugs that a test reaches";
        let option = format!("-D{TELL}");
        let built = build::right(given.course, given.assignment, None, &[&option], what);
        built.ok().map(|built| Variant::library(&built, LIBRARY)).transpose()
    }

    fn counter(&self, given: Given<'_>) -> Result<Box<dyn Counter>, Failure> {
        let (library, notes) = build::traced_library(given.course, given.assignment)?;
        Ok(Box::new(CountingLibrary {
            variant: Variant::library(&library, LIBRARY)?,
            notes: Notes::read(&notes)?,
            root: build::root(given.course),
        }))
    }

    fn build(&self, built: Built<'_>, reference: &Variant) -> Result<Result<(), Problem>, Failure> {
        let folder = built.folder.join("build");
        fs::create_dir(&folder)
            .and_then(|()| self.compiler.lay(built.file, &folder))
            .map_err(|error| Failure::machine("write a temporary file", error))?;
        if let Err(problem) = self.compiler.compile(built, &folder, &[])? {
            return Ok(Err(problem));
        }
        // A file that could read the library while it is compiled could keep the reference, to compare each variant with it.
        reference
            .lay(&folder)
            .map_err(|error| Failure::machine("write a temporary file", error))?;
        self.compiler.link(built, &folder, &LINK)
    }

    fn program(
        &self,
        built: Built<'_>,
        variant: &Variant,
    ) -> Result<Result<Runnable, Problem>, Failure> {
        program(built, variant).map(Ok)
    }

    fn makes_rooms(&self) -> Option<fn(Built<'_>) -> Result<Runnable, Failure>> {
        Some(room)
    }
}

/// The tests that were linked, beside the library of a variant.
fn program(built: Built<'_>, variant: &Variant) -> Result<Runnable, Failure> {
    let program = built.rooms.and_then(Rooms::take).map_or_else(|| room(built), Ok)?;
    let tests = program.folder.join(PROGRAM);
    let lay = || {
        if tests.is_file() {
            // A process that is about to end may have the library of the variant before.
            fs::remove_file(program.folder.join(LIBRARY))?;
        } else {
            // A link would tell by its count how many programs there were.
            fs::copy(built.folder.join("build").join(PROGRAM), &tests)?;
        }
        variant.lay(&program.folder)
    };
    lay().map_err(|error| Failure::machine("write a temporary file", error))?;
    Ok(program)
}

fn room(built: Built<'_>) -> Result<Runnable, Failure> {
    let folder = tempfile::Builder::new()
        .prefix("")
        .tempdir_in(built.folder)
        .map_err(|error| Failure::machine("make a temporary folder", error))?
        .keep();
    let words = vec![folder.join(PROGRAM).to_string_lossy().into_owned()];
    Ok(Runnable { hostile: Some(vec![folder.clone()]), ..Runnable::new(words, folder) })
}

/// The library of the reference that tells which lines are reached.
struct CountingLibrary {
    variant: Variant,
    notes: Notes,
    /// The folder of the course.
    root: PathBuf,
}

impl Counter for CountingLibrary {
    fn coverage(
        &self,
        variants: &Variants,
        pair: &mut Pair<'_>,
        cases: &[Case],
    ) -> Result<Result<Coverage, Problem>, Failure> {
        let program = program(pair.built, &self.variant)?;
        variants.counted(pair.built.work, &program, cases, &self.notes, &self.root).map(Ok)
    }
}
