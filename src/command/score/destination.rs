//! Where a report goes: to standard output, or into a file that is whole or not there at all.

use crate::problem::{Failure, Problem};
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// Where a report goes.
pub(super) enum Destination {
    /// To whatever reads as it is written: standard output, a pipe, a device.
    Stream(String),
    /// Into a file, once the report is whole. Until then it is in `spool`, a file without a name.
    File {
        /// The file.
        path: PathBuf,
        /// What was written so far.
        spool: File,
        /// Whether a file that is there is overwritten.
        overwrite: bool,
    },
}

impl Destination {
    /// Standard output, and what writes to it.
    pub(super) fn stdout() -> (Self, Box<dyn Write>) {
        (Self::Stream("the report".to_owned()), Box::new(BufWriter::new(io::stdout().lock())))
    }

    /// The file `path`, and what writes to it. That it can be written is found out now, and not after the run.
    pub(super) fn file(path: &Path, overwrite: bool) -> Result<(Self, Box<dyn Write>), Failure> {
        let unwritten = |error: io::Error| {
            Failure::usage(Problem::new(format!("cannot write {}: {error}", path.display())))
        };
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
                let message = format!("{} is there already, and was left as it is", path.display());
                return Err(Failure::usage(
                    Problem::new(message).hint("name a new file, or overwrite it with --overwrite"),
                ));
            }
            _ => {}
        }
        // What a link leads to is replaced, and not the link.
        let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let spool = tempfile::tempfile_in(folder(path)).map_err(unwritten)?;
        let writer = BufWriter::new(spool.try_clone().map_err(unwritten)?);
        Ok((Self::File { path: path.to_owned(), spool, overwrite }, Box::new(writer)))
    }

    /// What it is, for an error message.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Stream(name) => name.clone(),
            Self::File { path, .. } => path.display().to_string(),
        }
    }

    /// Puts a report that is whole in its place.
    pub(super) fn keep(self) -> io::Result<()> {
        let Self::File { path, mut spool, overwrite } = self else { return Ok(()) };
        spool.rewind()?;
        let mut whole = begun(&path, like_any_other())?;
        io::copy(&mut spool, &mut whole)?;
        if overwrite { whole.persist(&path) } else { whole.persist_noclobber(&path) }
            .map_err(|error| error.error)?;
        Ok(())
    }
}

/// A file beside `path`, to be put in its place once it is whole.
pub(super) fn begun(path: &Path, permissions: Permissions) -> io::Result<NamedTempFile> {
    Builder::new().prefix(".harness-").permissions(permissions).tempfile_in(folder(path))
}

/// Whoever may read and write the user's other files may do so with this one; what is temporary is otherwise its owner's alone.
pub(super) fn like_any_other() -> Permissions {
    Permissions::from_mode(0o666)
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
