//! What grading has found out, kept in a folder by the digest of all that it depends on, so that nothing is found out twice.
//!
//! An entry that is missing or cannot be read is found out again. So the folder may be deleted at any time.

use crate::diagnostic::Failure;
use crate::files;
use crate::hash::Digest;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::{Path, PathBuf};

/// The entries, or nothing if nothing is to be kept.
pub struct Store {
    folder: Option<PathBuf>,
    /// The digest of this program, on which every entry depends.
    harness: String,
}

/// The kind of an entry: the name of the folder of its kind.
#[derive(Clone, Copy)]
pub enum KeptKind {
    Build,
    Runs,
    Suite,
}

impl KeptKind {
    fn folder(self) -> &'static str {
        match self {
            Self::Build => "builds",
            Self::Runs => "runs",
            Self::Suite => "suites",
        }
    }
}

impl Store {
    /// A store that keeps nothing.
    pub fn none() -> Self {
        Self::nothing_of("")
    }

    /// A store that keeps nothing, for the program with the digest `harness`.
    pub fn nothing_of(harness: &str) -> Self {
        Self { folder: None, harness: harness.to_owned() }
    }

    /// The store in `folder`, for the program with the digest `harness`. What nobody has read for long is removed from it.
    pub fn new(folder: &Path, harness: &str) -> Self {
        files::prune(folder);
        Self { folder: Some(folder.to_owned()), harness: harness.to_owned() }
    }

    /// The digest of this program. Empty if nobody asks for it.
    pub fn harness(&self) -> &str {
        &self.harness
    }

    /// The start of every key.
    pub fn digest(&self) -> Digest {
        Digest::default().with(&self.harness)
    }

    /// The entry `key`, if there is one.
    pub fn read<T: DeserializeOwned>(&self, kind: KeptKind, key: &str) -> Option<T> {
        serde_json::from_slice(&files::read_kept(&self.file(kind, key)?).ok()?).ok()
    }

    /// Keeps an entry.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, kind: KeptKind, key: &str, entry: &impl Serialize) -> Result<(), Failure> {
        let Some(file) = self.file(kind, key) else { return Ok(()) };
        let unwritten = |error| Failure::machine(format!("write {}", file.display()), error);
        let text = serde_json::to_vec(entry).map_err(|error| unwritten(error.into()))?;
        fs::create_dir_all(files::folder_of(&file))
            .and_then(|()| files::replace(&file, &text))
            .map_err(unwritten)
    }

    fn file(&self, kind: KeptKind, key: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(kind.folder()).join(format!("{key}.json")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_that_cannot_be_read_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path(), "1");
        store.write(KeptKind::Suite, "key", &7).unwrap();
        assert_eq!(store.read(KeptKind::Suite, "key"), Some(7));
        fs::write(folder.path().join("suites/key.json"), "{").unwrap();
        assert_eq!(store.read::<u32>(KeptKind::Suite, "key"), None);
        assert_eq!(Store::none().read::<u32>(KeptKind::Suite, "key"), None);
    }
}
