//! Recognizes what a folder contains: one suite, a folder for each assignment, or a folder or archive for each student.

mod entries;
mod reading;
mod student;

pub use entries::{Entry, EntryKind, Stray, entries, only_archive, shown, student};
pub use reading::{Reading, Seen, both};
pub use student::{Place, SuiteFolder};

use crate::course::{Assignment, Course};
use crate::diagnostic::similar_path;
use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::files::{self, upload};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The tests of one student.
    Suite,
    /// A folder or archive of tests for each student.
    Class,
}

/// The suites of one assignment.
pub struct Group<'a> {
    pub assignment: &'a Assignment,
    /// What the folder was taken for.
    pub shape: Shape,
    pub folder: PathBuf,
    /// The suites, ordered by the names of their folders and archives.
    pub suites: Vec<SuiteFolder>,
    /// What lies in the folder of a class and is no suite.
    pub strays: Vec<Stray>,
}

/// Finds the suites in `folder`, or in an archive. If an assignment is `wanted`, all suites belong to it. A folder without tests is a
/// rejected suite, if its assignment is known.
///
/// # Errors
/// If there are no tests or their assignment is unknown, if the folder is named after an assignment that is not `wanted`, or if it may
/// be a suite or a class.
pub fn find<'a>(
    folder: &Path,
    course: &'a Course,
    wanted: Option<&str>,
    reading: Reading,
) -> Result<Vec<Group<'a>>, Failure> {
    if folder.is_file() && upload::without_ending(&folder.to_string_lossy()).is_some() {
        let near = files::folder_of(folder);
        let assignment = self::assignment(near, course, wanted)?;
        let suite = SuiteFolder::of_archive(student(folder), folder, course, assignment);
        return Ok(vec![Group::suite(folder, assignment, suite)]);
    }
    check_folder(folder, OF_TESTS)?;
    let wanted = wanted.map(|id| course.assignment(id)).transpose()?;
    let group = |folder: &Path, assignment| group(folder, course, assignment, reading);
    if !course.assignments.iter().any(|assignment| holds_tests(folder, assignment)) {
        let mut by_assignment = Vec::new();
        for assignment in &course.assignments {
            if wanted.is_none_or(|wanted| wanted.id == assignment.id)
                && let Some(inner) = named_after(folder, assignment)
            {
                by_assignment.extend(group(&inner, assignment)?.map(|group| group.noting(&inner)));
            }
        }
        if !by_assignment.is_empty() {
            return Ok(by_assignment);
        }
    }
    if let Some(wanted) = wanted {
        check_is_not_of_another(folder, course, wanted)?;
    }
    if let Some(known) = wanted.or_else(|| only_or_named(folder, course)) {
        let group = group(folder, known)?;
        return Ok(vec![group.unwrap_or_else(|| Group::one(folder, course, known))]);
    }
    let mut inner = Vec::new();
    for assignment in &course.assignments {
        inner.extend(group(folder, assignment)?.filter(|group| group.inner_folders() > 0));
    }
    if !inner.is_empty() {
        return Ok(inner);
    }
    fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
    for any in &course.assignments {
        if group(folder, any)?.is_some() {
            return Err(unknown_assignment(folder, course));
        }
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
    shown(whole.file_name().unwrap_or(whole.as_os_str()))
}

/// The error of a folder that cannot be read.
pub(super) fn unreadable(folder: &Path, error: &io::Error) -> Failure {
    let message = format!("cannot read the folder {}: {error}", folder.display());
    let hint = match error.kind() {
        io::ErrorKind::NotFound => "it has vanished since the run began; run the command again",
        _ => "make the folder readable, or run as a user who may read it",
    };
    Failure::new(FailureKind::Machine, Problem::new(message).hint(hint))
}

impl<'a> Group<'a> {
    fn suite(folder: &Path, assignment: &'a Assignment, suite: SuiteFolder) -> Self {
        let (suites, strays) = (vec![suite], Vec::new());
        Self { assignment, shape: Shape::Suite, folder: folder.to_owned(), suites, strays }
    }

    /// The suite of one student, whatever the folder has.
    fn one(folder: &Path, course: &Course, assignment: &'a Assignment) -> Self {
        let suite = SuiteFolder::of_folder(folder_name(folder), folder, course, assignment);
        Self::suite(folder, assignment, suite)
    }

    /// The same, noting that the suite's folder has not quite the name of the assignment.
    fn noting(mut self, folder: &Path) -> Self {
        if let (Shape::Suite, [suite]) = (self.shape, self.suites.as_mut_slice())
            && folder.file_name().is_none_or(|name| name != self.assignment.id.as_str())
        {
            suite.note = Some(format!("the tests are in the folder `{}`", folder_name(folder)));
        }
        self
    }

    /// How many students have their tests in a folder that is named after the assignment.
    pub fn inner_folders(&self) -> usize {
        self.suites.iter().filter(|suite| suite.is_inner).count()
    }
}

/// Whether `folder` contains a file whose name looks like that of a test of the assignment.
fn holds_tests(folder: &Path, assignment: &Assignment) -> bool {
    entries(folder).is_ok_and(|entries| student::loose_tests(&entries, assignment) > 0)
}

/// The folder in `folder` that is named after the assignment, or else the only one whose name differs only in case.
fn named_after(folder: &Path, assignment: &Assignment) -> Option<PathBuf> {
    let exact = folder.join(&assignment.id);
    if exact.is_dir() {
        return Some(exact);
    }
    let is_similar = |entry: &Entry| {
        entry.kind == EntryKind::Folder && entry.name.eq_ignore_ascii_case(&assignment.id)
    };
    let mut similar = entries(folder).ok()?.into_iter().filter(is_similar);
    similar.next().filter(|_| similar.next().is_none()).map(|entry| entry.path)
}

