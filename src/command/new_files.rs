//! New files, and folders of them, that are whole or not there at all. Nothing that is there is overwritten.

use crate::problem::{Failure, Problem};
use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tempfile::Builder;

/// Writes the new file `path`.
pub(super) fn file(path: &Path, contents: &[u8]) -> io::Result<()> {
    let folder =
        path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Whoever may read the user's other files may read this one; what is temporary is otherwise its owner's alone.
    let permissions = Permissions::from_mode(0o666);
    let mut whole =
        Builder::new().prefix(".harness-").permissions(permissions).tempfile_in(folder)?;
    // An error of the file itself tells nothing of its name, which is nobody's.
    whole.as_file_mut().write_all(contents)?;
    whole.persist_noclobber(path).map_err(|error| error.error)?;
    Ok(())
}

/// Writes these files, with paths relative to `folder`, which must be new or empty.
pub(super) fn tree<'a>(
    folder: &Path,
    mut files: impl Iterator<Item = (&'a Path, &'a str)>,
) -> Result<(), Failure> {
    if !is_free(folder) {
        let message = format!("{} is there already, and not an empty folder", folder.display());
        let problem = Problem::new(message).hint("name a new folder: nothing is overwritten");
        return Err(Failure::usage(problem));
    }
    self::folder(folder, || {
        files.try_for_each(|(name, contents)| {
            let path = folder.join(name);
            let parent = path.parent().expect("every file is in the folder");
            let written = fs::create_dir_all(parent).and_then(|()| fs::write(&path, contents));
            written.map_err(|error| Failure::machine(format!("write {}", path.display()), error))
        })
    })
}

/// Whether `folder` is not there, or empty.
pub(super) fn is_free(folder: &Path) -> bool {
    let is_empty = || fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
    folder.symlink_metadata().is_err() || is_empty()
}

/// Fills `folder`, which is free. Where that fails, it is as free as before.
pub(super) fn folder<E>(folder: &Path, fill: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
    let was_there = folder.exists();
    fill().inspect_err(|_| {
        // That it can't be cleared either is of no interest beside why it could not be filled.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_is_written_over_nothing_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new");
        file(&path, b"first").unwrap();
        assert!(file(&path, b"second").is_err());
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_cannot_be_filled_is_as_free_as_before() {
        let around = tempfile::tempdir().unwrap();
        let fails = |at: &Path| {
            folder(at, || {
                fs::create_dir_all(at.join("a/b")).and_then(|()| fs::write(at.join("a"), ""))
            })
        };
        assert!(fails(&around.path().join("new")).is_err());
        assert_eq!(fs::read_dir(around.path()).unwrap().count(), 0);
        assert!(fails(around.path()).is_err());
        assert!(is_free(around.path()));
    }
}
