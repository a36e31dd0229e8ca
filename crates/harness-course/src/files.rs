//! Writes files and folders so that they are whole or not there at all, reads what students hand in, and finds programs.

mod abandoned;
mod archived;
mod kept;
pub mod upload;

pub use archived::{Archived, archive, unarchive};
pub use kept::{prune, read_kept};

use crate::diagnostic::{Failure, Problem};
use crate::hash::Digest;
use rustix::fs::Access;
use std::env;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tempfile::{Builder, NamedTempFile, TempDir};

/// A folder in memory. Files there are made, written and removed several times as fast as on a disk.
const MEMORY: &str = "/dev/shm";
/// How many bytes must be free there. The files of a run have far fewer.
const ROOM: u64 = 1 << 30;

/// Writes the new file `path`.
///
/// # Errors
/// If the file exists or cannot be written.
pub fn create(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = begin(path)?;
    // The error of a temporary file contains its name, which means nothing to a user.
    file.as_file_mut().write_all(contents)?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    Ok(())
}

/// Writes the file `path`. Whoever reads it meanwhile finds the old contents or the new ones.
///
/// # Errors
/// If the file cannot be written.
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = begin(path)?;
    file.as_file_mut().write_all(contents)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Writes the file `path` as [`replace`] does. What is there afterwards is there after a power failure too.
///
/// # Errors
/// If the file cannot be written.
pub fn replace_durably(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = begin(path)?;
    file.as_file_mut().write_all(contents)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    File::open(folder_of(path))?.sync_all()
}

/// A temporary file beside `path`, to be renamed to `path` once it is complete. It has the permissions of the file that it replaces, or
/// else those of any other new file: by default only its owner may read a temporary file.
///
/// # Errors
/// If the file cannot be made.
pub fn begin(path: &Path) -> io::Result<NamedTempFile> {
    let mode = fs::metadata(path).map_or(0o666, |existing| existing.permissions().mode() & 0o777);
    abandoned::remove_once(folder_of(path));
    // `make_in` leaves the name of the temporary file, which means nothing to a user, out of its error.
    Builder::new().prefix(abandoned::PREFIX).make_in(folder_of(path), |name| {
        let file = File::options().read(true).write(true).create_new(true).mode(mode).open(name)?;
        abandoned::own(&file, name)?;
        Ok(file)
    })
}

/// A file without a name in the folder for temporary files.
///
/// # Errors
/// If it cannot be made.
pub fn temporary() -> io::Result<File> {
    without_name(tempfile::tempfile())
}

/// A new folder for temporary files. It is removed when it is dropped. What is left of a process that was killed, the next one removes.
///
/// # Errors
/// If it cannot be made.
pub fn temporary_folder() -> io::Result<TempDir> {
    temporary_folder_in(&env::temp_dir())
}

/// A new folder for the few small files of a run, in memory if there is room. It is removed when it is dropped.
///
/// # Errors
/// If it cannot be made.
pub fn folder_of_run() -> io::Result<TempDir> {
    static PLACE: LazyLock<PathBuf> = LazyLock::new(|| {
        let memory = Path::new(MEMORY);
        // Whoever names a folder for temporary files has a reason.
        let is_chosen = env::var_os("TMPDIR").is_none() && is_roomy(memory);
        if is_chosen { memory.to_owned() } else { env::temp_dir() }
    });
    temporary_folder_in(&PLACE)
}

fn temporary_folder_in(around: &Path) -> io::Result<TempDir> {
    without_name(abandoned::folder_of_process(around).and_then(tempfile::tempdir_in))
}

/// Whether this process may write into a folder, and it has room for the files of runs.
fn is_roomy(folder: &Path) -> bool {
    let room = rustix::fs::statvfs(folder).map_or(0, |it| it.f_bavail.saturating_mul(it.f_frsize));
    room >= ROOM && rustix::fs::access(folder, Access::WRITE_OK | Access::EXEC_OK).is_ok()
}

/// Removes the temporary folders of this process, which ends.
pub fn remove_temporary() {
    abandoned::remove_folders_of_process();
}

/// A file without a name in `folder`.
///
/// # Errors
/// If it cannot be made.
pub fn nameless_in(folder: &Path) -> io::Result<File> {
    without_name(tempfile::tempfile_in(folder))
}

/// Removes the name of a temporary file from the error.
fn without_name<T>(made: io::Result<T>) -> io::Result<T> {
    made.map_err(|error| match error.to_string().split_once(" at path ") {
        Some((cause, _)) => io::Error::new(error.kind(), cause.to_owned()),
        None => error,
    })
}

