//! Building a crate, in target folders of the harness's own.
//!
//! The reference builds of all assignments share a target folder, and so do the combined builds, so that what the crates have in common
//! is compiled once. Cargo locks a target folder, so builds in one folder follow each other. Every program is copied to
//! `target/harness/<assignment>/bin/`. Isolated mutants share a folder of each assignment. Unoptimized ones, for `mutants verify`, share
//! a folder for each core, so that as many are built at the same time.

use super::altered::Altered;
use super::cargo_traces::{self, Messages};
use super::mirror::Mirror;
use super::record::{Place, Recipe, Traces};
use super::surroundings::Surroundings;
use super::{Runnable, Variant, failed, target_folder, with_ending};
use crate::course::{Assignment, Course, Package};
use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::files;
use crate::hash::Digest;
use crate::run::prepare;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the library of a crate checks when `cargo test` builds it, which tests can tell.
const AS_IN_TESTS: [&str; 2] =
    ["profile.release.overflow-checks=true", "profile.release.debug-assertions=true"];

/// What makes a release build fast to build. Assertions and overflow checks stay as in any release build.
const FAST_TO_BUILD: [&str; 2] = ["profile.release.opt-level=0", "profile.release.codegen-units=1"];

/// The Cargo that started this process, or the one on the PATH.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

pub(super) fn build(
    course: &Course,
    assignment: &Assignment,
    package: &Package,
    variant: Variant<'_>,
) -> Result<Runnable, Failure> {
    let build = Build::new(course, assignment, package, variant);
    let recipe = build.recipe();
    let root = super::root(course);
    let file = with_ending(&build.program, ".json");
    let place = Place { file, course: &root, lock: build.target.join("harness.lock") };
    if !place.is_current(&recipe) {
        match Mirror::if_read_only(&build.what, &build.target)? {
            Some(mirror) => build.run(Some(&mirror)).map(drop)?,
            None => place.build(&build.what, &recipe, || build.run(None))?,
        }
    }
    let words = vec![build.program.display().to_string()];
    Ok(Runnable::new(words, course.folder.clone()))
}

/// Builds the library of a crate with more settings of its release profile, and gives it. Libraries that it needs lie beside it. `files`
/// have paths in the crate, and other texts than there, first that of the library.
pub(super) fn library(
    course: &Course,
    assignment: &Assignment,
    package: &Package,
    variant: Variant<'_>,
    settings: &[&str],
    files: &[(PathBuf, String)],
) -> Result<PathBuf, Failure> {
    let mut build = Build::new(course, assignment, package, variant);
    build.target = target_folder(course, assignment).join("libraries");
    if !files.is_empty() {
        build.what = format!("build what tells the lines of `{}`", assignment.id);
        let place = build.target.join("altered");
        build.altered = Some(Altered { package: &package.folder, files, place });
    }
    build.settings = Some(settings.iter().map(|it| format!("profile.release.{it}")).collect());
    let digest = Digest::default().with(package.folder.as_os_str().as_encoded_bytes());
    let digest = digest.with(format!("{:?} {}", build.options(), build.altered.is_some()));
    build.program = build.target.join("built").join(&digest.hex()[..32]).join("libtested.rlib");
    let root = super::root(course);
    let file = with_ending(&build.program, ".json");
    let place = Place { file, course: &root, lock: build.target.join("harness.lock") };
    place.build(&build.what, &build.recipe(), || build.run(None))?;
    Ok(build.program)
}

/// One call of Cargo.
struct Build<'a> {
    what: String,
    /// Settings of the profile, if it is the library of the crate.
    settings: Option<Vec<String>>,
    package: &'a Package,
    variant: Variant<'a>,
    altered: Option<Altered<'a>>,
    /// Cargo's target folder.
    target: PathBuf,
    /// The copy of the program.
    program: PathBuf,
}

impl<'a> Build<'a> {
    fn new(
        course: &Course,
        assignment: &Assignment,
        package: &'a Package,
        variant: Variant<'a>,
    ) -> Self {
        let own = target_folder(course, assignment);
        let (target, program) = match variant {
            Variant::Reference => {
                (shared(course, assignment, "reference"), own.join("bin/reference"))
            }
            Variant::Combined | Variant::Selected(_) => {
                (shared(course, assignment, "combined"), own.join("bin/combined"))
            }
            Variant::Mutant(id) => {
                let target = own.join("mutants");
                let program = target.join("built").join(id);
                (target, program)
            }
            Variant::Unoptimized(id, number) => {
                let target = own.join(format!("unoptimized-{number}"));
                let program = target.join("built").join(id);
                (target, program)
            }
        };
        let what = format!("build the {} of `{}`", variant.describe(), assignment.id);
        Self { what, settings: None, package, variant, altered: None, target, program }
    }

