//! The files of a student's archive in a temporary folder, for a command that only scores tests. The limits are those of submissions.

use super::contents::Found;
use super::unpack;
use crate::course::Assignment;
use crate::course::submission::Rule;
use crate::diagnostic::Problem;
use crate::files;
use crate::suite::Unpacked;
use crate::suite::layout::shown;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The limit if the course says nothing about submissions.
const KILOBYTES: u64 = 2048;

/// Unpacks `archive`.
///
/// # Errors
/// If it cannot be read, breaks a limit, or holds a path that leaves it.
pub fn unpacked(archive: &Path, assignment: &Assignment) -> Result<Unpacked, Problem> {
    let mut found = Found::new(assignment.submission.as_ref().map_or(KILOBYTES, |it| it.kilobytes));
    unpack::read(archive, &mut found)?;
    let failed =
        |error: io::Error| Problem::new(format!("the archive cannot be unpacked: {error}"));
    let folder = files::temporary_folder().map_err(failed)?;
    for (path, bytes) in &found.files {
        let file = folder.path().join(OsStr::from_bytes(path));
        fs::create_dir_all(files::folder_of(&file)).map_err(failed)?;
        fs::write(file, bytes).map_err(failed)?;
    }
    let name = shown(archive.file_name().unwrap_or_default());
    let left_out = found.broken.into_iter().filter(|(rule, _)| *rule == Rule::Links);
    Ok(Unpacked { folder, left_out: left_out.map(|(_, it)| (name.clone(), it)).collect() })
}
