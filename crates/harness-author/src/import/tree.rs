//! The files of a package. Nothing outside its folder is read, and nothing large.

use harness::diagnostic::{Failure, Problem, printable};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// The most bytes of a file and of all files, and the most files and folders of a part.
const FILE: u64 = 64 << 20;
const ALL: u64 = 256 << 20;
const ENTRIES: usize = 20_000;
const DEPTH: usize = 12;

/// The folder of a package.
pub(super) struct Tree {
    /// As the user names it.
    shown: PathBuf,
    /// Without links.
    root: PathBuf,
}

impl Tree {
    /// # Errors
    /// If it is not a folder.
    pub(super) fn open(folder: &Path) -> Result<Self, Failure> {
        let refused = |problem: String, hint: &str| {
            Err(Failure::usage(Problem::new(printable(&problem)).hint(hint)))
        };
        let shown = folder.display();
        if folder.is_file() {
            return refused(format!("{shown} is a file"), "unpack it, and name its folder");
        }
        match folder.canonicalize() {
            Ok(root) if root.is_dir() => Ok(Self { shown: folder.to_owned(), root }),
            _ => refused(format!("{shown} is not a folder"), "name the folder of a package"),
        }
    }

    /// The path of a part, as the user would name it.
    pub(super) fn shown(&self, part: &Path) -> PathBuf {
        self.shown.join(part)
    }

    /// The package's own name.
    pub(super) fn name(&self) -> String {
        self.root.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    pub(super) fn has(&self, part: &str) -> bool {
        self.root.join(part).symlink_metadata().is_ok()
    }

    /// The problem of a part.
    pub(super) fn problem(&self, part: &Path, what: &str) -> Problem {
        Problem::new(printable(&format!("{} {what}", self.shown(part).display())))
    }

    /// The failure of a part.
    pub(super) fn failure(&self, part: &Path, what: &str) -> Failure {
        Failure::usage(self.problem(part, what))
    }

    /// The files and folders in the folder `part`, in order. None if there is no such folder.
    pub(super) fn children(&self, part: &Path) -> Result<Vec<PathBuf>, Failure> {
        self.walk(part, 1)
    }

    /// The files in `part` and its folders, or `part` itself if it is a file, in order.
    pub(super) fn files(&self, part: &Path) -> Result<Vec<PathBuf>, Failure> {
        let mut files = self.walk(part, DEPTH)?;
        files.retain(|path| self.root.join(path).is_file());
        Ok(files)
    }

    fn walk(&self, part: &Path, depth: usize) -> Result<Vec<PathBuf>, Failure> {
        let start = self.root.join(part);
        if start.symlink_metadata().is_err() {
            return Ok(Vec::new());
        }
        self.check(part)?;
        let least = usize::from(start.is_dir());
        let is_seen = |entry: &DirEntry| {
            entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".")
        };
        let walk = WalkDir::new(&start).min_depth(least).max_depth(depth).sort_by_file_name();
        let mut paths = Vec::new();
        let mut bytes = 0;
        for entry in walk.into_iter().filter_entry(is_seen) {
            let entry = entry.map_err(|error| {
                self.failure(part, &format!("cannot be read: {}", io::Error::from(error)))
            })?;
            let path = entry.path().strip_prefix(&self.root).unwrap_or(entry.path()).to_owned();
            bytes += self.check(&path)?;
            paths.push(path);
            if paths.len() > ENTRIES || bytes > ALL {
                return Err(self.failure(part, "has too many files, or too large ones"));
            }
        }
        Ok(paths)
    }

    /// Checks a path, and gives the length of its file. A link may lead to a file of the package only.
    fn check(&self, path: &Path) -> Result<u64, Failure> {
        let full = self.root.join(path);
        if path.to_str().is_none() {
            return Err(self.failure(path, "has a name that is not UTF-8"));
        }
        let failed = |error: &io::Error| self.failure(path, &format!("cannot be read: {error}"));
        let is_link = full.symlink_metadata().map_err(|error| failed(&error))?.is_symlink();
        let Ok(resolved) = full.canonicalize() else {
            return Err(self.failure(path, "is a link that leads nowhere"));
        };
        if !resolved.starts_with(&self.root) {
            return Err(self.failure(path, "leads out of the package"));
        }
        let found = resolved.metadata().map_err(|error| failed(&error))?;
        match found {
            found if found.is_dir() && is_link => {
                Err(self.failure(path, "is a link to a folder, which is not followed"))
            }
            found if found.is_dir() => Ok(0),
            found if !found.is_file() => Err(self.failure(path, "is neither a file nor a folder")),
            found if found.len() > FILE => {
                Err(self.failure(path, &format!("has more than {} MB", FILE >> 20)))
            }
            found => Ok(found.len()),
        }
    }

    /// The contents of a file.
    pub(super) fn read(&self, file: &Path) -> Result<Vec<u8>, Failure> {
        self.check(file)?;
        let mut contents = Vec::new();
        let read = File::open(self.root.join(file))
            .and_then(|opened| opened.take(FILE).read_to_end(&mut contents));
        match read {
            Ok(_) => Ok(contents),
            Err(error) => Err(self.failure(file, &format!("cannot be read: {error}"))),
        }
    }

    /// The text of a file.
    pub(super) fn text(&self, file: &Path) -> Result<String, Failure> {
        let text = String::from_utf8(self.read(file)?);
        text.map_err(|_| self.failure(file, "is not UTF-8 text"))
    }
}
