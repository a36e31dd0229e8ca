//! A file that may be a test: on a disk, or in memory. A file on a disk is opened only if it is a plain file of bounded size.

use super::program_input;
use crate::course::Assignment;
use crate::diagnostic::Problem;
use crate::files::upload;
use std::ffi::OsString;
use std::fs::FileType;
use std::io;
use std::path::{Path, PathBuf};

/// A file of a suite, before it is known whether it counts.
pub(super) struct ListedFile<'a> {
    pub(super) name: OsString,
    pub(super) contents: Contents<'a>,
}

/// The contents of a file, read or not.
pub(super) enum Contents<'a> {
    OnDisk(PathBuf, FileType),
    Held(&'a [u8]),
    /// A folder of an archive.
    Folder,
}

impl Contents<'_> {
    /// The input, if the file can be a test.
    pub(super) fn input(&self, assignment: &Assignment) -> Result<Vec<u8>, Problem> {
        match self {
            Self::OnDisk(path, kind) => read_input(path, *kind, assignment),
            Self::Held(bytes) if bytes.len() as u64 > assignment.tests.bytes => {
                Err(too_large(assignment))
            }
            Self::Held(bytes) => program_input(bytes.to_vec(), assignment),
            Self::Folder => Err(not_a_file("a folder")),
        }
    }
}

fn too_large(assignment: &Assignment) -> Problem {
    Problem::new(format!("the file is larger than {} bytes", assignment.tests.bytes))
}

fn read_input(path: &Path, kind: FileType, assignment: &Assignment) -> Result<Vec<u8>, Problem> {
    let rules = &assignment.tests;
    if !kind.is_file() {
        return Err(not_a_file(what(kind)));
    }
    let input = read_bounded(path, rules.bytes).map_err(|unread| match unread {
        ReadError::Large => too_large(assignment),
        ReadError::NotAFile(kind) => not_a_file(what(kind)),
        ReadError::Failed(error) => Problem::new(format!("cannot read the file: {error}")),
    })?;
    program_input(input, assignment)
}

fn not_a_file(what: &str) -> Problem {
    Problem::new(format!("this is {what}, not a regular file")).hint("hand in the file itself")
}

fn what(kind: FileType) -> &'static str {
    if kind.is_dir() {
        "a folder"
    } else if kind.is_symlink() {
        "a link"
    } else {
        "a special file"
    }
}

/// Why a file could not be read.
enum ReadError {
    Large,
    NotAFile(FileType),
    Failed(io::Error),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// Reads at most `most` bytes. A larger file is refused without reading it.
fn read_bounded(path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    // A link or a pipe may have replaced the file in the meantime.
    let file = upload::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(ReadError::NotAFile(metadata.file_type()));
    }
    if metadata.len() > most {
        return Err(ReadError::Large);
    }
    upload::bounded(file, most)?.ok_or(ReadError::Large)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_link_or_pipe_that_replaced_a_file_is_not_followed_or_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "text").unwrap();
        std::os::unix::fs::symlink("file", at("link")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe"), rustix::fs::Mode::RWXU).unwrap();
        assert!(matches!(read_bounded(&at("file"), 4), Ok(bytes) if bytes == b"text"));
        assert!(matches!(read_bounded(&at("file"), 3), Err(ReadError::Large)));
        assert!(matches!(read_bounded(&at("link"), 4), Err(ReadError::Failed(_))));
        assert!(matches!(read_bounded(&at("pipe"), 4), Err(ReadError::NotAFile(_))));
        assert!(matches!(read_bounded(folder.path(), 4), Err(ReadError::NotAFile(_))));
    }
}
