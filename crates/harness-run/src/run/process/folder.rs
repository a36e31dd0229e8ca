//! The folder in which a case is run, and the files that the program leaves there.

use super::obstacle::no_temporary_files;
use crate::files;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};
use subject::Case;

/// The folder in which a case is run.
pub(super) enum CaseFolder {
    /// A new one, with the files of the case. It is removed after the run.
    Own(tempfile::TempDir),
    /// One that the program works in.
    Given(PathBuf),
}

impl CaseFolder {
    pub(super) fn new(case: &Case) -> io::Result<Self> {
        let filled = files::folder_of_run().and_then(|folder| {
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
            Self::Given(folder) => folder,
        }
    }

    /// The files that are new, or differ from those of the case. Those of a case without files say nothing: its program answers on
    /// standard output.
    pub(super) fn written(&self, case: &Case) -> io::Result<BTreeMap<String, Vec<u8>>> {
        let mut files = BTreeMap::new();
        let Self::Own(folder) = self else { return Ok(files) };
        if case.files.is_empty() {
            return Ok(files);
        }
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
