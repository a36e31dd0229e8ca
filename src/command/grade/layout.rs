//! Finds the submissions in a path: one, or a class of them.

use crate::course::{Assignment, Course, Submission};
use crate::problem::similar_path;
use crate::problem::{Failure, Problem};
use crate::submission::unpack::ENDINGS;
use crate::suite::layout;
use std::fs;
use std::path::{Path, PathBuf};

/// The submissions for one assignment.
pub(super) struct Class<'a> {
    pub(super) assignment: &'a Assignment,
    pub(super) submission: &'a Submission,
    /// Folders and archives, ordered by name.
    pub(super) paths: Vec<PathBuf>,
}

/// Finds the submissions in `path`.
///
/// # Errors
/// If there are none, or their assignment is unknown.
pub(super) fn find<'a>(
    path: &Path,
    course: &'a Course,
    wanted: Option<&str>,
) -> Result<Class<'a>, Failure> {
    if path.symlink_metadata().is_err() {
        let hint =
            similar_path::hint(path).unwrap_or_else(|| "name a folder or an archive".to_owned());
        let message = format!("{} does not exist", path.display());
        return Err(Failure::usage(Problem::new(message).hint(hint)));
    }
    let near = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    let near = if near.as_os_str().is_empty() { Path::new(".") } else { near };
    let assignment = layout::assignment(near, course, wanted)?;
    let Some(submission) = &assignment.submission else {
        let problem = Problem::new(format!(
            "the course says nothing about submissions for `{}`",
            assignment.id
        ));
        let hint = "add a `submission:` entry to the assignment in harness.yaml";
        return Err(Failure::usage(problem.hint(hint)));
    };
    let paths = if path.is_dir() && !is_submission(path) { inner(path)? } else { Vec::new() };
    let paths = if paths.is_empty() { vec![path.to_owned()] } else { paths };
    Ok(Class { assignment, submission, paths })
}

/// Whether a folder holds the files of one submission.
fn is_submission(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_file = entry.file_type().is_ok_and(|kind| !kind.is_dir());
        is_file && !name.starts_with('.') && !is_archive(&name)
    })
}

fn is_archive(name: &str) -> bool {
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// The folders and archives in a folder.
fn inner(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder)
        .map_err(|error| Failure::machine(format!("read {}", folder.display()), error))?;
    let mut paths: Vec<_> = entries
        .flatten()
        .filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."))
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    Ok(paths)
}
