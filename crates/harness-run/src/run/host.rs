//! What is loaded beside a program so that it serves cases: the host for executables, and the worker for Python.
//!
//! Both come with the harness. The course's own compiler builds the host once for each course.
//!
//! Each run has an empty folder of its own, or one with nothing but the files of its case, and never runs in the folder of the course.
//! The host and the Python worker give a folder to the next run only if it is as empty as a new one. In the snapshot engine and the
//! Python worker's own process, a program that writes files is unfit, so that those runs can share an empty folder. What the host
//! answers itself (`crates/subject/c/calls.c`, `signals.c`, `files.c`) it answers as the system would; for everything else the program
//! is unfit. A set in Python has the same order in every run, because `PYTHONHASHSEED` is 0.

use crate::files;
use crate::hash::fnv1a;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::SystemTime;

/// The files of the host. The first one includes the others.
const HOST: [(&str, &str); 11] = [
    ("host.c", include_str!("../../../subject/c/host.c")),
    ("host.h", include_str!("../../../subject/c/host.h")),
    ("row.c", include_str!("../../../subject/c/row.c")),
    ("heap.c", include_str!("../../../subject/c/heap.c")),
    ("calls.c", include_str!("../../../subject/c/calls.c")),
    ("signals.c", include_str!("../../../subject/c/signals.c")),
    ("files.c", include_str!("../../../subject/c/files.c")),
    ("trap.c", include_str!("../../../subject/c/trap.c")),
    ("snapshot.c", include_str!("../../../subject/c/snapshot.c")),
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
const COMPILER: &str = "cc";

/// What was made before, by its file, whose name tells what it is made from. An error says why the host cannot be used. Work that needs
/// the same file waits until it is made.
static MADE: Mutex<BTreeMap<PathBuf, Result<(), String>>> = Mutex::new(BTreeMap::new());

/// A hash of both sources.
pub(super) fn fingerprint() -> u64 {
    static FINGERPRINT: LazyLock<u64> =
        LazyLock::new(|| hash(&HOST).rotate_left(7) ^ hash(&PYTHON_WORKER));
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
    let compiler = compiler().ok_or_else(|| format!("there is no C compiler `{COMPILER}`"))?;
    let changed = fs::metadata(&compiler).and_then(|file| file.modified());
    let changed = changed.unwrap_or(SystemTime::UNIX_EPOCH);
    let made_of = format!("{:x} {} {changed:?}", fingerprint(), compiler.display());
    let file = folder.join(format!("libhost-{:016x}.so", fnv1a(made_of.as_bytes())));
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
        for (name, text) in HOST {
            fs::write(sources.path().join(name), text)?;
        }
        let unfinished = files::begin(file)?;
        let mut command = Command::new(compiler);
        command.args(["-shared", "-fPIC", "-O2", "-o"]).arg(unfinished.path());
        let output = command.arg("host.c").current_dir(sources.path()).output()?;
        if output.status.success() {
            unfinished.persist(file)?;
        }
        Ok::<_, std::io::Error>(output)
    };
    let output = attempt().map_err(|error| failed(&error))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        Ok(())
    } else {
        Err(failed(&said.lines().next().unwrap_or("the compiler failed")))
    }
}

/// The C compiler on the PATH.
fn compiler() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(COMPILER)).find(|file| file.is_file())
}
