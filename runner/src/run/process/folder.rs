//! The folder in which a case is run, and the files that the program leaves there.

use super::obstacle::no_temporary_files;
use crate::files;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};
use subject::Case;

/// The folder in which a case is run: its own if it has files, otherwise the folder of the course.
pub(super) enum CaseFolder {
    Own(tempfile::TempDir),
    Course(PathBuf),
}

impl CaseFolder {
    pub(super) fn new(case: &Case, course: &Path) -> io::Result<Self> {
        if case.files.is_empty() {
            return Ok(Self::Course(course.to_owned()));
        }
        let filled = files::temporary_folder().and_then(|folder| {
            for (name, contents) in &case.files {
                fs::write(folder.path().join(name), contents)?;
            }
            Ok(folder)
        });
        filled.map(Self::Own).map_err(|error| no_temporary_files(&error))
    }

    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Own(folder) => folder.path(),
            Self::Course(folder) => folder,
        }
    }

    /// The files that are new, or differ from those of the case.
    pub(super) fn written(&self, case: &Case) -> io::Result<BTreeMap<String, Vec<u8>>> {
        let Self::Own(folder) = self else { return Ok(BTreeMap::new()) };
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(folder.path())? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                let (name, contents) =
                    (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path())?);
                if case.files.get(&name) != Some(&contents) {
                    files.insert(name, contents);
                }
            }
        }
        Ok(files)
    }
}
