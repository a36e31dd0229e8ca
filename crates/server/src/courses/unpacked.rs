//! The folders of versions on this machine. Several processes share them.

use super::{broken, short};
use crate::database::{Fault, Result};
use crate::secret;
use harness::files;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// How the names of folders begin that are being unpacked, or removed.
const ASIDE: &str = ".aside-";

/// How long a folder stays that nobody needs. A worker asks for the version in force every few seconds.
const KEPT: Duration = Duration::from_hours(30 * 24);

/// Whether a version is unpacked there. If so, it is noted that somebody needs it.
pub(super) fn is_there(folder: &Path) -> bool {
    let Ok(opened) = File::open(folder) else { return false };
    // The folder may belong to another user, who notes it too.
    let _ = opened.set_modified(SystemTime::now());
    true
}

/// Removes a folder. Whoever still reads it does not see half of it.
pub(super) fn remove(folder: &Path, parent: &Path) -> io::Result<()> {
    let aside = tempfile::Builder::new().prefix(ASIDE).tempdir_in(parent)?;
    fs::rename(folder, aside.path().join("removed"))
}

/// Removes the folders that nobody needed for long.
fn remove_old(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let modified = entry.metadata().and_then(|it| it.modified());
        let age = modified.ok().and_then(|modified| modified.elapsed().ok());
        if age.is_some_and(|age| age > KEPT) {
            // It is only in the way, and the next one tries again.
            let _ = remove(&entry.path(), parent);
        }
    }
}

/// Unpacks an archive beside its place, and then moves it there, so that it is whole or not there.
pub(super) fn unpack(bytes: &[u8], digest: &str, parent: &Path, target: &Path) -> Result<()> {
    let version = short(digest);
    if secret::sha256(bytes) != digest {
        let what = format!("version {version} of the course is damaged in the database");
        return Err(Fault::Broken(what));
    }
    let failed = |error: std::io::Error| {
        Fault::Broken(format!("version {version} of the course cannot be unpacked: {error}"))
    };
    fs::create_dir_all(parent).map_err(failed)?;
    let beside = tempfile::Builder::new().prefix(ASIDE).tempdir_in(parent).map_err(failed)?;
    let new = beside.path().join(digest);
    files::unarchive(bytes, &new).map_err(|failure| broken(digest, "unpacked", &failure))?;
    remove_old(parent);
    match fs::rename(&new, target) {
        // Another process was faster.
        Err(_) if target.is_dir() => Ok(()),
        done => done.map_err(failed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_nobody_needed_for_long_is_removed() {
        let parent = tempfile::tempdir().unwrap();
        let long_ago = SystemTime::now() - KEPT - Duration::from_mins(1);
        for name in ["old", "used"] {
            let folder = parent.path().join(name);
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("harness.yaml"), "").unwrap();
            File::open(folder).unwrap().set_modified(long_ago).unwrap();
        }
        assert!(is_there(&parent.path().join("used")));
        assert!(!is_there(&parent.path().join("missing")));
        remove_old(parent.path());
        let left: Vec<_> = fs::read_dir(parent.path()).unwrap().flatten().collect();
        assert_eq!(left.len(), 1);
        assert_eq!(left[0].file_name(), "used");
    }
}
