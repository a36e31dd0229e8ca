//! Temporary files and folders of processes that were killed.
//!
//! Whoever makes one holds the lock on it, which the system releases at the end of the process, however it ends, and on whatever machine
//! it ran. So what nobody has locked is nobody's, and the next process that writes there removes it.

use rustix::fs::{FlockOperation, Mode, OFlags, flock};
use rustix::process::geteuid;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirEntry, File, Permissions};
use std::io;
use std::mem;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::Builder;

/// What the names of all temporary files and folders begin with.
pub(super) const PREFIX: &str = ".harness-";

/// The folders of all temporary folders of this process, with their locks, by the folders in which they lie. Each temporary folder has a
/// name of its own, so no two pieces of work share one.
static FOLDERS: Mutex<BTreeMap<PathBuf, (PathBuf, File)>> = Mutex::new(BTreeMap::new());
/// The folders in which nothing abandoned is left. That is a fact of the machine, the same for all work.
static SEEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Locks a new file or folder. If another process took it for an abandoned one first, its name counts as taken.
pub(super) fn own(file: &File, path: &Path) -> io::Result<()> {
    // A disk that knows no locks keeps what is abandoned.
    let _ = flock(file, FlockOperation::LockExclusive);
    let number = |about: fs::Metadata| (about.dev(), about.ino());
    match fs::symlink_metadata(path).map(number) {
        Ok(there) if there == number(file.metadata()?) => Ok(()),
        _ => Err(io::ErrorKind::AlreadyExists.into()),
    }
}

/// The folder of all temporary folders of this process that lie in `around`.
pub(super) fn folder_of_process(around: &Path) -> io::Result<PathBuf> {
    let mut folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((path, _)) = folders.get(around).filter(|(path, _)| path.is_dir()) {
        return Ok(path.clone());
    }
    remove_once(around);
    let made = Builder::new().prefix(PREFIX).make_in(around, |path| {
        fs::create_dir(path)?;
        locked(path).map_err(|error| match error.kind() {
            // Another process took it for an abandoned one.
            io::ErrorKind::NotFound => io::ErrorKind::AlreadyExists.into(),
            _ => error,
        })
    })?;
    let (lock, path) = made.into_parts();
    // It is a folder, which is not removed as a file is.
    let path = path.keep().map_err(|error| error.error)?;
    folders.insert(around.to_owned(), (path.clone(), lock));
    Ok(path)
}

/// Locks a new folder, and returns the lock.
fn locked(path: &Path) -> io::Result<File> {
    // Programs that run as another user are shown what is in it, whose names nobody else knows.
    fs::set_permissions(path, Permissions::from_mode(0o711))?;
    let lock = opened(path)?;
    own(&lock, path)?;
    Ok(lock)
}

/// Removes the folders of this process.
pub(super) fn remove_folders_of_process() {
    let folders = mem::take(&mut *FOLDERS.lock().unwrap_or_else(PoisonError::into_inner));
    for (path, _lock) in folders.into_values() {
        // What stays, the next process removes.
        let _ = fs::remove_dir_all(path);
    }
}

/// Removes what is abandoned in a folder, the first time that this process asks.
pub(super) fn remove_once(folder: &Path) {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let is_new = SEEN.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.clone());
    let entries = is_new.then(|| fs::read_dir(folder)).into_iter().flatten().flatten();
    for entry in entries.flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes()) {
            // Nobody needs to know what stays.
            let _ = remove(&entry);
        }
    }
}

/// Removes a file or folder of this user that nobody has locked.
fn remove(entry: &DirEntry) -> io::Result<()> {
    let about = entry.metadata()?;
    if about.uid() != geteuid().as_raw() || !(about.is_file() || about.is_dir()) {
        return Ok(());
    }
    let lock = opened(&entry.path())?;
    flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
    if about.is_dir() { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) }
}

fn opened(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_has_locked_is_removed() {
        let around = tempfile::tempdir().unwrap();
        let at = |name: &str| around.path().join(name);
        fs::create_dir_all(at(".harness-killed/deep")).unwrap();
        fs::create_dir(at(".harness-running")).unwrap();
        fs::write(at(".harness-file"), "").unwrap();
        fs::write(at("mine"), "").unwrap();
        let lock = opened(&at(".harness-running")).unwrap();
        own(&lock, &at(".harness-running")).unwrap();
        remove_once(around.path());
        let mut left: Vec<_> = fs::read_dir(around.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(left, [".harness-running", "mine"]);
    }

    #[test]
    fn a_file_that_was_removed_before_it_was_locked_is_made_again() {
        let around = tempfile::tempdir().unwrap();
        let path = around.path().join("new");
        let file = File::create(&path).unwrap();
        own(&file, &path).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(own(&file, &path).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    }
}
