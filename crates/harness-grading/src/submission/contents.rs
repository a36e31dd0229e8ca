//! The files of a submission, read into memory from a folder or an archive. Nothing is written, and no link is followed.

use super::unpack;
use crate::course::submission::{Rule, Submission};
use crate::diagnostic::{Problem, printable};
use crate::suite::layout;
use rustix::fs::OFlags;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use walkdir::WalkDir;

/// The most files that are read.
pub(super) const MOST_FILES: usize = 1000;
/// The deepest path that is read.
const MOST_DEPTH: usize = 16;
/// The longest name of a file or folder, in bytes. No disk takes a longer one.
const LONGEST_NAME: usize = 255;

/// What macOS adds to an archive of a folder.
const APPLES: &[u8] = b"__MACOSX";

/// The files of a submission.
#[derive(Debug, Default)]
pub struct Contents {
    /// The name of the folder or archive, with control characters escaped.
    pub name: String,
    /// The files, ordered by name.
    pub files: Vec<SourceFile>,
    /// The paths of the files in folders, which are left out.
    pub left_out: Vec<String>,
    /// The rules that were broken while the files were read.
    pub broken: Vec<(Rule, Problem)>,
}

/// A file of a submission.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Its name, without a folder.
    pub name: String,
    pub bytes: Vec<u8>,
}

impl SourceFile {
    /// The contents, with invalid UTF-8 replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// The part of the name after the last `.`.
    pub fn extension(&self) -> &str {
        Path::new(&self.name).extension().and_then(OsStr::to_str).unwrap_or_default()
    }
}

impl Contents {
    /// Reads the folder or archive `path`.
    pub fn read(path: &Path, submission: &Submission) -> Self {
        let mut found = Found::new(submission.kilobytes);
        let read = if path.is_dir() { found.folder(path) } else { unpack::read(path, &mut found) };
        if let Err(problem) = read {
            found.broken.push((Rule::Readable, problem));
        }
        Self { name: layout::student(path), ..found.contents() }
    }

