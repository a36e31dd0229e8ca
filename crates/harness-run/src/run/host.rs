//! What is loaded beside a program so that it serves cases: the host for executables, and the workers for Python and Java.
//!
//! All come with the harness. The course's own compilers build the host and the Java worker once for each course.
//!
//! Each run has an empty folder of its own, or one with nothing but the files of its case, and never runs in the folder of the course.
//! The host and the Python worker give a folder to the next run only if it is as empty as a new one. In the snapshot engine and the
//! Python worker's own process, a program that writes files is unfit, so that those runs can share an empty folder. What the host
//! answers itself (`crates/subject/c/calls.c`, `signals.c`, `files.c`) it answers as the system would; for everything else the program
//! is unfit. A set in Python has the same order in every run, because `PYTHONHASHSEED` is 0.

use crate::files;
use crate::hash::fnv1a;
use crate::run::build::QUICK;
use crate::run::interpreter;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::SystemTime;

/// The files of the host. The first one includes the others.
const HOST: [(&str, &str); 12] = [
    ("host.c", include_str!("../../../subject/c/host.c")),
    ("host.h", include_str!("../../../subject/c/host.h")),
    ("row.c", include_str!("../../../subject/c/row.c")),
    ("heap.c", include_str!("../../../subject/c/heap.c")),
    ("calls.c", include_str!("../../../subject/c/calls.c")),
    ("signals.c", include_str!("../../../subject/c/signals.c")),
    ("files.c", include_str!("../../../subject/c/files.c")),
    ("trap.c", include_str!("../../../subject/c/trap.c")),
    ("snapshot.c", include_str!("../../../subject/c/snapshot.c")),
    ("ending.c", include_str!("../../../subject/c/ending.c")),
    ("watch.c", include_str!("../../../subject/c/watch.c")),
    ("fork.c", include_str!("../../../subject/c/fork.c")),
];
/// The files of the Python worker. The last one starts it.
const PYTHON_WORKER: [(&str, &str); 12] = [
    ("depth.py", include_str!("../../../subject/python/worker/depth.py")),
    ("folder.py", include_str!("../../../subject/python/worker/folder.py")),
    ("fork.py", include_str!("../../../subject/python/worker/fork.py")),
    ("guard.py", include_str!("../../../subject/python/worker/guard.py")),
    ("process.py", include_str!("../../../subject/python/worker/process.py")),
    ("program.py", include_str!("../../../subject/python/worker/program.py")),
    ("run.py", include_str!("../../../subject/python/worker/run.py")),
    ("steps.py", include_str!("../../../subject/python/worker/steps.py")),
    ("streams.py", include_str!("../../../subject/python/worker/streams.py")),
    ("supervisor.py", include_str!("../../../subject/python/worker/supervisor.py")),
    ("wire.py", include_str!("../../../subject/python/worker/wire.py")),
    ("__main__.py", include_str!("../../../subject/python/worker/__main__.py")),
];
/// The files of the Java worker. The first one starts it.
const JAVA_WORKER: [(&str, &str); 2] = [
    ("SubjectWorker.java", include_str!("../../../subject/java/worker/SubjectWorker.java")),
    ("Bug.java", include_str!("../../../subject/java/worker/Bug.java")),
];
/// The option of `java` by which the Java worker may see what a program does.
pub(super) const WATCHING: &str = "-Djava.security.manager=allow";

/// What was made before, by its file, whose name tells what it is made from. An error says why the host cannot be used. Work that needs
/// the same file waits until it is made.
static MADE: Mutex<BTreeMap<PathBuf, Result<(), String>>> = Mutex::new(BTreeMap::new());

/// A hash of all sources.
pub(super) fn fingerprint() -> u64 {
    static FINGERPRINT: LazyLock<u64> = LazyLock::new(|| {
        let hashes = [hash(&HOST), hash(&PYTHON_WORKER), hash(&JAVA_WORKER)];
        hashes.into_iter().fold(0, |all, one| u64::rotate_left(all, 7) ^ one)
    });
    *FINGERPRINT
}

fn hash(sources: &[(&str, &str)]) -> u64 {
    sources.iter().fold(0, |all, (_, text)| u64::rotate_left(all, 7) ^ fnv1a(text.as_bytes()))
}

/// The host as a shared object in `folder`, compiled unless that was done before.
///
/// # Errors
/// With the reason why there is none.
pub(super) fn shared_object(folder: &Path) -> Result<PathBuf, String> {
    let compiler = files::on_path(&["cc"]).ok_or("there is no C compiler `cc`")?;
    let file = folder.join(format!("libhost-{:016x}.so", made_of(&HOST, &compiler)));
    make(&file, || compile(&compiler, folder, &file))?;
    Ok(file)
}

