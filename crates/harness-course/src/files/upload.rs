//! What a student hands in, read into memory from a folder or an archive. This is the only way in, and it may be hostile: nothing is
//! written, no link is followed, no path in it is used as it is, and nothing expands without a bound.

mod archive;

pub use archive::without_ending;

use super::Archived;
use crate::diagnostic::{Problem, printable};
use rustix::fs::OFlags;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use walkdir::WalkDir;

/// The most files that are read.
const MOST_FILES: usize = 1000;
/// The deepest path that is read.
const MOST_DEPTH: usize = 16;
/// The longest name of a file or folder, in bytes. No disk takes a longer one.
const LONGEST_NAME: usize = 255;

/// What macOS adds to an archive of a folder.
pub const APPLES: &str = "__MACOSX";

/// The files that a student hands in.
#[derive(Debug)]
pub struct Upload {
    /// By path, without `.` and with one `/` between the parts.
    pub files: BTreeMap<Vec<u8>, Vec<u8>>,
    /// What is left out because it is no file.
    pub not_files: Vec<Problem>,
    /// Why reading ended before the last file.
    pub problem: Option<Problem>,
    /// How many kilobytes it may have.
    kilobytes: u64,
    /// The most bytes of all files together that are read.
    most_bytes: u64,
    bytes: u64,
}

impl Upload {
    /// Reads the folder or archive `path`, which may have so many kilobytes.
    pub fn read(path: &Path, kilobytes: u64) -> Self {
        Self::within(kilobytes, |upload| {
            if path.is_dir() {
                return upload.folder(path);
            }
            let file = open_file(path).map_err(|error| archive::unreadable(&error))?;
            archive::read(&path.file_name().unwrap_or_default().to_string_lossy(), file, upload)
        })
    }

    /// Reads one file that is no archive.
    pub fn of_source(path: &Path, kilobytes: u64) -> Self {
        Self::within(kilobytes, |upload| {
            let failed = |error: io::Error| Problem::new(format!("cannot read: {error}"));
            let file = open_file(path).map_err(failed)?;
            upload.add(path.file_name().unwrap_or_default().as_bytes(), file)
        })
    }

    /// Reads an archive from anywhere: a file, a connection, or bytes in memory. `name` is the name of its file.
    pub fn of_archive(name: &str, archive: impl Read, kilobytes: u64) -> Self {
        Self::within(kilobytes, |upload| archive::read(name, archive, upload))
    }

    /// Takes files in memory, which may have so many kilobytes. It says the same as of the archive of these files.
    pub fn of_files<'a>(files: impl IntoIterator<Item = &'a Archived>, kilobytes: u64) -> Self {
        let mut files: Vec<_> = files.into_iter().collect();
        files.sort_by_key(|file| &file.path);
        Self::within(kilobytes, |upload| {
            if files.is_empty() {
                return Err(Problem::new("the archive holds no files"));
            }
            let mut files = files.into_iter();
            files.try_for_each(|it| upload.add(it.path.as_os_str().as_bytes(), &it.bytes[..]))
        })
    }

    fn within(kilobytes: u64, read: impl FnOnce(&mut Self) -> Result<(), Problem>) -> Self {
        let mut upload = Self {
            files: BTreeMap::new(),
            not_files: Vec::new(),
            problem: None,
            kilobytes,
            // What is a little too large is read, so that a report can say more about it.
            most_bytes: kilobytes.saturating_mul(1024).saturating_mul(4),
            bytes: 0,
        };
        upload.problem = read(&mut upload).err();
        upload
    }

    /// What lies in one of its folders: each file with its contents, and the names of the folders.
    pub fn entries(&self, folder: &Path) -> BTreeMap<&OsStr, Option<&[u8]>> {
        let mut entries = BTreeMap::new();
        for (path, bytes) in &self.files {
            let Ok(inner) = Path::new(OsStr::from_bytes(path)).strip_prefix(folder) else {
                continue;
            };
            let mut parts = inner.iter();
            if let Some(name) = parts.next() {
                let is_file = parts.next().is_none();
                entries.entry(name).or_insert_with(|| is_file.then_some(&bytes[..]));
            }
        }
        entries
    }

    fn folder(&mut self, folder: &Path) -> Result<(), Problem> {
        let failed = |error: &dyn std::error::Error| Problem::new(format!("cannot read: {error}"));
        let entries = WalkDir::new(folder).min_depth(1).max_depth(MOST_DEPTH).sort_by_file_name();
        for entry in entries {
            let entry = entry.map_err(|error| failed(&error))?;
            let path = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            let path = path.as_os_str().as_bytes();
            let kind = entry.file_type();
            if kind.is_symlink() {
                self.not_a_file(path, "a link");
            } else if kind.is_file() {
                let file = open_file(entry.path()).map_err(|error| failed(&error))?;
                self.add(path, file)?;
            } else if !kind.is_dir() {
                self.not_a_file(path, "a special file");
            }
        }
        Ok(())
    }

    /// Adds a file. A path that leaves the upload is an error.
    fn add(&mut self, path: &[u8], contents: impl Read) -> Result<(), Problem> {
        let path = plain(path)?;
        if self.files.len() >= MOST_FILES {
            return Err(Problem::new(format!("there are more than {MOST_FILES} files")));
        }
        if self.files.contains_key(&path) {
            let problem = Problem::new(format!("the archive holds {} twice", shown(&path)));
            return Err(problem.hint("make it again, in a new file"));
        }
        let room = self.most_bytes - self.bytes;
        let bytes = bounded(contents, room).map_err(|error| {
            Problem::new(format!("cannot read {}: {error}", shown(&path)))
                .hint("it is damaged; make it and upload it again")
        })?;
        let bytes = bytes.ok_or_else(|| self.too_large())?;
        self.bytes += bytes.len() as u64;
        self.files.insert(path, bytes);
        Ok(())
    }

    fn too_large(&self) -> Problem {
        let kilobytes = self.kilobytes;
        let unit = if kilobytes == 1 { "kilobyte" } else { "kilobytes" };
        Problem::new(format!("the files take more than four times the limit of {kilobytes} {unit}"))
            .hint("hand in only what you wrote")
    }

    /// Notes an entry that is not a file.
    fn not_a_file(&mut self, path: &[u8], what: &str) {
        let problem = Problem::new(format!("{} is {what}, not a file", shown(path)));
        self.not_files.push(problem.hint("hand in the file itself"));
    }
}

