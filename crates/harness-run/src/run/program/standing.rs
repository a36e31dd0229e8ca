//! The file that remembers which programs run by a slower engine, and why.

use super::confirmed::Confirmed;
use crate::files;
use crate::hash::fnv1a;
use crate::run::build::Runnable;
use crate::run::engine::Engine;
use crate::run::host;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use walkdir::WalkDir;

const FILE: &str = "engines.json";

/// The engine of a program, and why it is not the first of its kind.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct Standing {
    pub(super) engine: Engine,
    pub(super) reason: Option<String>,
}

/// What is remembered of the programs of an assignment. Every copy is the same memory.
#[derive(Clone)]
pub(in crate::run) struct Standings(Arc<File>);

struct File {
    /// The folder of the assignment's programs.
    folder: PathBuf,
    known: Mutex<BTreeMap<String, Known>>,
    confirmed: Confirmed,
}

/// What is known of the program with this name, as long as its contents are these.
#[derive(Clone, Deserialize, Serialize)]
struct Known {
    contents: u64,
    #[serde(flatten)]
    standing: Standing,
}

impl Standings {
    /// What is remembered in `folder`, which may be nothing yet, or be written by another version.
    pub(in crate::run) fn read(folder: &Path) -> Self {
        let known = fs::read(folder.join(FILE)).ok();
        let known = known.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
        let (known, confirmed) = (Mutex::new(known), Confirmed::read(folder));
        Self(Arc::new(File { folder: folder.to_owned(), known, confirmed }))
    }

    /// The folder that all assignments of the course share.
    pub(super) fn shared_folder(&self) -> &Path {
        files::folder_of(&self.0.folder)
    }

    /// What processes have confirmed.
    pub(super) fn confirmed(&self) -> &Confirmed {
        &self.0.confirmed
    }

    pub(super) fn get(&self, name: &str, runnable: &Runnable) -> Option<Standing> {
        let known = self.known();
        let known = known.get(name)?;
        (known.contents == contents(runnable)).then(|| known.standing.clone())
    }

    /// Remembers the standing of a program. If the folder cannot be written, the next command finds it out again.
    pub(super) fn put(&self, name: &str, runnable: &Runnable, standing: &Standing) {
        let mut known = self.known();
        let contents = contents(runnable);
        known.insert(name.to_owned(), Known { contents, standing: standing.clone() });
        let text = serde_json::to_string_pretty(&*known).expect("names are text");
        let _ = files::replace(&self.0.folder.join(FILE), text.as_bytes());
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, Known>> {
        self.0.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A hash of the files of a program, and of the host, which may be able to run the program in its next version.
fn contents(runnable: &Runnable) -> u64 {
    let read = files_of(runnable).filter_map(|file| fs::read(file).ok()).map(|bytes| fnv1a(&bytes));
    read.fold(host::fingerprint(), |all, one| all.rotate_left(7) ^ one)
}

/// The files on the command line, the modules beside a Python program, and the classes in a folder of a Java program.
pub(super) fn files_of(runnable: &Runnable) -> impl Iterator<Item = PathBuf> {
    let has_ending = |path: &Path, wanted| path.extension().is_some_and(|ending| ending == wanted);
    runnable.words.iter().map(|word| runnable.folder.join(word)).flat_map(move |file| {
        let (folder, ending) = if has_ending(&file, "py") {
            (Some(files::folder_of(&file).to_owned()), "py")
        } else {
            (Some(file.clone()).filter(|file| file.is_dir()), "class")
        };
        let depth = if ending == "py" { 1 } else { usize::MAX };
        let walk = folder.map(|folder| WalkDir::new(folder).max_depth(depth).sort_by_file_name());
        let others = walk.into_iter().flatten().flatten().map(walkdir::DirEntry::into_path);
        let others: Vec<_> =
            others.filter(|path| has_ending(path, ending) && *path != file).collect();
        std::iter::once(file).chain(others)
    })
}