/// The file in `folder` that starts the Python worker. The other files of the worker lie beside it.
///
/// # Errors
/// With the reason why they cannot be written.
pub(super) fn python_worker(folder: &Path) -> Result<PathBuf, String> {
    let folder = folder.join(format!("python-{:016x}", hash(&PYTHON_WORKER)));
    let start = folder.join(PYTHON_WORKER[PYTHON_WORKER.len() - 1].0);
    make(&start, || {
        let write = || {
            fs::create_dir_all(&folder)?;
            let mut sources = PYTHON_WORKER.iter();
            sources.try_for_each(|(name, text)| files::replace(&folder.join(name), text.as_bytes()))
        };
        write().map_err(|error| format!("cannot write {}: {error}", folder.display()))
    })?;
    Ok(start)
}

/// The folder in `folder` with the classes of the Java worker, compiled unless that was done before.
///
/// # Errors
/// With the reason why there are none.
pub(super) fn java_worker(folder: &Path) -> Result<PathBuf, String> {
    let compiler = files::on_path(&["javac"]).ok_or("there is no compiler `javac`")?;
    let classes = folder.join(format!("java-{:016x}", made_of(&JAVA_WORKER, &compiler)));
    let start = classes.join("SubjectWorker.class");
    make(&start, || {
        let failed = |error: &dyn std::fmt::Display| format!("cannot compile the worker: {error}");
        let version =
            Command::new(interpreter::resolved("java")).args([WATCHING, "-version"]).output();
        if !version.map_err(|error| failed(&error))?.status.success() {
            return Err("this version of Java has no security manager".to_owned());
        }
        let compile = || {
            let sources = files::temporary_folder()?;
            write(sources.path(), &JAVA_WORKER)?;
            let mut command = Command::new(&compiler);
            command.args(QUICK).args(["-encoding", "UTF-8", "-d", "."]);
            command.args(JAVA_WORKER.map(|(name, _)| name));
            let output = command.current_dir(sources.path()).output()?;
            // The class that starts the worker comes last, so that nobody starts half of it.
            let mut made = built(sources.path())?;
            made.sort_by_key(|path| path.file_name() == start.file_name());
            fs::create_dir_all(&classes)?;
            for path in made {
                let name = path.file_name().unwrap_or_default();
                files::replace(&classes.join(name), &fs::read(&path)?)?;
            }
            Ok::<_, io::Error>(output)
        };
        succeeded(&compile().map_err(|error| failed(&error))?, failed)
    })?;
    Ok(classes)
}

/// The classes in `folder`.
fn built(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let is_class = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "class");
    Ok(entries.iter().map(fs::DirEntry::path).filter(is_class).collect())
}

/// A hash of these sources and of what compiles them.
fn made_of(sources: &[(&str, &str)], compiler: &Path) -> u64 {
    let changed = fs::metadata(compiler).and_then(|file| file.modified());
    let changed = changed.unwrap_or(SystemTime::UNIX_EPOCH);
    fnv1a(format!("{:x} {} {changed:?}", hash(sources), compiler.display()).as_bytes())
}

fn write(folder: &Path, sources: &[(&str, &str)]) -> io::Result<()> {
    sources.iter().try_for_each(|(name, text)| fs::write(folder.join(name), text))
}

/// An error with the first line that a compiler said, if it failed.
fn succeeded(
    output: &Output,
    failed: impl Fn(&dyn std::fmt::Display) -> String,
) -> Result<(), String> {
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(failed(&said.lines().next().unwrap_or("the compiler failed")))
}

/// Makes `file`, unless it exists or that has failed before.
fn make(file: &Path, make: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let known = made.get(file).cloned();
    let result = known.unwrap_or_else(|| if file.is_file() { Ok(()) } else { make() });
    made.insert(file.to_owned(), result.clone());
    result
}

/// Compiles the host into another file and renames it, so that nobody loads half of it.
fn compile(compiler: &Path, folder: &Path, file: &Path) -> Result<(), String> {
    let failed = |error: &dyn std::fmt::Display| format!("cannot compile the host: {error}");
    let attempt = || {
        fs::create_dir_all(folder)?;
        let sources = files::temporary_folder()?;
        write(sources.path(), &HOST)?;
        let unfinished = files::begin(file)?;
        let mut command = Command::new(compiler);
        command.args(["-shared", "-fPIC", "-O2", "-o"]).arg(unfinished.path());
        let output = command.arg("host.c").current_dir(sources.path()).output()?;
        if output.status.success() {
            unfinished.persist(file)?;
        }
        Ok::<_, io::Error>(output)
    };
    succeeded(&attempt().map_err(|error| failed(&error))?, failed)
}
