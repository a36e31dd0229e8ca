//! A crate of which some sources have other texts. They lie in a folder of their own, with links to what is beside them, and Cargo builds
//! the crate where it is: a wrapper of the compiler names them instead, so that each path in a manifest stays right.

use crate::files;
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The wrapper, and the variables by which it knows the source of the library, and the one that takes its place.
const WRAPPER: &str = include_str!("altered.sh");
const VARIABLES: [&str; 2] = ["HARNESS_SOURCE", "HARNESS_ALTERED"];

pub(super) struct Altered<'a> {
    /// The folder of the crate.
    pub(super) package: &'a Path,
    /// The other texts, by their paths in it. The first is that of the library.
    pub(super) files: &'a [(PathBuf, String)],
    /// Where they lie.
    pub(super) place: PathBuf,
}

impl Altered<'_> {
    /// Lets this call of Cargo compile the other texts.
    pub(super) fn apply(&self, cargo: &mut Command) -> io::Result<()> {
        let package = self.package.canonicalize()?;
        let copy = self.place.join("crate");
        self.lay(&package, Path::new(""), &copy)?;
        let wrapper = self.place.join("wrapper");
        put(&wrapper, WRAPPER)?;
        fs::set_permissions(&wrapper, PermissionsExt::from_mode(0o755))?;
        cargo.env("RUSTC_WORKSPACE_WRAPPER", wrapper);
        let library = self.files.first().map_or(Path::new(""), |(path, _)| path);
        for (variable, folder) in VARIABLES.into_iter().zip([&package, &copy]) {
            cargo.env(variable, folder.join(library));
        }
        Ok(())
    }

    /// Lays the texts that are in the folder `inner` of the crate, and links to what else is there.
    fn lay(&self, package: &Path, inner: &Path, copy: &Path) -> io::Result<()> {
        fs::create_dir_all(copy.join(inner))?;
        for entry in fs::read_dir(package.join(inner))? {
            let path = inner.join(entry?.file_name());
            if let Some((_, text)) = self.files.iter().find(|(file, _)| *file == path) {
                put(&copy.join(path), text)?;
            } else if self.files.iter().any(|(file, _)| file.starts_with(&path)) {
                self.lay(package, &path, copy)?;
            } else if copy.join(&path).symlink_metadata().is_err() {
                symlink(package.join(&path), copy.join(&path))?;
            }
        }
        Ok(())
    }
}

/// Writes a file, unless it is the same, so that Cargo compiles only what has changed.
fn put(path: &Path, text: &str) -> io::Result<()> {
    let is_same = fs::read(path).is_ok_and(|found| found == text.as_bytes());
    if is_same { Ok(()) } else { files::replace(path, text.as_bytes()) }
}
