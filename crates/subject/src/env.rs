//! The environment of a run: everything that a program may read or write.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

/// Arguments, streams and files of one run of a program.
pub struct Env<'a> {
    /// The arguments after the program's name.
    pub args: &'a [OsString],
    /// Standard input.
    pub stdin: &'a mut dyn BufRead,
    /// Standard output, buffered.
    pub stdout: &'a mut dyn Write,
    /// Standard error.
    pub stderr: &'a mut dyn Write,
    /// The files that the program reads and writes by name.
    pub files: &'a mut Files,
}

/// Files by name: those on disk, or those of one case in memory.
pub enum Files {
    /// The file system, for a program that is run by hand.
    Disk,
    /// The files of a case, and those that the program has written.
    Memory(BTreeMap<String, Vec<u8>>),
}

impl Files {
    /// Reads the whole file `name`.
    pub fn read(&self, name: &OsStr) -> io::Result<Vec<u8>> {
        match self {
            Self::Disk => std::fs::read(name),
            Self::Memory(files) => files
                .get(name.to_string_lossy().as_ref())
                .cloned()
                .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no such file")),
        }
    }

    /// Writes the file `name` atomically: a reader never sees a partial file, and a failure leaves the old file in place.
    pub fn write(&mut self, name: &OsStr, contents: &[u8]) -> io::Result<()> {
        match self {
            Self::Disk => write_whole(Path::new(name), contents),
            Self::Memory(files) => {
                files.insert(name.to_string_lossy().into_owned(), contents.to_vec());
                Ok(())
            }
        }
    }
}

fn write_whole(path: &Path, contents: &[u8]) -> io::Result<()> {
    // Write to a pipe, a terminal or a link directly, because a rename would replace it by a plain file.
    if path.symlink_metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return std::fs::write(path, contents);
    }
    let unfinished = unfinished_name(path);
    let written =
        std::fs::write(&unfinished, contents).and_then(|()| std::fs::rename(&unfinished, path));
    if written.is_err() {
        // Report why the write failed, not whether the unfinished file could be removed.
        let _ = std::fs::remove_file(&unfinished);
    }
    written
}

fn unfinished_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(format!(".{}.unfinished", std::process::id()));
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_in_memory_can_be_read_back() {
        let mut files = Files::Memory(BTreeMap::new());
        files.write(OsStr::new("maze"), b"c").unwrap();
        assert_eq!(files.read(OsStr::new("maze")).unwrap(), b"c");
        assert_eq!(files.read(OsStr::new("other")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_write_that_fails_leaves_nothing_behind() {
        let missing = std::env::temp_dir().join("no-such-folder-of-subject/out");
        assert!(Files::Disk.write(missing.as_os_str(), b"c").is_err());
        assert!(!missing.exists());
    }
}