/// Whether `path` is a program that this process may start.
pub fn is_executable(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, Access::EXEC_OK).is_ok()
}

/// The first of these programs that is on the PATH.
pub fn on_path(names: &[impl AsRef<Path>]) -> Option<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    names.iter().find_map(|name| {
        env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| is_executable(path))
    })
}

/// Whether this process may write into `folder`, or into the nearest folder above it that exists.
///
/// # Errors
/// With the reason why it may not.
pub fn check_writable(folder: &Path) -> io::Result<()> {
    let there = nearest_existing(folder);
    if !there.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    Ok(rustix::fs::access(there, Access::WRITE_OK | Access::EXEC_OK)?)
}

/// `path`, or the nearest folder above it that exists.
pub fn nearest_existing(path: &Path) -> &Path {
    path.ancestors().find(|path| path.exists()).unwrap_or(Path::new("."))
}

/// Writes the new file `path`, and the folders above it that do not exist. If that fails, removes those folders.
///
/// # Errors
/// If the file exists or cannot be written.
pub fn create_with_folders(path: &Path, contents: &[u8]) -> io::Result<()> {
    let above = path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
    let missing: Vec<PathBuf> =
        above.take_while(|folder| !folder.exists()).map(Path::to_owned).collect();
    fs::create_dir_all(folder_of(path)).and_then(|()| create(path, contents)).inspect_err(|_| {
        for folder in missing {
            // A folder that another process has used meanwhile is not empty, and stays.
            let _ = fs::remove_dir(folder);
        }
    })
}

/// The folder that `path` is in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes these files, with paths relative to `folder`, which must be new or empty.
///
/// # Errors
/// If the folder has contents, or a file cannot be written. Then nothing is left behind.
pub fn write_tree<'a>(
    folder: &Path,
    mut files: impl Iterator<Item = (&'a Path, &'a str)>,
) -> Result<(), Failure> {
    if !is_free(folder) {
        let message = format!("{} already exists and is not an empty folder", folder.display());
        return Err(Failure::usage(
            Problem::new(message).hint("name a new folder; existing files are never overwritten"),
        ));
    }
    fill(folder, || {
        files.try_for_each(|(name, contents)| {
            let path = folder.join(name);
            let written =
                fs::create_dir_all(folder_of(&path)).and_then(|()| fs::write(&path, contents));
            written.map_err(|error| Failure::unwritable(&path, &error))
        })
    })
}

/// Whether `folder` does not exist, or is empty.
pub fn is_free(folder: &Path) -> bool {
    let is_empty = || fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
    folder.symlink_metadata().is_err() || is_empty()
}

/// Fills `folder`, which is free. If that fails, removes what was written.
///
/// # Errors
/// With the error of `fill`.
pub fn fill<E>(folder: &Path, fill: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
    let was_there = folder.exists();
    fill().inspect_err(|_| {
        // If this fails too, the first error says more.
        let _ = if was_there { clear(folder) } else { fs::remove_dir_all(folder) };
    })
}

fn clear(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// The longest name of a student that is also the name of a file.
const LONGEST: usize = 120;

/// The name of a student as a file name: itself if it is a short and plain one.
pub fn file_name(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || " -_.,+@()'".contains(c);
    if !name.is_empty()
        && name.len() <= LONGEST
        && name.chars().all(is_plain)
        && !name.starts_with('.')
    {
        return name.to_owned();
    }
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).take(40).collect();
    format!("{plain}-{}", &Digest::default().with(name).hex()[..16])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_is_written_over_nothing_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new");
        create(&path, b"first").unwrap();
        assert!(create(&path, b"second").is_err());
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_cannot_be_filled_is_as_free_as_before() {
        let around = tempfile::tempdir().unwrap();
        let fails = |at: &Path| {
            fill(at, || {
                fs::create_dir_all(at.join("a/b")).and_then(|()| fs::write(at.join("a"), ""))
            })
        };
        assert!(fails(&around.path().join("new")).is_err());
        assert_eq!(fs::read_dir(around.path()).unwrap().count(), 0);
        assert!(fails(around.path()).is_err());
        assert!(is_free(around.path()));
    }

    #[test]
    fn every_name_has_a_file_of_its_own_in_the_folder() {
        assert_eq!(file_name("Ann Lee (late)"), "Ann Lee (late)");
        for name in ["../escape", "a/b", ".hidden", "", "\u{7}", &"x".repeat(300)] {
            let file = file_name(name);
            assert!(!file.contains('/') && !file.starts_with('.') && file.len() < 70, "{file}");
        }
        assert_ne!(file_name("a/b"), file_name("a\\b"));
    }
}
