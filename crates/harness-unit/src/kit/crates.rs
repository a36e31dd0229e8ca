//! Programs in Rust: each variant is the library of the crate, with one bug or none, built once for the course. Tests are linked with each,
//! because the compiler puts parts of a library into what uses it.

use super::Kit;
use super::points::Counting;
use super::rust_source;
use crate::built::Built;
use crate::catalogue::sites;
use crate::course::{Package, UnitTests};
use crate::coverage::Counter;
use crate::diagnostic::{Failure, FailureKind, Problem, printable};
use crate::files;
use crate::run::build::{self, Runnable};
use crate::run::process::{self, ProcessLimits};
use crate::suite::TestProgram;
use crate::variant::{Given, Variant};
use std::fs::{self, File};
use std::io::{self, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use subject::{Case, End, Outcome};

/// What compiling one file may use.
const LIMITS: ProcessLimits = ProcessLimits {
    time: Duration::from_secs(60),
    wall: Duration::from_secs(240),
    memory: 4 << 30,
    output: 256 << 20,
    processes: 64,
};

const PROGRAM: &str = "tests";

/// How disguises are built. They are few, because tests are compiled for each.
const DISGUISES: [&[&str]; 2] = [&["opt-level=1"], &["opt-level=\"s\"", "codegen-units=1"]];

#[derive(Clone)]
pub(super) struct Crates {
    package: Package,
    /// The name by which tests use the library.
    name: String,
    /// The folder of the compiler.
    sysroot: PathBuf,
    flags: Vec<String>,
    with: Vec<PathBuf>,
}

impl Crates {
    pub(super) fn new(package: &Package, unit: &UnitTests) -> Result<Self, Failure> {
        Ok(Self {
            package: package.clone(),
            name: sites::library_name(&package.folder)?,
            sysroot: sysroot()?,
            flags: unit.flags.clone(),
            with: unit.with.clone(),
        })
    }

    /// The library of a crate, and those that it needs.
    fn library(
        given: Given<'_>,
        package: &Package,
        variant: build::Variant<'_>,
        settings: &[&str],
    ) -> Result<Variant, Failure> {
        read(&build::library(given.course, given.assignment, package, variant, settings)?)
    }

    fn lay(
        &self,
        Built { file: tests, folder: place, .. }: Built<'_>,
        variant: &Variant,
    ) -> io::Result<PathBuf> {
        let folder = tempfile::Builder::new().prefix("").tempdir_in(place)?.keep();
        for shared in &self.with {
            fs::copy(shared, folder.join(shared.file_name().unwrap_or_default()))?;
        }
        for (name, bytes) in &variant.files {
            fs::write(folder.join(name), bytes)?;
        }
        fs::write(folder.join(&tests.file), &tests.source)?;
        Ok(folder)
    }
}

impl Kit for Crates {
    fn variant(&self, given: Given<'_>, id: Option<&str>) -> Result<Variant, Failure> {
        let variant = id.map_or(build::Variant::Reference, build::Variant::Mutant);
        Self::library(given, &self.package, variant, &[])
    }

    fn right(&self, given: Given<'_>, path: &Path, _name: &str) -> Result<Variant, Failure> {
        let package = Package { folder: path.to_owned(), binary: None, features: Vec::new() };
        Self::library(given, &package, build::Variant::Reference, &[])
    }

    fn disguises(&self) -> usize {
        DISGUISES.len()
    }

    fn disguised(&self, given: Given<'_>, at: usize, id: Option<&str>) -> Result<Variant, Failure> {
        let variant = id.map_or(build::Variant::Reference, build::Variant::Mutant);
        Self::library(given, &self.package, variant, DISGUISES[at])
    }

    fn compiles_for_each(&self) -> bool {
        true
    }

    fn counter(&self, given: Given<'_>) -> Result<Box<dyn Counter>, Failure> {
        let folder = &self.package.folder;
        let library = sites::library_source(folder)?;
        let (files, points) = rust_source::marked(&library, &given.course.folder)?;
        let inner = |(path, text): (PathBuf, String)| {
            (path.strip_prefix(folder).map(Path::to_owned).unwrap_or(path), text)
        };
        let files: Vec<_> = files.into_iter().map(inner).collect();
        let library =
            build::altered_library(given.course, given.assignment, &self.package, &files)?;
        let variant = read(&library)?;
        Ok(Box::new(Counting { variant, points, kit: Box::new(self.clone()) }))
    }

    fn program(
        &self,
        built: Built<'_>,
        variant: &Variant,
    ) -> Result<Result<Runnable, Problem>, Failure> {
        let unwritten = |error| Failure::machine("write a temporary file", error);
        let (tests, folder) = (built.file, self.lay(built, variant).map_err(unwritten)?);
        let words = [
            "--edition=2024",
            "--test",
            "--error-format=short",
            "-Awarnings",
            "-Ldependency=.",
            "-o",
            PROGRAM,
        ];
        let mut words: Vec<_> = words.map(str::to_owned).into();
        words.insert(0, self.sysroot.join("bin/rustc").to_string_lossy().into_owned());
        words.push(format!("--extern={}=libtested.rlib", self.name));
        words.extend(self.flags.iter().cloned().chain([tests.file.clone()]));
        let compiler = Runnable::new(words, folder.clone());
        let compiler = Runnable { hostile: Some(vec![self.sysroot.clone()]), ..compiler };
        let outcome = process::run_in_place(built.work, &compiler, &Case::default(), &LIMITS)
            .map_err(|error| process::failure(format!("compile {}", tests.file), &error))?;
        let program = folder.join(PROGRAM);
        let is_there = program.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
        if outcome.end != End::Exit(0) || !is_there {
            return Ok(Err(rejected(tests, &outcome)));
        }
        extend(&program).map_err(unwritten)?;
        let words = vec![program.to_string_lossy().into_owned()];
        Ok(Ok(Runnable::new(words, folder).hostile()))
    }
}

/// A library that was built, and those beside it.
fn read(library: &Path) -> Result<Variant, Failure> {
    let folder = files::folder_of(library);
    let unread = |error| Failure::machine(format!("read {}", folder.display()), error);
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        if path.extension().is_some_and(|found| found == "rlib") {
            let name = path.file_name().unwrap_or_default().into();
            all.push((name, fs::read(&path).map_err(unread)?));
        }
    }
    Ok(Variant::binary(all))
}

