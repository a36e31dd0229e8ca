//! One file of a student's, compiled and linked once, with a folder for each variant.

use crate::diagnostic::{Failure, Place, Problem, printable};
use crate::files;
use crate::run::build::Runnable;
use crate::run::process::{self, ProcessLimits};
use crate::suite::TestProgram;
use crate::variants::Variants;
use std::fs;
use std::io::{self, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::time::Duration;
use subject::{Case, End, Outcome};
use tempfile::TempDir;

/// What compiling one file may use.
const LIMITS: ProcessLimits = ProcessLimits {
    time: Duration::from_secs(60),
    wall: Duration::from_secs(240),
    memory: 2 << 30,
    output: 64 << 20,
    processes: 16,
};

/// The name of the program in the folder of each variant, and that of the library that is the variant.
const PROGRAM: &str = "tests";
pub(crate) const LIBRARY: &str = "libsubject.so";

/// A file whose test cases can be run.
pub(crate) struct Built {
    place: TempDir,
}

impl Built {
    /// Compiles a file, and links it with the reference. What is wrong with it is a problem of its author.
    pub(crate) fn new(
        variants: &Variants,
        file: &TestProgram,
    ) -> Result<Result<Self, Problem>, Failure> {
        let place = files::temporary_folder()
            .map_err(|error| Failure::machine("make a temporary folder", error))?;
        let compiling = place.path().join("build");
        let laid = fs::create_dir(&compiling).and_then(|()| lay(variants, file, &compiling));
        laid.map_err(|error| Failure::machine("write a temporary file", error))?;
        let compiler =
            Runnable::new(variants.words(&file.file, PROGRAM), compiling.clone()).hostile();
        let outcome =
            process::run_in_place(&variants.work, &compiler, &Case::default(), &LIMITS)
                .map_err(|error| process::failure(format!("compile {}", file.file), &error))?;
        let is_there =
            |path: &Path| path.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
        if outcome.end == End::Exit(0) && is_there(&compiling.join(PROGRAM)) {
            return Ok(Ok(Self { place }));
        }
        Ok(Err(rejected(file, &outcome)))
    }

    /// The program of this file with a variant in the place of the library. Its folder has a name that says nothing.
    pub(crate) fn with(&self, variant: &Path) -> io::Result<Runnable> {
        let folder = tempfile::Builder::new().prefix("").tempdir_in(self.place.path())?.keep();
        let (program, library) = (folder.join(PROGRAM), folder.join(LIBRARY));
        fs::copy(self.place.path().join("build").join(PROGRAM), &program)?;
        fs::copy(variant, &library)?;
        // Behind its end, a library has what nobody can expect.
        let random = iter::repeat_with(|| fastrand::u8(..)).take(fastrand::usize(64..1024));
        fs::File::options().append(true).open(&library)?.write_all(&random.collect::<Vec<_>>())?;
        let words = vec![program.to_string_lossy().into_owned()];
        Ok(Runnable { hostile: Some(vec![library]), ..Runnable::new(words, folder) })
    }
}

/// Puts what a file is compiled with into a folder.
fn lay(variants: &Variants, file: &TestProgram, folder: &Path) -> io::Result<()> {
    for shared in &variants.unit.with {
        fs::copy(shared, folder.join(shared.file_name().unwrap_or_default()))?;
    }
    fs::copy(variants.reference(), folder.join(LIBRARY))?;
    fs::write(folder.join(&file.file), &file.source)
}

/// Why a file does not compile: the compiler's first error, at its line.
fn rejected(file: &TestProgram, outcome: &Outcome) -> Problem {
    if !matches!(outcome.end, End::Exit(_)) {
        let problem = Problem::new("compiling the file takes too long or too much memory");
        return problem.hint("does a template or a macro expand without end?");
    }
    let text = String::from_utf8_lossy(&outcome.stderr);
    let errors = || text.lines().filter_map(|line| line.split_once("error: "));
    let here = errors().find(|(place, _)| place.starts_with(&format!("{}:", file.file)));
    let undefined = text.lines().find_map(|line| line.split_once("undefined reference to "));
    if let (None, Some((_, name))) = (here, undefined) {
        return Problem::new(printable(&format!("{name} is used but not defined")))
            .hint("a file of tests is linked with the program that it tests, and nothing else");
    }
    let Some((place, message)) = here.or_else(|| errors().next()) else {
        return Problem::new("the file does not compile");
    };
    let problem = Problem::new(printable(message));
    let mut numbers = place.split(':').skip(1).filter_map(|number| number.trim().parse().ok());
    match (here, numbers.next(), numbers.next()) {
        (Some(_), Some(line), column) => problem.at(at(file, line, column)),
        _ => problem,
    }
}

/// A place in a file of tests, with its line.
pub(crate) fn at(file: &TestProgram, line: usize, column: Option<usize>) -> Place {
    Place::new(&PathBuf::from(&file.file), &String::from_utf8_lossy(&file.source), line, column)
}
