//! Finds the submissions in a path: one, or a class of them.

use crate::course::{Assignment, Course, Submission};
use crate::diagnostic::similar_path;
use crate::diagnostic::{Failure, Problem};
use crate::result::LeftOut;
use crate::submission::check;
use crate::suite::layout::{self, Entry, EntryKind, Reading, Seen, Shape};
use std::path::{Path, PathBuf};

/// The submissions for one assignment.
pub struct Submissions<'a> {
    pub assignment: &'a Assignment,
    pub submission: &'a Submission,
    /// Folders and archives, ordered by name.
    pub paths: Vec<PathBuf>,
    /// What lies in the folder of a class and is no submission.
    pub left_out: Vec<LeftOut>,
}

/// Finds the submissions in `path`.
///
/// # Errors
/// If there are none, their assignment is unknown, or `path` may be one submission or a class.
pub fn find<'a>(
    path: &Path,
    course: &'a Course,
    wanted: Option<&str>,
    reading: Reading,
) -> Result<Submissions<'a>, Failure> {
    if path.symlink_metadata().is_err() {
        let hint =
            similar_path::hint(path).unwrap_or_else(|| "name a folder or an archive".to_owned());
        let message = format!("{} does not exist", path.display());
        return Err(Failure::usage(Problem::new(message).hint(hint)));
    }
    let near = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    let near = if near.as_os_str().is_empty() { Path::new(".") } else { near };
    let by_assignment = if path.is_dir() { by_assignment(path, course, wanted) } else { None };
    if let Some(failure) =
        by_assignment.filter(|_| !matches!(reading, Reading::One | Reading::Class))
    {
        return Err(failure);
    }
    let assignment = layout::assignment(near, course, wanted)?;
    let submission = rules(assignment)?;
    let one = |paths| Submissions { assignment, submission, paths, left_out: Vec::new() };
    if !path.is_dir() {
        return Ok(one(vec![path.to_owned()]));
    }
    let entries = layout::entries(path)
        .map_err(|error| Failure::machine(format!("read {}", path.display()), error))?;
    if shape(path, &entries, submission, reading)? == Shape::Suite {
        // A platform hands over a folder with the archive that the student uploaded.
        let archive = layout::only_archive(&entries);
        let has_files = entries.iter().any(|entry| is_handed_in(entry, submission));
        return Ok(one(vec![archive.filter(|_| !has_files).unwrap_or(path).to_owned()]));
    }
    let is_student = |entry: &Entry| {
        matches!(
            entry.kind,
            EntryKind::Folder
                | EntryKind::LinkToFolder
                | EntryKind::BrokenLink
                | EntryKind::Archive
        )
    };
    let (students, others): (Vec<_>, Vec<_>) = entries.into_iter().partition(is_student);
    let stray = |entry: &Entry| entry.stray(is_handed_in(entry, submission)).into();
    let left_out = others.iter().map(stray).collect();
    Ok(Submissions { left_out, ..one(students.into_iter().map(|entry| entry.path).collect()) })
}

/// The error of a folder that has a folder for each assignment, and no other. Sources lie neither in it nor in those.
fn by_assignment(path: &Path, course: &Course, wanted: Option<&str>) -> Option<Failure> {
    let entries = layout::entries(path).ok()?;
    let folders: Vec<_> = entries.iter().filter(|it| it.kind == EntryKind::Folder).collect();
    let of = |folder: &Entry| {
        let assignment = course.assignments.iter().find(|it| it.id == folder.name)?;
        let submission = assignment.submission.as_ref()?;
        let inner = layout::entries(&folder.path).ok()?;
        let has_sources = entries.iter().chain(&inner).any(|it| is_handed_in(it, submission));
        (!has_sources).then_some(&*assignment.id)
    };
    let ids = folders.iter().map(|folder| of(folder)).collect::<Option<Vec<_>>>()?;
    let chosen = ids.iter().find(|id| wanted == Some(**id)).or(ids.first())?;
    let message = format!("{} has a folder for each assignment", path.display());
    let hint = format!("grade one of them, as in `harness grade {}`", path.join(chosen).display());
    Some(Failure::usage(Problem::new(message).hint(hint)))
}

/// What the course says about submissions for an assignment.
pub(super) fn rules(assignment: &Assignment) -> Result<&Submission, Failure> {
    assignment.submission.as_ref().ok_or_else(|| {
        let id = &assignment.id;
        let message = format!("the course says nothing about submissions for `{id}`");
        let hint = "add a `submission:` entry to the assignment in harness.yaml";
        Failure::usage(Problem::new(message).hint(hint))
    })
}

/// Whether the folder is one submission or a class.
fn shape(
    path: &Path,
    entries: &[Entry],
    submission: &Submission,
    reading: Reading,
) -> Result<Shape, Failure> {
    let of = |kind| entries.iter().filter(move |entry| entry.kind == kind);
    let folders = || of(EntryKind::Folder).chain(of(EntryKind::LinkToFolder));
    let has_files = of(EntryKind::File).next().is_some();
    let seen = Seen {
        loose: entries.iter().filter(|entry| is_handed_in(entry, submission)).count(),
        students: folders().filter(|entry| is_submission(&entry.path, submission)).count(),
        archives: of(EntryKind::Archive).count(),
    };
    // Folders of which none has sources may be those of students who handed in nothing, or parts of one submission.
    let are_unclear = seen.loose + seen.students + seen.archives == 0 && folders().next().is_some();
    match reading {
        Reading::Seen if are_unclear && has_files => Err(layout::both(path)),
        Reading::RatherOne if are_unclear && has_files => Ok(Shape::Suite),
        Reading::Seen | Reading::RatherOne | Reading::RatherClass if are_unclear => {
            Ok(Shape::Class)
        }
        _ => reading.decide(path, seen),
    }
}

/// Whether a folder, or the only folder in it, looks like a whole submission: it has a file that every submission needs. A folder of
/// sources or of tests alone may be a part of one.
fn is_submission(folder: &Path, submission: &Submission) -> bool {
    let mut entries = layout::entries(folder).unwrap_or_default();
    if let [only] = entries.as_slice()
        && only.kind == EntryKind::Folder
    {
        entries = layout::entries(&only.path).unwrap_or_default();
    }
    let is_needed = |entry: &Entry| submission.needed().contains(&entry.name);
    let is_any = submission.needed().is_empty();
    entries.iter().any(|it| is_handed_in(it, submission) && (is_any || is_needed(it)))
}

/// Whether an entry is a file that belongs to a submission.
fn is_handed_in(entry: &Entry, submission: &Submission) -> bool {
    entry.kind == EntryKind::File && check::is_allowed(&entry.name, submission)
}
