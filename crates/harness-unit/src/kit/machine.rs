//! The virtual machine in which the cases of a file in Java run.

use super::archives::class_path;
use super::classes::{packed, read};
use crate::diagnostic::Failure;
use crate::files;
use crate::framework::Framework;
use crate::hash::Digest;
use crate::run::build::{self, Runnable};
use crate::variant::Given;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The program that runs cases, and tests that it can run to warm up: their class, which has others in it, and their names.
const PROGRAM: &str = "Cases";
const EXAMPLE: &str = "Example";
const WARM_UP: [&str; 6] =
    ["passes", "fails[1]", "hasRows[1]", "hasNumbers[1]", "isRepeated[1]", "Inner.isNested"];

/// Compiles a method only when it has been called often. Most are not, since the machine ends soon.
const RARELY: &str = "-XX:CompileThresholdScaling=4";

/// Answers no other process, which could ask for the instructions of the program that is tested.
const ALONE: &str = "-XX:+DisableAttachMechanism";

#[derive(Clone)]
pub(super) struct Machine {
    /// What starts it, without arguments.
    words: Vec<String>,
    /// The files that it reads.
    shown: Vec<PathBuf>,
}

impl Machine {
    pub(super) fn new(
        given: Given<'_>,
        framework: &'static dyn Framework,
        archives: &[PathBuf],
    ) -> Result<Self, Failure> {
        let files = framework.sources().iter();
        let files: Vec<_> = files.map(|(path, text)| (path.into(), (*text).into())).collect();
        let options = ["-cp".to_owned(), class_path(archives)];
        let what = "build what runs the tests";
        let folder = build::classes(given.course, given.assignment, &files, &options, what)?;
        // The machine keeps classes only for this very path, so it must be the same from wherever a course is seen.
        let folder = fs::canonicalize(&folder).unwrap_or(folder);
        let mut words = build::java(given.assignment.run.memory_mb);
        // Some tests use `assert`, which build tools of Java turn on for tests.
        words.push("-ea".to_owned());
        words.push(RARELY.to_owned());
        words.push(ALONE.to_owned());
        let archive = folder.with_extension("jar");
        let all = |first: &Path| [&[first.to_owned()], archives].concat();
        // A course that was moved keeps them again.
        let path = Digest::default().with(class_path(&all(&archive))).hex();
        let kept = folder.with_extension(format!("{}.jsa", &path[..8]));
        // A machine that cannot keep classes loads them each time.
        let first = match keep(&words, &folder, &all(&archive), &kept) {
            Ok(()) => archive,
            Err(_) => folder,
        };
        let mut shown = all(&first);
        if kept.is_file() {
            words.push(format!("-XX:SharedArchiveFile={}", kept.display()));
            shown.push(kept);
        }
        words.extend(["-cp".to_owned(), class_path(&all(&first)), PROGRAM.to_owned()]);
        Ok(Self { words, shown })
    }

    /// What runs with these arguments.
    pub(super) fn runs(&self, args: Vec<String>, folder: PathBuf) -> Runnable {
        let words = self.words.iter().cloned().chain(args).collect();
        Runnable { hostile: Some(self.shown.clone()), ..Runnable::new(words, folder) }
    }
}

/// Keeps the classes of the framework as they are in memory, in the file `kept`, which halves the time until a machine runs tests. It
/// needs the program in `folder` as the first archive of `all`.
fn keep(java: &[String], folder: &Path, all: &[PathBuf], kept: &Path) -> io::Result<()> {
    // Classes are of no use if another process replaces the archive that they are from.
    let lock = File::create(folder.with_extension("lock"))?;
    lock.lock()?;
    if kept.is_file() {
        return Ok(());
    }
    let place = tempfile::Builder::new().tempdir_in(files::folder_of(folder))?;
    let [archive, dump, tests] = ["jar", "jsa", "tests"].map(|name| place.path().join(name));
    let mut jar = Command::new("jar");
    run(jar.arg("--create").arg("--file").arg(&archive).arg("-C").arg(folder).arg("."))?;
    fs::rename(&archive, &all[0])?;
    let mut example = read(folder).map_err(|_| io::ErrorKind::NotFound)?;
    example.retain(|(path, _)| path.to_string_lossy().starts_with(EXAMPLE));
    fs::write(&tests, packed(&example))?;
    let mut machine = Command::new(&java[0]);
    machine.args(&java[1..]).arg(format!("-XX:ArchiveClassesAtExit={}", dump.display()));
    machine.arg("-cp").arg(class_path(all)).arg(PROGRAM).arg(format!("{EXAMPLE}.java"));
    // There is no program to read. One of the tests fails, so the status says nothing.
    let _ = run(machine.arg(&tests).arg("60").args(WARM_UP));
    fs::rename(&dump, kept)
}

fn run(command: &mut Command) -> io::Result<()> {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status?.success().then_some(()).ok_or_else(|| io::ErrorKind::Other.into())
}