fn unfollowed() -> Problem {
    Problem::new("this is a link to a folder, and the course does not follow links")
        .hint("to follow such links, write `links: follow` under `tests:` in the course file")
}

/// What to give where tests are read.
pub const OF_TESTS: &str = "give a folder of tests";

/// Checks that `folder` is a folder. `remedy` says what to give, if no path is similar.
///
/// # Errors
/// With the most similar path.
pub fn check_folder(folder: &Path, remedy: &str) -> Result<(), Failure> {
    let what = match fs::metadata(folder) {
        Ok(metadata) if metadata.is_dir() => return Ok(()),
        Ok(_) => "is not a folder",
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            return Err(unreadable(folder, &error));
        }
        Err(_) => "does not exist",
    };
    let hint = similar_path::hint(folder).unwrap_or_else(|| remedy.to_owned());
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

/// The suite or the class in `folder`. `None` if it has no tests.
fn group<'a>(
    folder: &Path,
    course: &Course,
    assignment: &'a Assignment,
    reading: Reading,
) -> Result<Option<Group<'a>>, Failure> {
    let one = || Some(Group::one(folder, course, assignment));
    // The suite of a folder that cannot be read is rejected, with the reason.
    let Ok(entries) = entries(folder) else { return Ok(one().filter(|_| folder.is_dir())) };
    let class = class(folder, &entries, course, assignment);
    let is_link_with_tests = |entry: &&Entry| {
        entry.kind == EntryKind::LinkToFolder && holds_tests(&entry.path, assignment)
    };
    let seen = Seen {
        loose: student::loose_tests(&entries, assignment),
        students: class.suites.iter().filter(|suite| suite.may_have_tests(assignment)).count()
            + entries.iter().filter(is_link_with_tests).count(),
        archives: entries.iter().filter(|entry| entry.kind == EntryKind::Archive).count(),
    };
    if reading.decide(folder, seen)? == Shape::Class {
        return Ok(Some(class).filter(|class| !class.suites.is_empty()));
    }
    if seen.loose > 0 {
        return Ok(one());
    }
    Ok(match only_archive(&entries) {
        Some(archive) => {
            let name = folder_name(folder);
            let suite = SuiteFolder::of_archive(name, archive, course, assignment);
            Some(Group::suite(folder, assignment, suite))
        }
        None => one().filter(|group| group.suites[0].may_have_tests(assignment)),
    })
}

/// The folders and archives of the students in `folder`. A student may have handed in nothing.
fn class<'a>(
    folder: &Path,
    entries: &[Entry],
    course: &Course,
    assignment: &'a Assignment,
) -> Group<'a> {
    let is_student = |entry: &&Entry| {
        !matches!(entry.kind, EntryKind::File | EntryKind::Link | EntryKind::Special)
            && !student::is_loose_test(entry, assignment)
    };
    let (students, others): (Vec<_>, Vec<_>) = entries.iter().partition(is_student);
    let names = entries::distinct(&students);
    let suite = |(entry, name): (&Entry, String)| match entry.kind {
        EntryKind::Archive => SuiteFolder::of_archive(name, &entry.path, course, assignment),
        EntryKind::LinkToFolder if !assignment.tests.follows_links => {
            SuiteFolder::rejected(name, unfollowed())
        }
        EntryKind::BrokenLink => {
            let error = fs::metadata(&entry.path).err();
            let why = error.map(|error| format!(": {error}")).unwrap_or_default();
            let message = format!("this link cannot be followed{why}");
            SuiteFolder::rejected(name, Problem::new(message))
        }
        _ => SuiteFolder::of_folder(name, &entry.path, course, assignment),
    };
    let suites = students.into_iter().zip(names).map(suite).collect();
    let strays =
        others.iter().map(|entry| entry.stray(student::is_loose_test(entry, assignment))).collect();
    Group { assignment, shape: Shape::Class, folder: folder.to_owned(), suites, strays }
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
    let mut hint = format!("choose one with --assignment: {}", ids.join(", "));
    if let Some(other) = other_course(folder, course) {
        let other = shown(other.as_os_str());
        hint = format!("if it belongs to the course in {other}, use --course {other}; else {hint}");
    }
    Failure::usage(Problem::new(message).hint(hint))
}

/// The nearest folder above `folder` that has a course file, if that is another course's.
fn other_course(folder: &Path, course: &Course) -> Option<PathBuf> {
    let whole = |path: &Path| path.canonicalize().ok();
    let absolute = whole(folder)?;
    let named = folder.ancestors().filter(|path| !path.as_os_str().is_empty());
    let mut above = named.chain(absolute.ancestors());
    let near = above.find(|path| path.join("harness.yaml").is_file())?;
    (whole(near) != whole(files::folder_of(&course.folder.join("harness.yaml"))))
        .then(|| near.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_has_vanished_need_not_be_made_readable() {
        let hint = |kind: io::ErrorKind| {
            let problem = unreadable(Path::new("class/ann"), &kind.into()).problems.remove(0);
            problem.hint.unwrap_or_default()
        };
        assert!(hint(io::ErrorKind::NotFound).contains("it has vanished"));
        assert!(hint(io::ErrorKind::PermissionDenied).contains("make the folder readable"));
    }
}
