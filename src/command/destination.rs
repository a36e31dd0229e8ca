//! Where a report goes: standard output, or a file that is complete or not there at all.

use crate::diagnostic::{Failure, Problem};
use crate::files;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Where a report goes.
pub(super) enum Destination {
    /// Standard output, a pipe or a device, with its name. It is written at once.
    Stream(String),
    /// A file that is written once the report is complete. Until then the report is in `spool`, a file without a name.
    File { path: PathBuf, spool: File, overwrite: bool },
    /// A folder with a file for each student. The files are written once all reports are complete.
    Folder { path: PathBuf, files: Files, documents: Students, overwrite: bool },
}

/// The name of each student's file, by the student's name.
pub(super) type Files = BTreeMap<String, String>;

/// The document of each student, by the student's name.
pub(super) type Students = Rc<RefCell<BTreeMap<String, String>>>;

impl Destination {
    /// Standard output, and what writes to it.
    pub(super) fn stdout() -> (Self, Box<dyn Write>) {
        (Self::Stream("the report".to_owned()), Box::new(BufWriter::new(io::stdout().lock())))
    }

    /// The file `path`, and what writes to it. Fails now if the file cannot be written, and not after the run.
    pub(super) fn file(path: &Path, overwrite: bool) -> Result<(Self, Box<dyn Write>), Failure> {
        let unwritten = |error| unwritten(path, &error);
        match fs::metadata(path) {
            Ok(there) if there.is_dir() => {
                let message = format!("{} is a folder", path.display());
                return Err(Failure::usage(Problem::new(message).hint("name a file in it")));
            }
            Ok(there) if !there.is_file() => {
                let stream = File::options().write(true).open(path).map_err(unwritten)?;
                return Ok((
                    Self::Stream(path.display().to_string()),
                    Box::new(BufWriter::new(stream)),
                ));
            }
            Ok(_) if !overwrite => {
                let message = format!("{} already exists", path.display());
                return Err(Failure::usage(
                    Problem::new(message).hint("name a new file, or use --overwrite"),
                ));
            }
            _ => {}
        }
        // A link is followed: its target is replaced.
        let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let spool = files::nameless_in(files::folder_of(path)).map_err(unwritten)?;
        let writer = BufWriter::new(spool.try_clone().map_err(unwritten)?);
        Ok((Self::File { path: path.to_owned(), spool, overwrite }, Box::new(writer)))
    }

    /// The folder `path`, with a file for each of `students`. Fails now if a file cannot be written, and not after the run.
    pub(super) fn folder<'a>(
        path: &Path,
        ending: &'static str,
        students: impl Iterator<Item = &'a str>,
        overwrite: bool,
    ) -> Result<(Self, Students), Failure> {
        let unwritten = |error| unwritten(path, &error);
        // A folder that is not there yet is made once there is something to write to it.
        let there = if path.exists() { path } else { files::folder_of(path) };
        tempfile::tempfile_in(there).map_err(unwritten)?;
        let files = files(students, ending);
        for file in files.values() {
            let file = path.join(file);
            if !overwrite && file.symlink_metadata().is_ok() {
                let message = format!("{} already exists", file.display());
                return Err(Failure::usage(
                    Problem::new(message).hint("name a new folder, or use --overwrite"),
                ));
            }
        }
        let documents = Students::default();
        let path = path.to_owned();
        Ok((Self::Folder { path, files, documents: documents.clone(), overwrite }, documents))
    }

    /// The files of the students whose name is not that of their file.
    pub(super) fn renamed(&self) -> Files {
        let Self::Folder { files, .. } = self else { return Files::new() };
        let is_other = |(student, file): &(&String, &String)| {
            file.strip_prefix(student.as_str()).is_none_or(|rest| !rest.starts_with('.'))
        };
        files.iter().filter(is_other).map(|(it, file)| (it.clone(), file.clone())).collect()
    }

    /// Its name in error messages.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Stream(name) => name.clone(),
            Self::File { path, .. } | Self::Folder { path, .. } => path.display().to_string(),
        }
    }

    /// Puts a complete report in its place.
    pub(super) fn keep(self) -> io::Result<()> {
        match self {
            Self::Stream(_) => Ok(()),
            Self::File { path, mut spool, overwrite } => {
                spool.rewind()?;
                let mut whole = files::begin(&path)?;
                io::copy(&mut spool, &mut whole)?;
                if overwrite { whole.persist(&path) } else { whole.persist_noclobber(&path) }
                    .map_err(|error| error.error)?;
                Ok(())
            }
            Self::Folder { path, files, documents, overwrite } => {
                fs::create_dir_all(&path)?;
                let write = if overwrite { files::replace } else { files::create };
                // One file that cannot be written does not keep those of other students from their places.
                let written: Vec<_> = documents
                    .borrow()
                    .iter()
                    .map(|(student, document)| {
                        write(&path.join(&files[student]), document.as_bytes())
                    })
                    .collect();
                written.into_iter().collect()
            }
        }
    }
}

/// The file of each student, of which no two are the same.
fn files<'a>(students: impl Iterator<Item = &'a str>, ending: &str) -> Files {
    let mut taken = BTreeSet::new();
    let mut files = Files::new();
    for student in students {
        // A student of a class has results for several assignments.
        if files.contains_key(student) {
            continue;
        }
        let name = files::file_name(student);
        let free = (2..).map(|number| format!("{name} ({number})"));
        let mut names = std::iter::once(name.clone()).chain(free);
        let name = names.find(|name| taken.insert(name.clone())).unwrap_or_default();
        files.insert(student.to_owned(), format!("{name}.{ending}"));
    }
    files
}

/// The failure to write to a file or folder that the command line names.
fn unwritten(path: &Path, error: &io::Error) -> Failure {
    if error.kind() != io::ErrorKind::NotFound {
        return Failure::unwritable(path, error);
    }
    let problem = Problem::new(format!("cannot write {}: {error}", path.display()));
    let folder = files::folder_of(path).display();
    Failure::usage(problem.hint(format!("there is no folder {folder}: make it first")))
}
