//! Building the variants of an assignment.
//!
//! Cargo builds a crate, in target folders of the harness's own. It is called every time, because it knows what is out of date. The
//! commands of the course file build any other program.

pub mod built;
mod language;
mod mirror;

use crate::course::{Assignment, Commands, Course, Package, Program};
use crate::files;
use crate::problem::{Exit, Failure, Problem};
use mirror::Mirror;
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A program that can be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant<'a> {
    /// The correct program.
    Reference,
    /// One program with every mutant, selected for each run.
    Combined,
    /// The reference with one bug.
    Mutant(&'a str),
    /// The combined build, started as a process with this mutant selected.
    Selected(&'a str),
    /// The reference with one bug, compiled without optimization, in the target folder of this number. Builds with different numbers run in parallel.
    Unoptimized(&'a str, usize),
}

impl Variant<'_> {
    fn selected(self) -> Option<String> {
        match self {
            Self::Selected(id) => Some(id.to_owned()),
            _ => None,
        }
    }
}

/// A command line that runs a variant; the arguments of a case are appended.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Runnable {
    pub words: Vec<String>,
    /// The folder that it runs in.
    pub folder: PathBuf,
    /// The mutant that a combined build selects if it is started as a process.
    pub mutant: Option<String>,
}

impl Runnable {
    pub fn new(words: Vec<String>, folder: PathBuf) -> Self {
        Self { words, folder, mutant: None }
    }
}

/// Builds `variant` of `assignment`.
///
/// # Errors
/// If the build fails: with what it printed.
pub fn build(
    course: &Course,
    assignment: &Assignment,
    variant: Variant<'_>,
) -> Result<Runnable, Failure> {
    match (&assignment.program, variant) {
        (Program::Cargo(package), _) => build_crate(course, assignment, package, variant),
        (Program::Sources(sources), _) => language::build(course, assignment, sources, variant),
        (Program::Commands { mutant, .. }, Variant::Mutant(id) | Variant::Unoptimized(id, _)) => {
            build_by_command(course, assignment, mutant, id)
        }
        (Program::Commands { reference, .. }, _) => {
            build_by_command(course, assignment, reference, "reference")
        }
    }
}

