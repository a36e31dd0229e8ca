//! Folders of what is kept only so that it is not found out again. Each has a bound and an age.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use walkdir::WalkDir;

/// The most bytes that such a folder holds after it was pruned.
const MOST_BYTES: u64 = 4 << 30;
/// What nobody has read for this long is removed: a term, and some weeks more.
const OLDEST: Duration = Duration::from_secs(180 * 24 * 60 * 60);

/// Reads a kept file. That it was read keeps it from being pruned.
///
/// # Errors
/// If it is not there, or cannot be read.
pub fn read_kept(file: &Path) -> io::Result<Vec<u8>> {
    let bytes = fs::read(file)?;
    // It may belong to another user. Then its age is that of its contents.
    let _ =
        File::options().append(true).open(file).and_then(|it| it.set_modified(SystemTime::now()));
    Ok(bytes)
}

/// Removes the files below `folder` that nobody has read for long, and then those that were not read for longest, until the others fit
/// the bound.
pub fn prune(folder: &Path) {
    prune_to(folder, MOST_BYTES, OLDEST);
}

fn prune_to(folder: &Path, most_bytes: u64, oldest: Duration) {
    let now = SystemTime::now();
    let entries = WalkDir::new(folder).into_iter().filter_map(Result::ok);
    let mut files: Vec<(SystemTime, PathBuf, u64)> = entries
        .filter_map(|entry| {
            let metadata = entry.metadata().ok().filter(Metadata::is_file)?;
            Some((metadata.modified().ok()?, entry.into_path(), metadata.len()))
        })
        .collect();
    files.sort_unstable_by(|one, other| other.cmp(one));
    let mut bytes: u64 = 0;
    for (read, file, size) in files {
        bytes = bytes.saturating_add(size);
        let is_old = now.duration_since(read).is_ok_and(|age| age > oldest);
        if is_old || bytes > most_bytes {
            // Another process may have removed it already.
            let _ = fs::remove_file(file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_last_stays_within_the_bound_and_the_age() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let ages = [("new", 1), ("read", 90), ("unread", 50), ("old", 1000)];
        for (name, days) in ages {
            fs::write(at(name), [0; 100]).unwrap();
            let time = SystemTime::now() - Duration::from_secs(days * 86400);
            File::options().append(true).open(at(name)).unwrap().set_modified(time).unwrap();
        }
        read_kept(&at("read")).unwrap();
        prune_to(folder.path(), 1000, OLDEST);
        assert!(at("new").exists() && at("read").exists() && at("unread").exists());
        assert!(!at("old").exists());
        prune_to(folder.path(), 250, OLDEST);
        assert!(at("new").exists() && at("read").exists());
        assert!(!at("unread").exists());
    }
}
