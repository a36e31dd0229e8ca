//! What a file was like when a program was built from it, and whether it is still the same.

use crate::files;
use crate::hash::fnv1a;
use serde::{Deserialize, Serialize};
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(super) enum State {
    Missing,
    File {
        stamp: Stamp,
        /// Of its contents.
        hash: u64,
    },
    /// A folder, with a hash of the names in it.
    Folder(u64),
    /// A part of a compiler: its size and its time. Nothing changes if it is removed, because what was built remains valid.
    Tool(u64, i64),
}

/// What changes whenever a file is written. Times are nanoseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct Stamp {
    size: u64,
    inode: u64,
    modified: i64,
    /// When its contents, name or permissions changed last, which no program can set back.
    changed: i64,
}

impl State {
    /// # Errors
    /// If there is something that cannot be read.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        match fs::metadata(path) {
            Err(error) if is_absence(&error) => Ok(Self::Missing),
            Err(error) => Err(error),
            Ok(metadata) if metadata.is_dir() => names(path).map(Self::Folder),
            Ok(metadata) => {
                Ok(Self::File { stamp: Stamp::of(&metadata), hash: fnv1a(&fs::read(path)?) })
            }
        }
    }

    /// A part of a compiler, whose contents are not read.
    pub(super) fn of_tool(path: &Path) -> Self {
        fs::metadata(path)
            .map_or(Self::Missing, |metadata| Self::Tool(metadata.len(), modified(&metadata)))
    }

    /// The present state, if `path` has the same contents as before. Only a file that was touched is read.
    pub(super) fn if_same(&self, path: &Path) -> Option<Self> {
        let present = match self {
            Self::Tool(..) => match Self::of_tool(path) {
                Self::Missing => self.clone(),
                tool => tool,
            },
            Self::File { stamp, .. } => {
                let metadata = fs::metadata(path).ok()?;
                if Stamp::of(&metadata) == *stamp {
                    return Some(self.clone());
                }
                if metadata.len() != stamp.size {
                    return None;
                }
                Self::of(path).ok()?
            }
            Self::Missing | Self::Folder(_) => Self::of(path).ok()?,
        };
        let is_same = match (self, &present) {
            (Self::File { hash, .. }, Self::File { hash: present, .. }) => hash == present,
            (before, present) => before == present,
        };
        is_same.then_some(present)
    }

    /// Whether a file has not changed since `time`.
    pub(super) fn is_older_than(&self, time: i64) -> bool {
        match self {
            Self::File { stamp, .. } => stamp.changed.max(stamp.modified) < time,
            _ => true,
        }
    }
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        let changed = metadata.ctime().saturating_mul(1_000_000_000) + metadata.ctime_nsec();
        let modified = modified(metadata);
        Self { size: metadata.len(), inode: metadata.ino(), modified, changed }
    }
}

fn modified(metadata: &Metadata) -> i64 {
    metadata.mtime().saturating_mul(1_000_000_000) + metadata.mtime_nsec()
}

fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// A hash of the names in a folder, except those of files that are still being written.
fn names(folder: &Path) -> io::Result<u64> {
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let names = entries.iter().map(|entry| entry.file_name().as_encoded_bytes().to_vec());
    let mut names: Vec<_> = names.filter(|name| !name.starts_with(b".harness-")).collect();
    names.sort();
    Ok(fnv1a(&names.join(&b'/')))
}

/// The time now, on the clock of the disk of `folder`. Every file that was changed before this call is older: it waits for the next
/// tick of that clock.
///
/// # Errors
/// If no file can be made in the folder.
pub(super) fn next_tick(folder: &Path) -> io::Result<i64> {
    /// The clocks of file systems tick at least this often.
    const TICK: Duration = Duration::from_millis(10);
    thread::sleep(TICK);
    Ok(modified(&files::nameless_in(folder)?.metadata()?))
}

/// A time that is in the past on the clock of any disk.
pub(super) fn recent_past() -> i64 {
    const MARGIN: Duration = Duration::from_secs(5);
    let past = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(past.saturating_sub(MARGIN).as_nanos()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_the_same_after_a_touch_and_not_after_a_change_that_hides_its_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("source");
        fs::write(&path, "one").unwrap();
        let before = State::of(&path).unwrap();
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        next_tick(folder.path()).unwrap();

        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(time + Duration::from_secs(60)).unwrap();
        assert!(before.if_same(&path).is_some_and(|present| present != before));

        fs::write(&path, "two").unwrap();
        file.set_modified(time).unwrap();
        assert_eq!(before.if_same(&path), None);
        fs::remove_file(&path).unwrap();
        assert_eq!(before.if_same(&path), None);
    }

    #[test]
    fn a_folder_changes_with_the_names_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let before = State::of(folder.path()).unwrap();
        assert!(before.if_same(folder.path()).is_some());
        fs::write(folder.path().join("new"), "").unwrap();
        assert_eq!(before.if_same(folder.path()), None);
    }

    #[test]
    fn a_file_that_was_written_before_a_tick_is_older_than_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("source");
        fs::write(&path, "one").unwrap();
        let tick = next_tick(folder.path()).unwrap();
        assert!(State::of(&path).unwrap().is_older_than(tick));
        fs::write(&path, "two").unwrap();
        assert!(!State::of(&path).unwrap().is_older_than(tick));
    }
}
