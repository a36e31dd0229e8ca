//! The seam to what contains hostile programs better than a namespace for processes does: the sandbox, which is above this module.
//!
//! The launcher starts a program that is hostile ([`Runnable::hostile`](crate::run::build::Runnable::hostile)), if the program's
//! [`Work`](crate::run::work::Work) names a launcher. The program then sees the machine's programs, the files that its command line
//! names, and one folder that it may write to.

use crate::files;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

/// Starts programs so that they reach nothing but what they are shown.
pub trait Launcher: Send + Sync {
    /// The command that starts a program, and where its status comes from.
    ///
    /// # Errors
    /// If the machine fails.
    fn launch(&self, launch: &Launch) -> io::Result<Launched>;
}

/// A program to start.
#[derive(Debug)]
pub struct Launch {
    /// The program and its arguments. Without any, it is [`serve_as_porter`](super::serve_as_porter).
    pub words: Vec<OsString>,
    /// Its environment, beside what every program needs.
    pub variables: Vec<(String, OsString)>,
    /// Files and folders that it may read.
    pub shown: Vec<PathBuf>,
    /// The folder in which it runs and may write. Without it, it runs in an empty one that nobody else sees.
    pub work: Option<PathBuf>,
    /// Bytes of address space and of each file, and processes of its user at the same time.
    pub memory: u64,
    pub file_size: u64,
    pub processes: u64,
}

/// A command that starts a program inside of something. Its own status is not the program's.
pub struct Launched {
    pub command: Command,
    /// Where four bytes arrive at the end of the program: its status as the system gives it, or if it cannot be started, the negative
    /// number of the error.
    pub status: OwnedFd,
}

/// Processes of a launched program that are not its own.
pub const EXTRA_PROCESSES: u64 = 4;

/// The status that arrived. If none did, the command was ended, and `own` is its status, unless it `has_ended` by itself.
pub(super) fn status(pipe: OwnedFd, own: ExitStatus, has_ended: bool) -> io::Result<ExitStatus> {
    let mut status = [0; 4];
    match File::from(pipe).read_exact(&mut status) {
        Ok(()) => match i32::from_ne_bytes(status) {
            error if error < 0 => Err(io::Error::from_raw_os_error(error.saturating_neg())),
            status => Ok(ExitStatus::from_raw(status)),
        },
        Err(_) if has_ended => {
            let message = "the sandbox did not start, or was ended by somebody else";
            Err(io::Error::new(NOT_STARTED, message))
        }
        Err(_) => Ok(own),
    }
}

/// Whether the system refused to start the sandbox, which it may not do again.
pub(super) fn has_not_started<T>(run: &io::Result<T>) -> bool {
    run.as_ref().is_err_and(|error| error.kind() == NOT_STARTED)
}

const NOT_STARTED: io::ErrorKind = io::ErrorKind::ConnectionAborted;

/// The program in `words`, where the machine has it, and the files that a command line names: itself, its arguments, and beside a source
/// in Python, the modules that it may import.
pub(in crate::run) fn shown_by(words: &mut [OsString]) -> Vec<PathBuf> {
    let mut shown = Vec::new();
    if let Some(program) = words.first_mut()
        && let Some((path, folders)) = installed_elsewhere(program)
    {
        *program = path.into_os_string();
        shown.extend(folders);
    }
    shown.extend(words.first().and_then(|program| settings(program)));
    for path in words.iter().map(Path::new).filter(|path| path.is_absolute() && path.exists()) {
        shown.push(path.to_owned());
        // The common headers of programs in C++ are compiled.
        let mut compiled = path.as_os_str().to_owned();
        compiled.push(".gch");
        shown.extend(Some(PathBuf::from(compiled)).filter(|compiled| compiled.is_file()));
        if is_python(path) {
            let beside =
                fs::read_dir(path.parent().unwrap_or(path)).into_iter().flatten().flatten();
            let beside = beside.map(|entry| entry.path());
            shown.extend(beside.filter(|it| is_python(it) || it.join("__init__.py").is_file()));
        }
    }
    shown.sort();
    // What lies in a folder that is shown needs no mount, and a link in it cannot be one.
    let mut last: Option<PathBuf> = None;
    shown.retain(|path| {
        let is_inside = last.as_ref().is_some_and(|last| path.starts_with(last));
        if !is_inside {
            last = Some(path.clone());
        }
        !is_inside
    });
    shown
}

fn is_python(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("py"))
}

/// Where a program of the machine really is, and the folders of its installation, unless every program sees that.
fn installed_elsewhere(program: &OsStr) -> Option<(PathBuf, Vec<PathBuf>)> {
    const INTERPRETERS: [&str; 2] = ["python", "java"];
    let path = Path::new(program);
    let name = path.file_name()?.to_string_lossy();
    let is_interpreter = INTERPRETERS.iter().any(|it| name.starts_with(it));
    let found = if path.is_absolute() {
        Some(path.to_owned()).filter(|_| is_interpreter)?
    } else if path.components().count() == 1 {
        files::on_path(&[program])?
    } else {
        return None;
    };
    let real = found.canonicalize().ok()?;
    // An environment of its own has links to another installation.
    let shown: BTreeSet<_> = [&found, &real].into_iter().flat_map(|it| installation(it)).collect();
    let word = if is_interpreter { found } else { real };
    let is_elsewhere = |path: &Path| !path.starts_with("/usr") && !path.starts_with("/bin");
    // What every program sees holds folders that no program may see.
    let shown = shown.into_iter().filter(|path| is_elsewhere(path)).collect();
    is_elsewhere(&word).then_some((word, shown))
}

/// The folder with the settings of Java, where it does not lie in that of its installation.
fn settings(program: &OsStr) -> Option<PathBuf> {
    if !Path::new(program).file_name()?.to_string_lossy().starts_with("java") {
        return None;
    }
    let real = files::on_path(&[program])?.canonicalize().ok()?;
    let settings = real.parent()?.with_file_name("lib").join("jvm.cfg").canonicalize().ok()?;
    settings.parent().map(Path::to_owned)
}

/// The folder above `bin`, in which an interpreter has its libraries, or the program alone.
fn installation(program: &Path) -> Vec<PathBuf> {
    // An environment of Python can be made in the folder of a course.
    const OF_ENVIRONMENT: [&str; 4] = ["pyvenv.cfg", "bin", "lib", "lib64"];
    let folder = files::folder_of(program);
    let above = folder.parent().filter(|_| folder.file_name() == Some(OsStr::new("bin")));
    match above {
        Some(above) if above.join("pyvenv.cfg").is_file() => {
            let parts = OF_ENVIRONMENT.map(|name| above.join(name)).into_iter();
            parts.filter(|part| part.exists()).collect()
        }
        Some(above) if is_installation(above) => vec![above.to_owned()],
        _ => vec![program.to_owned()],
    }
}

fn is_installation(folder: &Path) -> bool {
    // A home folder can have a `bin` too.
    let is_home = std::env::home_dir().is_some_and(|home| home == folder);
    folder.join("lib").is_dir() && !is_home && folder.parent().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn of_an_environment_in_a_folder_with_other_files_only_its_parts_are_shown() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("bin")).unwrap();
        fs::create_dir(path("lib")).unwrap();
        fs::write(path("pyvenv.cfg"), "").unwrap();
        fs::write(path("harness.yaml"), "").unwrap();
        symlink("/usr/bin/env", path("bin/python3")).unwrap();
        let mut words = [path("bin/python3").into_os_string()];
        assert_eq!(shown_by(&mut words), [path("bin"), path("lib"), path("pyvenv.cfg")]);
    }
}
