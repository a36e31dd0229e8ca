//! Recognizes what a folder contains: one suite, a folder for each assignment, or a folder for each student.

use super::holds_tests;
use crate::course::{Assignment, Course};
use crate::problem::similar_path;
use crate::problem::{Failure, Problem, printable};
use std::fs;
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
    /// The folders of the suites, ordered by name.
    pub suites: Vec<PathBuf>,
}

/// Finds the suites in `folder`. If an assignment is `wanted`, all suites belong to it.
///
/// # Errors
/// If there are none, or their assignment is unknown.
pub fn find<'a>(
    folder: &Path,
    course: &'a Course,
    wanted: Option<&str>,
) -> Result<Vec<Group<'a>>, Failure> {
    if !folder.is_dir() {
        let what = if folder.exists() { "is not a folder" } else { "does not exist" };
        let hint =
            similar_path::hint(folder).unwrap_or_else(|| "give a folder of tests".to_owned());
        return Err(Failure::usage(
            Problem::new(format!("{} {what}", folder.display())).hint(hint),
        ));
    }
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
    let known = wanted.or_else(|| only_or_named(folder, course));
    // The names of tests start alike in every assignment, so any assignment finds them.
    match (known, known.or(course.assignments.first()).and_then(|any| group(folder, any))) {
        (Some(_), Some(group)) => Ok(vec![group]),
        (None, Some(_)) => Err(unknown_assignment(folder, course)),
        (known, None) => {
            let hint = match known {
                Some(assignment) => {
                    format!("tests have names like `{}`", super::name::file_name(1, &first_flags(assignment)))
                }
                None => "give a folder of tests, or one that has a folder of tests for each assignment or student".to_owned(),
            };
            Err(Failure::usage(
                Problem::new(format!("there are no tests in {}", folder.display())).hint(hint),
            ))
        }
    }
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

fn group<'a>(folder: &Path, assignment: &'a Assignment) -> Option<Group<'a>> {
    if holds_tests(folder) {
        return Some(Group {
            assignment,
            shape: Shape::Suite,
            folder: folder.to_owned(),
            suites: vec![folder.to_owned()],
        });
    }
    let mut suites: Vec<PathBuf> = fs::read_dir(folder)
        .ok()?
        .flatten()
        .filter(|entry| {
            entry.file_type().is_ok_and(|kind| kind.is_dir())
                && !entry.file_name().as_encoded_bytes().starts_with(b".")
        })
        .map(|entry| entry.path())
        .collect();
    suites.sort();
    // A student may have handed in nothing, but at least one folder must contain tests.
    let is_class = suites.iter().any(|suite| holds_tests(suite));
    is_class.then(|| Group { assignment, shape: Shape::Class, folder: folder.to_owned(), suites })
}

/// The course's only assignment, or the one that the folder or its parent is named after.
fn only_or_named<'a>(folder: &Path, course: &'a Course) -> Option<&'a Assignment> {
    if let [only] = course.assignments.as_slice() {
        return Some(only);
    }
    let whole = folder.canonicalize().ok()?;
    let names = whole.ancestors().take(2).filter_map(Path::file_name);
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

fn first_flags(assignment: &Assignment) -> String {
    assignment.tests.flag_combinations().into_iter().next().unwrap_or_default()
}
