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
    let problem = Problem::new(format!("cannot {what}\n{}", printed.trim_end()));
    Failure::broken_course(problem.maybe_hint(hint(&printed).map(str::to_owned)))
}

/// What to do about the errors that a compiler printed, if they are ones that a course often has.
fn hint(printed: &str) -> Option<&'static str> {
    let names_bug = |line: &str| ["‘BUG’", "'BUG'", "`BUG'"].iter().any(|it| line.contains(it));
    let is_unknown = |line: &str| line.contains("declar") || line.contains("undefined reference");
    if printed.lines().any(|line| names_bug(line) && is_unknown(line)) {
        return Some("write `#include \"subject.h\"` at the top of the source: it declares `BUG`");
    }
    let options = ["unrecognized command-line option", "unknown argument"];
    let is_option = options.iter().any(|it| printed.contains(it));
    is_option.then_some("correct the option where the course sets it, such as in `flags`")
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

#[cfg(test)]
mod tests {
    use super::hint;

    #[test]
    fn a_missing_header_and_a_wrong_option_have_a_hint() {
        for printed in [
            "a.cpp:2:24: error: ‘BUG’ was not declared in this scope",
            "a.cpp:2:24: error: use of undeclared identifier 'BUG'",
            "a.c:2:24: warning: implicit declaration of function ‘BUG’",
            "a.c:(.text+0x9): undefined reference to `BUG'",
        ] {
            assert!(hint(printed).unwrap().contains("subject.h"), "{printed}");
        }
        for printed in [
            "c++: error: unrecognized command-line option ‘-std=c++71’",
            "clang: error: unknown argument: '-std'",
        ] {
            assert!(hint(printed).unwrap().contains("correct the option"), "{printed}");
        }
        assert_eq!(hint("a.cpp:2:24: error: ‘BUGS’ was not declared in this scope"), None);
        assert_eq!(hint("a.cpp:2:24: error: expected ‘;’ before ‘BUG’"), None);
    }
}
