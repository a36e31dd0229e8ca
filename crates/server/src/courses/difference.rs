//! Which files differ between two versions of the course.

use crate::database::{Fault, Result};
use crate::secret;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

/// The most bytes of a version that are unpacked.
const LONGEST: u64 = 1 << 30;

/// The files that differ, each list in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    pub added: Vec<String>,
    pub changed: Vec<String>,
    pub removed: Vec<String>,
}

impl Difference {
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }
}

/// The difference between two archives.
///
/// # Errors
/// If one of them is damaged.
pub fn between(before: &[u8], after: &[u8]) -> Result<Difference> {
    let (before, after) = (digests(before)?, digests(after)?);
    let names: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    let mut difference = Difference::default();
    for name in names {
        match (before.get(name), after.get(name)) {
            (None, Some(_)) => difference.added.push(name.clone()),
            (Some(_), None) => difference.removed.push(name.clone()),
            (old, new) if old != new => difference.changed.push(name.clone()),
            _ => {}
        }
    }
    Ok(difference)
}

/// The files of an archive, each with the digest of what is in it and whether it may be started.
fn digests(archive: &[u8]) -> Result<BTreeMap<String, (String, bool)>> {
    let damaged = |error: std::io::Error| Fault::Broken(format!("a version is damaged: {error}"));
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(archive).take(LONGEST));
    let mut files = BTreeMap::new();
    for entry in archive.entries().map_err(damaged)? {
        let mut entry = entry.map_err(damaged)?;
        let name = entry.path().map_err(damaged)?.to_string_lossy().into_owned();
        let is_program = entry.header().mode().is_ok_and(|mode| mode & 0o111 != 0);
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).map_err(damaged)?;
        files.insert(name, (secret::sha256(&bytes), is_program));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use harness::files::{Archived, archive};

    #[test]
    fn files_are_added_changed_and_removed() {
        let pack = |files: &[(&str, &str)]| {
            let files = files.iter().map(|(path, text)| Archived {
                path: path.into(),
                bytes: text.as_bytes().to_vec(),
                is_program: false,
            });
            archive(&files.collect::<Vec<_>>()).unwrap()
        };
        let before = pack(&[("a", "1"), ("b", "1"), ("c/d", "1")]);
        let after = pack(&[("a", "1"), ("b", "2"), ("e", "1")]);
        let difference = between(&before, &after).unwrap();
        assert_eq!(difference.added, ["e"]);
        assert_eq!(difference.changed, ["b"]);
        assert_eq!(difference.removed, ["c/d"]);
        assert!(between(&after, &after).unwrap().is_empty());
    }
}