/// Builds all of `variants` at the same time.
///
/// # Errors
/// With the failure of the first variant whose build fails.
pub fn all(
    course: &Course,
    variants: &[(&Assignment, Variant<'_>)],
) -> Result<Vec<Runnable>, Failure> {
    std::thread::scope(|scope| {
        let builds: Vec<_> = variants
            .iter()
            .map(|&(assignment, variant)| scope.spawn(move || build(course, assignment, variant)))
            .collect();
        builds.into_iter().map(|build| build.join().expect("a build does not panic")).collect()
    })
}

/// What makes a release build fast to build. Assertions and overflow checks stay as in any release build.
const FAST_TO_BUILD: [&str; 2] =
    ["profile.release.opt-level=0", "profile.release.codegen-units=16"];

fn build_crate(
    course: &Course,
    assignment: &Assignment,
    package: &Package,
    variant: Variant<'_>,
) -> Result<Runnable, Failure> {
    let folder = target_folder(course, assignment);
    // The reference and the combined build each have a target folder, so that they build at the same time and stay where they are.
    // There are many mutants, so they share one.
    let (target, is_shared) = match variant {
        Variant::Reference => (folder.join("reference"), false),
        Variant::Combined | Variant::Selected(_) => (folder.join("combined"), false),
        Variant::Mutant(_) => (folder.join("mutants"), true),
        Variant::Unoptimized(_, number) => (folder.join(format!("unoptimized-{number}")), true),
    };
    let _lock = is_shared.then(|| lock(&target)).transpose()?;
    let what = format!("build the {} of `{}`", describe(variant), assignment.id);
    let mirror = Mirror::if_read_only(&what, &target)?;
    let into = mirror.as_ref().map_or(target.as_path(), Mirror::path);
    let mut command = cargo_build(package, variant, into);
    let output = command.output().map_err(|error| {
        let problem = Problem::new(format!("cannot start `cargo`: {error}"));
        Failure::new(
            Exit::Machine,
            problem.hint("`harness doctor` lists what is missing and how to install it"),
        )
    })?;
    if !output.status.success() {
        return Err(failed(&what, &target, &output.stderr));
    }
    let mut program = executable(&output.stdout).ok_or_else(|| {
        Failure::broken_course(
            Problem::new(format!("{} has no program", package.folder.display()))
                .hint("the crate needs a `src/main.rs`"),
        )
    })?;
    if let Some(mirror) = mirror {
        program = mirror.original(&what, &program)?;
    }
    if let Variant::Mutant(id) | Variant::Unoptimized(id, _) = variant {
        let aside = target.join("built").join(id);
        copy_if_newer(&program, &aside)
            .map_err(|error| Failure::machine(format!("write {}", aside.display()), error))?;
        program = aside;
    }
    let mut runnable = Runnable::new(vec![program.display().to_string()], course.folder.clone());
    runnable.mutant = variant.selected();
    Ok(runnable)
}

/// The command that builds `variant` in the folder `target`.
fn cargo_build(package: &Package, variant: Variant<'_>, target: &Path) -> Command {
    let mut command = cargo();
    command
        .args(["build", "--release", "--message-format=json-render-diagnostics", "--manifest-path"])
        .arg(package.folder.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target);
    if let Some(binary) = &package.binary {
        command.args(["--bin", binary]);
    }
    let features: Vec<_> = package.features.iter().map(String::as_str).collect();
    match variant {
        Variant::Reference => command.args(["--features", &features.join(",")]),
        Variant::Combined | Variant::Selected(_) => command.arg("--all-features"),
        Variant::Mutant(id) | Variant::Unoptimized(id, _) => {
            command.args(["--features", &[&features[..], &[id]].concat().join(",")])
        }
    };
    if let Variant::Unoptimized(..) = variant {
        command.args(FAST_TO_BUILD.map(|option| ["--config", option]).as_flattened());
    }
    command
}

/// Locks the shared target folder. No other process may build between a build and the copying of its program.
fn lock(target: &Path) -> Result<fs::File, Failure> {
    let locked = fs::create_dir_all(target)
        .and_then(|()| fs::File::create(target.join("harness.lock")))
        .and_then(|file| {
            file.lock()?;
            Ok(file)
        });
    locked.map_err(|error| unwritable(&format!("lock {}", target.display()), target, &error))
}

fn build_by_command(
    course: &Course,
    assignment: &Assignment,
    commands: &Commands,
    id: &str,
) -> Result<Runnable, Failure> {
    let folder = target_folder(course, assignment);
    let output_file = folder.join(id);
    let filled = |words: &[String]| -> Vec<String> {
        words.iter().map(|word| fill(word, id, &output_file)).collect()
    };
    if let [program, args @ ..] = filled(&commands.build).as_slice() {
        let what = format!("build `{id}` of `{}`", assignment.id);
        fs::create_dir_all(&folder).map_err(|error| unwritable(&what, &folder, &error))?;
        let output = run(Command::new(program).args(args).current_dir(&course.folder), program)?;
        if !output.status.success() {
            let printed = if output.stderr.is_empty() { &output.stdout } else { &output.stderr };
            return Err(failed(&what, &folder, printed));
        }
    }
    match filled(&commands.run) {
        words if words.is_empty() => {
            Err(Failure::usage(Problem::new(format!("`{}` has no `run:` command", assignment.id))))
        }
        words => Ok(Runnable::new(words, course.folder.clone())),
    }
}

/// Replaces `{mutant}` by the id, `{macro}` by the id as the name of a C macro, and `{output}` by a file that belongs to this variant.
fn fill(word: &str, id: &str, output: &Path) -> String {
    let macro_name = id.to_uppercase().replace('-', "_");
    word.replace("{mutant}", id)
        .replace("{macro}", &macro_name)
        .replace("{output}", &output.display().to_string())
}

fn target_folder(course: &Course, assignment: &Assignment) -> PathBuf {
    let folder = course.folder.canonicalize().unwrap_or_else(|_| course.folder.clone());
    folder.join("target").join("harness").join(&assignment.id)
}

/// The Cargo that started this process, or the one on the PATH.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
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
    if printed.contains("No space left on device") {
        return unwritable(what, target, &Errno::NOSPC.into());
    }
    Failure::broken_course(Problem::new(format!("cannot {what}\n{}", printed.trim_end())))
}

/// The failure to do `what` because `target` cannot be written.
fn unwritable(what: &str, target: &Path, error: &io::Error) -> Failure {
    let message = format!("cannot {what}: cannot write into {}: {error}", target.display());
    let hint = match error.kind() {
        io::ErrorKind::StorageFull => {
            "make room on that disk; `harness doctor` shows how much there is"
        }
        _ => {
            "make that folder writable, or copy the course to one that is; `harness doctor` checks it"
        }
    };
    Failure::new(Exit::Machine, Problem::new(message).hint(hint))
}

fn executable(messages: &[u8]) -> Option<PathBuf> {
    #[derive(Deserialize)]
    struct Message {
        executable: Option<PathBuf>,
    }
    let lines = messages.split(|&byte| byte == b'\n');
    lines
        .filter_map(|line| serde_json::from_slice::<Message>(line).ok())
        .find_map(|message| message.executable)
}

fn describe(variant: Variant<'_>) -> String {
    match variant {
        Variant::Reference => "reference".to_owned(),
        Variant::Combined | Variant::Selected(_) => "combined build".to_owned(),
        Variant::Mutant(id) | Variant::Unoptimized(id, _) => format!("mutant `{id}`"),
    }
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
