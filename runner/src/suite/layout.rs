//! Recognizes what a folder contains: one suite, a folder for each assignment, or a folder for each student.

use super::holds_tests;
use crate::course::{Assignment, Course};
use crate::problem::similar_path;
use crate::problem::{Exit, Failure, Problem, printable};
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The tests of one student.
    Suite,
    /// A folder of tests for each student.
    Class,
}

/// The suites of one assignment.
pub struct Group<'a> {
    pub assignment: &'a Assignment,
    /// What the folder was taken for.
    pub shape: Shape,
    pub folder: PathBuf,
    /// The suites, ordered by the names of their folders.
    pub suites: Vec<SuiteFolder>,
}

/// Where the tests of one student are.
#[derive(Debug)]
pub struct SuiteFolder {
    /// The name of the student's folder, with control characters escaped.
    pub name: String,
    /// The folder with the tests; `None` if it must not be read.
    pub path: Option<PathBuf>,
    /// Whether `path` is a folder inside the student's that is named after the assignment.
    pub is_inner: bool,
    /// Why the folder is rejected.
    pub problem: Option<Problem>,
}

/// Finds the suites in `folder`. If an assignment is `wanted`, all suites belong to it. A folder without tests is a rejected suite, if
/// its assignment is known.
///
/// # Errors
/// If there are no tests or their assignment is unknown, or if the folder is named after an assignment that is not `wanted`.
pub fn find<'a>(
    folder: &Path,
    course: &'a Course,
    wanted: Option<&str>,
) -> Result<Vec<Group<'a>>, Failure> {
    check_folder(folder)?;
    let wanted = wanted.map(|id| course.assignment(id)).transpose()?;
    let by_assignment: Vec<_> = course
        .assignments
        .iter()
        .filter(|assignment| wanted.is_none_or(|wanted| wanted.id == assignment.id))
        .filter_map(|assignment| group(&folder.join(&assignment.id), assignment))
        .collect();
    if !by_assignment.is_empty() && !holds_tests(folder) {
        return Ok(by_assignment);
    }
    if let Some(wanted) = wanted {
        check_is_not_of_another(folder, course, wanted)?;
    }
    if let Some(known) = wanted.or_else(|| only_or_named(folder, course)) {
        return Ok(vec![
            group(folder, known).unwrap_or_else(|| Group::without_tests(folder, known)),
        ]);
    }
    let inner: Vec<_> = course
        .assignments
        .iter()
        .filter_map(|assignment| class(folder, assignment))
        .filter(|group| group.inner_folders() > 0)
        .collect();
    if !inner.is_empty() {
        return Ok(inner);
    }
    fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
    // The names of tests start alike in every assignment, so any assignment finds them.
    if course.assignments.first().and_then(|any| group(folder, any)).is_some() {
        return Err(unknown_assignment(folder, course));
    }
    let hint =
        "give a folder of tests, or one that has a folder of tests for each assignment or student";
    Err(Failure::usage(
        Problem::new(format!("there are no tests in {}", folder.display())).hint(hint),
    ))
}

/// The assignment of the tests in `folder`: `wanted`, the one that the folder or its parent is named after, or the course's only
/// one.
///
/// # Errors
/// If it is unknown.
pub fn assignment<'a>(
    folder: &Path,
    course: &'a Course,
    wanted: Option<&str>,
) -> Result<&'a Assignment, Failure> {
    match wanted {
        Some(id) => course.assignment(id),
        None => only_or_named(folder, course).ok_or_else(|| unknown_assignment(folder, course)),
    }
}

/// The last part of the folder's path, with control characters escaped.
pub fn folder_name(folder: &Path) -> String {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    printable(&whole.file_name().unwrap_or(whole.as_os_str()).to_string_lossy())
}

/// The error of a folder that cannot be read.
pub(super) fn unreadable(folder: &Path, error: &io::Error) -> Failure {
    let message = format!("cannot read the folder {}: {error}", folder.display());
    let hint = "make the folder readable, or run as a user who may read it";
    Failure::new(Exit::Machine, Problem::new(message).hint(hint))
}

impl<'a> Group<'a> {
    fn suite(folder: &Path, assignment: &'a Assignment, problem: Option<Problem>) -> Self {
        let (name, path) = (folder_name(folder), Some(folder.to_owned()));
        let suites = vec![SuiteFolder { name, path, is_inner: false, problem }];
        Self { assignment, shape: Shape::Suite, folder: folder.to_owned(), suites }
    }

    fn without_tests(folder: &Path, assignment: &'a Assignment) -> Self {
        let message = format!("there are no tests in the folder `{}`", folder_name(folder));
        let example = super::name::first_name(&assignment.tests);
        let hint = format!("tests have names like `{example}`");
        Self::suite(folder, assignment, Some(Problem::new(message).hint(hint)))
    }

    /// How many students have their tests in a folder that is named after the assignment.
    pub fn inner_folders(&self) -> usize {
        self.suites.iter().filter(|suite| suite.is_inner).count()
    }
}

