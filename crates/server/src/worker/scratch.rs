//! Where the archives of submissions are while they are graded: a folder that only this user can read, named by nothing that a student
//! typed. It is locked, so that a later worker can tell and remove what one left behind that was killed.

use rustix::fs::{FlockOperation, flock};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const PREFIX: &str = "harness-worker-";

const LOCK: &str = "lock";

/// The folder, until it is dropped.
pub(super) struct Scratch {
    folder: TempDir,
    _lock: File,
}

/// An archive, until it is dropped.
pub(super) struct Archive(PathBuf);

impl Scratch {
    pub(super) fn new() -> io::Result<Self> {
        Self::within(&std::env::temp_dir())
    }

    fn within(parent: &Path) -> io::Result<Self> {
        remove_abandoned(parent);
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        let lock = File::create(folder.path().join(LOCK))?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        Ok(Self { folder, _lock: lock })
    }

    /// The folder of a job that mines. It stays while the job gives way.
    pub(super) fn mining(&self, id: i64) -> PathBuf {
        self.folder.path().join(format!("mining-{id}"))
    }

    /// Writes the archive of a submission.
    pub(super) fn archive(&self, job: i64, submission: i64, bytes: &[u8]) -> io::Result<Archive> {
        let folder = self.folder.path().join(job.to_string());
        fs::create_dir_all(&folder)?;
        let archive = Archive(folder.join(format!("{submission}.tar.gz")));
        fs::write(&archive.0, bytes)?;
        Ok(archive)
    }
}

impl Archive {
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Archive {
    fn drop(&mut self) {
        // What is left goes with the folder.
        let _ = self.0.parent().map(fs::remove_dir_all);
    }
}

/// Removes the folders of workers that are not there any more.
fn remove_abandoned(parent: &Path) {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let old = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX));
    for folder in old.map(|entry| entry.path()) {
        // A folder without a lock has just been made. That of another user cannot be opened.
        let Ok(lock) = File::open(folder.join(LOCK)) else { continue };
        if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok() {
            let _ = fs::remove_dir_all(&folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_worker_left_is_removed_by_the_next() {
        let parent = tempfile::tempdir().unwrap();
        let left = parent.path().join("harness-worker-killed");
        fs::create_dir(&left).unwrap();
        fs::write(left.join(LOCK), "").unwrap();
        let alive = Scratch::within(parent.path()).unwrap();
        let archive = alive.archive(4, 17, b"bytes").unwrap();
        Scratch::within(parent.path()).unwrap();
        assert!(!left.exists());
        assert!(archive.path().ends_with("4/17.tar.gz") && archive.path().exists());
        let path = archive.path().to_owned();
        drop(archive);
        assert!(!path.exists());
    }
}