/// Opens a file without following a link or waiting for a pipe. It may be anything but a link.
///
/// # Errors
/// If it cannot be opened, or is a link.
pub fn open(path: &Path) -> io::Result<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    fs::OpenOptions::new().read(true).custom_flags(flags).open(path)
}

/// Reads at most `most` bytes. `None` if there are more.
///
/// # Errors
/// If they cannot be read.
pub fn bounded(contents: impl Read, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    contents.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// Opens a regular file.
fn open_file(path: &Path) -> io::Result<File> {
    let file = open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

fn shown(path: &[u8]) -> String {
    printable(&String::from_utf8_lossy(path))
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
        let shown = shown(&long[..20]);
        let problem = Problem::new(format!("the name {shown}… has more than {LONGEST_NAME} bytes"));
        return Err(problem.hint("give the file a shorter name"));
    }
    if leaves || parts.is_empty() || parts.len() > MOST_DEPTH {
        let problem =
            Problem::new(format!("the path {} is not allowed in a submission", shown(path)));
        return Err(problem.hint("make the archive in the folder of the files"));
    }
    Ok(parts.join(&b'/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tar(files: &[(&str, &str)]) -> Vec<u8> {
        let mut tar = tar::Builder::new(Vec::new());
        for (name, contents) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(contents.len() as u64);
            header.set_mode(0o644);
            tar.append_data(&mut header, name, contents.as_bytes()).unwrap();
        }
        tar.into_inner().unwrap()
    }

    fn message(upload: Upload) -> String {
        upload.problem.map(|problem| problem.message).unwrap_or_default()
    }

    #[test]
    fn an_archive_in_memory_is_read_as_its_folder_is() {
        let files = [("a/one.txt", "1"), ("a/b/two.txt", "22"), ("three.txt", "")];
        let folder = tempfile::tempdir().unwrap();
        for (name, contents) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, contents).unwrap();
        }
        let archive = tar(&files);
        let held = Upload::of_archive("submit.tar", &archive[..], 1);
        assert_eq!(held.files, Upload::read(folder.path(), 1).files);
        let inner = held.entries(Path::new("a"));
        let name = |name| OsStr::new(name);
        assert_eq!(inner, BTreeMap::from([(name("b"), None), (name("one.txt"), Some(&b"1"[..]))]));
        assert_eq!(held.entries(Path::new("")).len(), 2);
        assert!(held.entries(Path::new("three.txt")).is_empty());
        assert!(held.problem.is_none());
        let other = Upload::of_archive("x.c", &b"x"[..], 1);
        assert_eq!(message(other), "x.c is neither a folder nor an archive");
    }

    fn zip(files: &[(&str, &str)]) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        for (name, contents) in files {
            zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            io::Write::write_all(&mut zip, contents.as_bytes()).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn a_zip_of_windows_may_have_backslashes_between_folders() {
        let read = |name: &str| Upload::of_archive("mine.zip", &zip(&[(name, "1")])[..], 1);
        assert!(read("hw\\words.py").files.contains_key(&b"hw/words.py"[..]));
        let leaves = message(read("..\\words.py"));
        assert_eq!(leaves, "the path ../words.py is not allowed in a submission");
    }

    #[test]
    fn no_hint_names_files_of_one_language() {
        let hint = |upload: Upload| upload.problem.unwrap().hint.unwrap();
        let other = hint(Upload::of_archive("mine.rar", &b"Rar!"[..], 1));
        let large = hint(Upload::of_archive("mine.tar", io::repeat(b' '), 1));
        assert!([other, large].iter().all(|hint| !hint.contains("Makefile")));
    }

    #[test]
    fn what_does_not_end_is_too_large() {
        let endless = Upload::of_archive("submit.tar", io::repeat(b' '), 1);
        assert_eq!(message(endless), "the files take more than four times the limit of 1 kilobyte");
        let zeros = "0".repeat(5000);
        let large = tar(&[("a", "1"), ("b", &zeros)]);
        let gzip = flate2::read::GzEncoder::new(&large[..], flate2::Compression::best());
        let bomb = Upload::of_archive("submit.tar.gz", gzip, 1);
        // What was read before is there, so that a report can say more.
        assert_eq!(bomb.files.len(), 1);
        assert_eq!(message(bomb), "the files take more than four times the limit of 1 kilobyte");
    }

    #[test]
    fn a_path_stays_in_the_upload() {
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