impl SuiteFolder {
    /// The student's folder `entry` of a class, if it is one.
    fn of_student(entry: &DirEntry, assignment: &Assignment) -> Option<Self> {
        let kind = entry.file_type().ok()?;
        let (name, path) = (printable(&entry.file_name().to_string_lossy()), entry.path());
        let rejected = |name, problem| Self { name, path: None, is_inner: false, problem };
        if kind.is_symlink() {
            match fs::metadata(&path) {
                Ok(target) if !target.is_dir() => return None,
                Ok(_) if assignment.tests.follows_links => {}
                Ok(_) => return Some(rejected(name, Some(unfollowed()))),
                Err(error) => {
                    let message = format!("this link cannot be followed: {error}");
                    return Some(rejected(name, Some(Problem::new(message))));
                }
            }
        } else if !kind.is_dir() {
            return None;
        }
        let inner = path.join(&assignment.id);
        let is_inner = !holds_tests(&path)
            && is_real_folder(&inner)
            && (holds_tests(&inner) || fs::read_dir(&inner).is_err());
        let path = Some(if is_inner { inner } else { path });
        Some(Self { name, path, is_inner, problem: None })
    }
}

fn unfollowed() -> Problem {
    Problem::new("this is a link to a folder, and the course does not follow links")
        .hint("to follow such links, write `links: follow` under `tests:` in the course file")
}

/// Whether `path` is a folder and not a link to one, which a student could point at another student's.
fn is_real_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir())
}

/// Checks that `folder` is a folder.
///
/// # Errors
/// With the most similar path.
pub fn check_folder(folder: &Path) -> Result<(), Failure> {
    let what = match fs::metadata(folder) {
        Ok(metadata) if metadata.is_dir() => return Ok(()),
        Ok(_) => "is not a folder",
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            return Err(unreadable(folder, &error));
        }
        Err(_) => "does not exist",
    };
    let hint = similar_path::hint(folder).unwrap_or_else(|| "give a folder of tests".to_owned());
    Err(Failure::usage(Problem::new(format!("{} {what}", folder.display())).hint(hint)))
}

fn check_is_not_of_another(
    folder: &Path,
    course: &Course,
    wanted: &Assignment,
) -> Result<(), Failure> {
    let Some(other) = named(folder, course, 1).filter(|other| other.id != wanted.id) else {
        return Ok(());
    };
    let message =
        format!("{} is named after another assignment than `{}`", folder.display(), wanted.id);
    let hint = format!("use --assignment {}, or give the folder another name", other.id);
    Err(Failure::usage(Problem::new(message).hint(hint)))
}

fn group<'a>(folder: &Path, assignment: &'a Assignment) -> Option<Group<'a>> {
    // The suite of a folder that cannot be read is rejected, with the reason.
    let is_unreadable = || folder.is_dir() && fs::read_dir(folder).is_err();
    if holds_tests(folder) || is_unreadable() {
        return Some(Group::suite(folder, assignment, None));
    }
    class(folder, assignment)
}

/// The folders of the students in `folder`. A student may have handed in nothing, but at least one folder must contain tests.
fn class<'a>(folder: &Path, assignment: &'a Assignment) -> Option<Group<'a>> {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .ok()?
        .flatten()
        .filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."))
        .collect();
    entries.sort_by_key(DirEntry::file_name);
    let suites: Vec<_> =
        entries.iter().filter_map(|entry| SuiteFolder::of_student(entry, assignment)).collect();
    let has_tests = suites.iter().any(|suite| suite.path.as_deref().is_some_and(holds_tests))
        || entries.iter().any(|entry| holds_tests(&entry.path()));
    has_tests.then(|| Group { assignment, shape: Shape::Class, folder: folder.to_owned(), suites })
}

/// The course's only assignment, or the one that the folder or its parent is named after.
fn only_or_named<'a>(folder: &Path, course: &'a Course) -> Option<&'a Assignment> {
    if let [only] = course.assignments.as_slice() {
        return Some(only);
    }
    named(folder, course, 2)
}

/// The assignment that one of the last `parts` of the folder's path is named after.
fn named<'a>(folder: &Path, course: &'a Course, parts: usize) -> Option<&'a Assignment> {
    let whole = folder.canonicalize().ok()?;
    let names = whole.ancestors().take(parts).filter_map(Path::file_name);
    names.into_iter().find_map(|name| {
        course.assignments.iter().find(|assignment| name == assignment.id.as_str())
    })
}

fn unknown_assignment(folder: &Path, course: &Course) -> Failure {
    let ids: Vec<_> = course.assignments.iter().map(|assignment| assignment.id.as_str()).collect();
    let message = format!("cannot tell which assignment {} belongs to", folder.display());
    Failure::usage(
        Problem::new(message).hint(format!("choose one with --assignment: {}", ids.join(", "))),
    )
}