    /// The options that choose what is built.
    fn options(&self) -> Vec<String> {
        let mut options = Vec::new();
        if let Some(settings) = &self.settings {
            options.push("--lib".to_owned());
            let settings = AS_IN_TESTS.into_iter().chain(settings.iter().map(String::as_str));
            options.extend(settings.flat_map(|it| ["--config".to_owned(), it.to_owned()]));
        } else if let Some(binary) = &self.package.binary {
            options.extend(["--bin".to_owned(), binary.clone()]);
        }
        let features = |more: &[&str]| {
            let features = self.package.features.iter().map(String::as_str);
            [
                "--features".to_owned(),
                features.chain(more.iter().copied()).collect::<Vec<_>>().join(","),
            ]
        };
        match self.variant {
            Variant::Reference => options.extend(features(&[])),
            Variant::Combined | Variant::Selected(_) => options.push("--all-features".to_owned()),
            Variant::Mutant(id) | Variant::Unoptimized(id, _) => options.extend(features(&[id])),
        }
        if let Variant::Unoptimized(..) = self.variant {
            let settings = FAST_TO_BUILD.iter().flat_map(|setting| ["--config", setting]);
            options.extend(settings.map(str::to_owned));
        }
        options
    }

    fn recipe(&self) -> Recipe {
        let package = &self.package.folder;
        let package = package.canonicalize().unwrap_or_else(|_| package.clone());
        Recipe::new(&("cargo", self.options()), Surroundings::of_cargo(&package))
    }

    /// Calls Cargo, and copies the program to its place.
    fn run(&self, mirror: Option<&Mirror>) -> Result<Traces, Failure> {
        let manifest = self.package.folder.join("Cargo.toml");
        let before = cargo_traces::lock_files(&manifest);
        let messages = self.call(&manifest, mirror.map_or(self.target.as_path(), Mirror::path))?;
        let (found, needed) = match self.settings {
            Some(_) => messages.libraries(&manifest).unzip(),
            None => (messages.program(), None),
        };
        let mut built = found.ok_or_else(|| self.nothing())?;
        if let Some(mirror) = mirror {
            built = mirror.original(&self.what, &built)?;
        }
        let mut traces = messages.traces(&manifest, &built, &self.target);
        // Cargo finds out what of an altered crate has changed.
        traces.is_open |= self.altered.is_some();
        let mut copies = vec![(built, self.program.clone())];
        for library in needed.into_iter().flatten() {
            let copy = self.program.with_file_name(library.file_name().unwrap_or_default());
            copies.push((library, copy));
        }
        for (built, copy) in copies {
            copy_if_newer(&built, &copy)
                .map_err(|error| super::unwritable(&self.what, &self.target, &error))?;
            traces.outputs.insert(copy);
        }
        let after = cargo_traces::lock_files(&manifest).into_iter();
        traces.written.extend(after.filter(|lock| !before.contains(lock)));
        Ok(traces)
    }

    fn nothing(&self) -> Failure {
        let [what, file] = match self.settings {
            Some(_) => ["library", "src/lib.rs"],
            None => ["program", "src/main.rs"],
        };
        let problem = Problem::new(format!("{} has no {what}", self.package.folder.display()));
        Failure::broken_course(problem.hint(format!("the crate needs a `{file}`")))
    }

    fn call(&self, manifest: &Path, target: &Path) -> Result<Messages, Failure> {
        let mut command = cargo();
        command
            .args(["build", "--release", "--message-format=json-render-diagnostics"])
            .arg("--manifest-path")
            .arg(manifest)
            .arg("--target-dir")
            .arg(target)
            .args(self.options());
        if let Some(altered) = &self.altered {
            altered
                .apply(&mut command)
                .map_err(|error| super::unwritable(&self.what, &self.target, &error))?;
        }
        let output = command.output().map_err(|error| {
            let problem = Problem::new(format!("cannot start `cargo`: {error}"));
            Failure::new(
                FailureKind::Machine,
                problem.hint("`harness doctor` lists what is missing and how to install it"),
            )
        })?;
        if output.status.success() {
            Ok(Messages::read(&output.stdout))
        } else {
            Err(failed(&self.what, &self.target, &output.stderr))
        }
    }
}

/// The target folder that builds of this kind share. There are enough of them that all cores are busy: one for two cores, because
/// references and combined builds are built at the same time.
fn shared(course: &Course, assignment: &Assignment, kind: &str) -> PathBuf {
    let folders = (prepare::jobs(None) / 2).max(1);
    let number = course.assignments.iter().position(|other| other.id == assignment.id);
    let folder = format!("{kind}-{}", number.unwrap_or(0) % folders);
    super::root(course).join("target").join("harness-cargo").join(folder)
}

/// Copies `from` to `to`, unless that was done before. A program that is running is replaced, not overwritten.
fn copy_if_newer(from: &Path, to: &Path) -> io::Result<()> {
    let made = |path: &Path| {
        fs::metadata(path).and_then(|metadata| Ok((metadata.modified()?, metadata.len())))
    };
    let source = made(from)?;
    if made(to).is_ok_and(|copy| copy == source) {
        return Ok(());
    }
    let folder = to.parent().expect("a copy is in a folder");
    fs::create_dir_all(folder)?;
    let unfinished = files::begin(to)?;
    fs::copy(from, unfinished.path())?;
    fs::File::options().write(true).open(unfinished.path())?.set_modified(source.0)?;
    unfinished.persist(to)?;
    Ok(())
}