    /// The SHA-256 of the names and contents, in hexadecimal.
    pub fn digest(&self) -> String {
        let mut hasher = Sha256::new();
        for file in &self.files {
            for part in [file.name.as_bytes(), &file.bytes] {
                hasher.update((part.len() as u64).to_le_bytes());
                hasher.update(part);
            }
        }
        hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Files as they are found, with the limits on them.
pub(super) struct Found {
    /// By path, without `.` and with `/` between the parts.
    pub(super) files: BTreeMap<Vec<u8>, Vec<u8>>,
    pub(super) broken: Vec<(Rule, Problem)>,
    /// The most bytes of all files together.
    pub(super) most_bytes: u64,
    bytes: u64,
}

impl Found {
    pub(super) fn new(kilobytes: u64) -> Self {
        // A submission that is a little too large is read, so that the report can say more about it.
        let most_bytes = kilobytes.saturating_mul(1024).saturating_mul(4);
        Self { files: BTreeMap::new(), broken: Vec::new(), most_bytes, bytes: 0 }
    }

    /// Adds a file. A path that leaves the submission is an error.
    pub(super) fn add(&mut self, path: &[u8], contents: &mut dyn Read) -> Result<(), Problem> {
        let path = plain(path)?;
        if self.files.len() >= MOST_FILES {
            return Err(Problem::new(format!("there are more than {MOST_FILES} files")));
        }
        if self.files.contains_key(&path) {
            let shown = printable(&String::from_utf8_lossy(&path));
            let problem = Problem::new(format!("the archive holds {shown} twice"));
            return Err(problem.hint("make it again, in a new file"));
        }
        let room = self.most_bytes - self.bytes;
        let mut bytes = Vec::new();
        contents.take(room + 1).read_to_end(&mut bytes).map_err(|error| {
            let shown = printable(&String::from_utf8_lossy(&path));
            Problem::new(format!("cannot read {shown}: {error}"))
                .hint("it is damaged; make it and upload it again")
        })?;
        if bytes.len() as u64 > room {
            return Err(self.too_large());
        }
        self.bytes += bytes.len() as u64;
        self.files.insert(path, bytes);
        Ok(())
    }

    pub(super) fn too_large(&self) -> Problem {
        Problem::new(format!("the files take more than {} kilobytes", self.most_bytes >> 10))
            .hint("hand in only the sources, the Makefile and the tests")
    }

    /// Notes an entry that is not a file.
    pub(super) fn not_a_file(&mut self, path: &[u8], what: &str) {
        let shown = printable(&String::from_utf8_lossy(path));
        let problem = Problem::new(format!("{shown} is {what}, not a file"));
        self.broken.push((Rule::Links, problem.hint("hand in the file itself")));
    }

    fn folder(&mut self, folder: &Path) -> Result<(), Problem> {
        let entries = WalkDir::new(folder).min_depth(1).max_depth(MOST_DEPTH).sort_by_file_name();
        for entry in entries {
            let entry = entry.map_err(|error| Problem::new(format!("cannot read: {error}")))?;
            let path = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            let path = path.as_os_str().as_bytes();
            let kind = entry.file_type();
            if kind.is_symlink() {
                self.not_a_file(path, "a link");
            } else if kind.is_file() {
                let mut file = open(entry.path())
                    .map_err(|error| Problem::new(format!("cannot read: {error}")))?;
                self.add(path, &mut file)?;
            } else if !kind.is_dir() {
                self.not_a_file(path, "a special file");
            }
        }
        Ok(())
    }

    /// The files at the top. If all files are in one folder, those in it.
    fn contents(mut self) -> Contents {
        let mut folders = Vec::new();
        while let Some(top) = self.only_folder() {
            let inner =
                |path: &[u8]| Some(path.strip_prefix(&top[..])?.strip_prefix(b"/")?.to_vec());
            let files = std::mem::take(&mut self.files).into_iter();
            self.files = files.map(|(path, file)| (inner(&path).unwrap_or(path), file)).collect();
            folders.push(printable(&String::from_utf8_lossy(&top)));
        }
        if !folders.is_empty() {
            let problem =
                Problem::new(format!("all files are in the folder {}", folders.join("/")));
            let hint = "put the files themselves into the archive";
            self.broken.push((Rule::Folders, problem.hint(hint)));
        }
        self.broken.extend(same_but_for_case(&self.files));
        let (mut files, mut left_out) = (Vec::new(), Vec::new());
        for (path, bytes) in self.files {
            match String::from_utf8(path) {
                Ok(name) if name.contains('/') => {
                    let problem = Problem::new(format!("{} is in a folder", printable(&name)));
                    let hint = "a submission has no folders; this file is left out";
                    self.broken.push((Rule::Folders, problem.hint(hint)));
                    left_out.push(name);
                }
                Ok(name) => files.push(SourceFile { name, bytes }),
                Err(error) => {
                    let shown = error.as_bytes().escape_ascii();
                    let problem = Problem::new(format!("the name {shown} is not UTF-8 text"));
                    self.broken.push((Rule::Files, problem.hint("give the file a plain name")));
                }
            }
        }
        Contents { name: String::new(), files, left_out, broken: self.broken }
    }

    /// The folder that holds all files. A hidden file beside it, such as `._mine`, was put there by a system.
    fn only_folder(&self) -> Option<Vec<u8>> {
        let tops = self.files.keys().map(|path| path.split(|&byte| byte == b'/'));
        let tops = tops.map(|mut parts| (parts.next().unwrap_or_default(), parts.next().is_some()));
        let mut tops = tops
            .filter(|(top, is_folder)| *top != APPLES && (*is_folder || !top.starts_with(b".")));
        let (first, is_folder) = tops.next()?;
        (is_folder && tops.all(|(top, _)| top == first)).then(|| first.to_vec())
    }
}

/// Files at the top whose names differ only in case.
fn same_but_for_case(files: &BTreeMap<Vec<u8>, Vec<u8>>) -> Vec<(Rule, Problem)> {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let all = files.keys().map(|path| String::from_utf8_lossy(path).into_owned());
    let pairs = all.filter_map(|name| {
        let other = names.insert(name.to_lowercase(), name.clone())?;
        let message = format!("{} and {} differ only in case", printable(&other), printable(&name));
        let hint = "on other systems, one of them replaces the other";
        Some((Rule::Files, Problem::new(message).hint(hint)))
    });
    pairs.collect()
}

/// A path without `.`.
///
/// # Errors
/// If it is absolute, contains `..`, is too deep, or has a name that is too long.
fn plain(path: &[u8]) -> Result<Vec<u8>, Problem> {
    let parts: Vec<_> =
        path.split(|&byte| byte == b'/').filter(|part| !part.is_empty() && *part != b".").collect();
    let leaves = path.first() == Some(&b'/') || parts.contains(&&b".."[..]) || path.contains(&0);
    if let Some(long) = parts.iter().find(|part| part.len() > LONGEST_NAME) {
        let shown = printable(&String::from_utf8_lossy(&long[..20]));
        let problem = Problem::new(format!("the name {shown}… has more than {LONGEST_NAME} bytes"));
        return Err(problem.hint("give the file a shorter name"));
    }
    if leaves || parts.is_empty() || parts.len() > MOST_DEPTH {
        let shown = printable(&String::from_utf8_lossy(path));
        let problem = Problem::new(format!("the path {shown} is not allowed in a submission"));
        return Err(problem.hint("make the archive in the folder of the files"));
    }
    Ok(parts.join(&b'/'))
}

/// Opens a regular file without following a link or waiting for a pipe.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let file = fs::OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_in_the_submission() {
        for path in ["../a", "a/../../b", "/etc/passwd", "", ".", "a\0b"] {
            assert!(plain(path.as_bytes()).is_err(), "{path:?}");
        }
        assert_eq!(plain(b"./a//b").unwrap(), b"a/b");
        let long = |length: usize| plain(&[&b"a/"[..], &vec![b'n'; length]].concat());
        assert!(long(LONGEST_NAME).is_ok());
        let message = "the name nnnnnnnnnnnnnnnnnnnn… has more than 255 bytes";
        assert_eq!(long(1 << 20).unwrap_err().message, message);
    }
}
