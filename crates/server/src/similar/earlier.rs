//! Works of earlier terms, on the disk of the server: `FOLDER/TERM/ASSIGNMENT/WORK`. A work is a folder, an archive or a source. Nothing
//! there is changed, and only what is listed here is ever opened.

use super::{KILOBYTES, language};
use harness::files::upload::{Upload, without_ending};
use std::fs;
use std::path::{Path, PathBuf};

/// A work of an earlier term.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Earlier {
    /// Its term and its name, as in `2025-fall/ann.tar.gz`.
    pub name: String,
    path: PathBuf,
}

impl Earlier {
    /// The works of an assignment, by term and name. A folder that cannot be read has none.
    pub fn all(folder: &Path, assignment: &str) -> Vec<Self> {
        let terms = entries(folder);
        let works = terms.iter().flat_map(|(term, folder)| {
            let works = entries(&folder.join(assignment)).into_iter();
            let works = works.filter(|(name, path)| is_work(name, path));
            works.map(move |(name, path)| Self { name: format!("{term}/{name}"), path })
        });
        works.collect()
    }

    pub(super) fn read(&self) -> Upload {
        let is_source = self.path.is_file() && language(&self.name).is_some();
        let read = if is_source { Upload::of_source } else { Upload::read };
        read(&self.path, KILOBYTES)
    }
}

fn is_work(name: &str, path: &Path) -> bool {
    path.is_dir() || without_ending(name).is_some() || language(name).is_some()
}

/// What lies in a folder, by name, without what is hidden.
fn entries(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let named = entries.filter_map(|it| Some((it.file_name().into_string().ok()?, it.path())));
    let mut all: Vec<_> = named.filter(|(name, _)| !name.starts_with('.')).collect();
    all.sort();
    all
}
