//! Building in a target folder that cannot be written.
//!
//! Cargo locks its target folder even if nothing has to be built, which fails if the folder is read-only. So Cargo gets a mirror of it:
//! new folders, with links to the files. Cargo then finds out as usual whether the program is up to date.

use super::unwritable;
use crate::diagnostic::Failure;
use crate::files;
use crate::run::process;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use walkdir::{DirEntry, WalkDir};

/// A mirror of a read-only target folder. It is removed when it is dropped.
pub(super) struct Mirror {
    folder: TempDir,
    target: PathBuf,
    /// Why the target folder cannot be written.
    error: io::Error,
}

impl Mirror {
    /// The mirror of `target`, if `target` exists and cannot be written.
    ///
    /// # Errors
    /// If `target` does not exist and cannot be made, so that it is impossible to do `what`; or if the mirror cannot be made.
    pub(super) fn if_read_only(what: &str, target: &Path) -> Result<Option<Self>, Failure> {
        let Err(error) = files::check_writable(target) else { return Ok(None) };
        let Ok(target) = target.canonicalize() else {
            return Err(unwritable(what, target, &error));
        };
        let made = files::temporary_folder().and_then(|folder| {
            link(&target, folder.path())?;
            Ok(Some(Self { folder, target, error }))
        });
        made.map_err(|error| process::failure(what, &process::no_temporary_files(&error)))
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The program in the target folder that is called `program` in the mirror.
    ///
    /// # Errors
    /// If Cargo had to build the program, which is then only in the mirror.
    pub(super) fn original(&self, what: &str, program: &Path) -> Result<PathBuf, Failure> {
        let original = program.canonicalize().ok().filter(|path| path.starts_with(&self.target));
        original.ok_or_else(|| unwritable(what, &self.target, &self.error))
    }
}

/// Makes every folder in `target` again in `mirror`, with a link to each file except those that Cargo writes in any case.
fn link(target: &Path, mirror: &Path) -> io::Result<()> {
    for entry in WalkDir::new(target).min_depth(1) {
        let entry = entry?;
        let name = entry.path().strip_prefix(target).expect("it is in the folder");
        if entry.file_type().is_dir() {
            fs::create_dir(mirror.join(name))?;
        } else if !is_always_written(&entry) {
            symlink(entry.path(), mirror.join(name))?;
        }
    }
    Ok(())
}

/// Whether Cargo writes the file although nothing has to be built: its lock, and for each program a list of sources, which contains
/// the path of the target folder.
fn is_always_written(entry: &DirEntry) -> bool {
    let is_beside_a_program = entry.depth() == 2;
    let is_list = entry.path().extension().is_some_and(|extension| extension == "d");
    entry.file_name() == ".cargo-lock" || is_beside_a_program && is_list
}