/// Adds an end that nobody can expect to a program, so that its size and its sum say nothing.
fn extend(program: &Path) -> io::Result<()> {
    let random = iter::repeat_with(|| fastrand::u8(..)).take(fastrand::usize(64..1024));
    File::options().append(true).open(program)?.write_all(&random.collect::<Vec<_>>())
}

/// The folder of the compiler that `rustc` is, which may be one of several.
fn sysroot() -> Result<PathBuf, Failure> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output();
    match output {
        Ok(output) if output.status.success() => {
            Ok(String::from_utf8_lossy(&output.stdout).trim_end().into())
        }
        _ => {
            let problem = Problem::new("cannot start `rustc`");
            let hint = "is it installed and on the PATH?";
            Err(Failure::new(FailureKind::Machine, problem.hint(hint)))
        }
    }
}

/// Why a file does not compile: the compiler's first error, `FILE:LINE:COLUMN: error[CODE]: MESSAGE`.
fn rejected(file: &TestProgram, outcome: &Outcome) -> Problem {
    if !matches!(outcome.end, End::Exit(_)) {
        return super::stopped();
    }
    let text = String::from_utf8_lossy(&outcome.stderr);
    let mut errors = text.lines().filter_map(|line| line.split_once(": error"));
    let Some((place, (_, message))) =
        errors.find_map(|(place, rest)| Some((place, rest.split_once(": ")?)))
    else {
        return Problem::new("the file does not compile");
    };
    let problem = Problem::new(printable(message));
    let place = place.strip_prefix(&*file.file).and_then(|place| place.strip_prefix(':'));
    let mut numbers = place.unwrap_or_default().split(':').filter_map(|it| it.parse().ok());
    match numbers.next() {
        Some(line) => problem.at(crate::rejection::at(file, line, numbers.next())),
        None => problem,
    }
}
