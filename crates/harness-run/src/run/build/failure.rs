//! Why a build failed.

use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::files;
use rustix::io::Errno;
use std::env;
use std::io;
use std::path::{Path, PathBuf};

/// The failure to do `what` for which the builder wrote into `target` and `printed` its errors. It is the course's fault, unless the
/// disk is read-only or full.
pub(super) fn failed(what: &str, target: &Path, printed: &[u8]) -> Failure {
    let printed = String::from_utf8_lossy(printed);
    if let Err(error) = files::check_writable(target) {
        return unwritable(what, target, &error);
    }
    if let Some((folder, error)) = full_disk(target, &printed) {
        return unwritable(what, &folder, &error);
    }
    Failure::broken_course(Problem::new(format!("cannot {what}\n{}", printed.trim_end())))
}

/// The full disk that made a tool print this, if one did. A linker does not say so: it writes through a mapping, and crashes.
fn full_disk(target: &Path, printed: &str) -> Option<(PathBuf, io::Error)> {
    const LITTLE: u64 = 64 << 20;
    let says = |any: &[&str]| any.iter().any(|text| printed.contains(text));
    let is_over_quota = says(&["Disk quota exceeded"]);
    let is_full = says(&["No space left on device"]);
    let crashed = says(&["Bus error", "signal 7", "SIGBUS", "signal: 7"]);
    let free = |folder: &PathBuf| {
        let disk = rustix::fs::statvfs(files::nearest_existing(folder)).ok()?;
        Some((disk.f_bavail * disk.f_frsize, folder.clone()))
    };
    // A compiler also writes into the folder for temporary files.
    let folders = [target.to_owned(), env::temp_dir()];
    let (left, folder) = folders.iter().filter_map(free).min_by_key(|(left, _)| *left)?;
    let folder = if is_over_quota { target.to_owned() } else { folder };
    let error = if is_over_quota { Errno::DQUOT } else { Errno::NOSPC };
    (is_over_quota || is_full || crashed && left < LITTLE).then(|| (folder, error.into()))
}

/// The failure to do `what` because `target` cannot be written.
pub(super) fn unwritable(what: &str, target: &Path, error: &io::Error) -> Failure {
    let message = format!("cannot {what}: cannot write into {}: {error}", target.display());
    let hint = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "make room on that disk; `harness doctor` shows how much there is"
        }
        _ => {
            "make that folder writable, or copy the course to one that is; `harness doctor` checks it"
        }
    };
    Failure::new(FailureKind::Machine, Problem::new(message).hint(hint))
}
