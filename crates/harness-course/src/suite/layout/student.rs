//! Finds the tests of one student: in the student's folder, or in one inside it.

use super::super::{holds_tests, looks_like_a_test};
use super::{Entry, Kind};
use crate::course::{Assignment, Course};
use crate::diagnostic::Problem;
use std::fs;
use std::path::{Path, PathBuf};

/// Where the tests of one student are.
#[derive(Debug)]
pub struct SuiteFolder {
    /// The name of the student's folder or archive, with control characters escaped. Each in a class has a name of its own.
    pub name: String,
    pub place: Place,
    /// Whether they are in a folder inside the student's that is named after the assignment.
    pub is_inner: bool,
    /// Where they are, if that is not where they belong.
    pub note: Option<String>,
    /// Why the suite is rejected.
    pub problem: Option<Problem>,
    /// Whether several folders have tests.
    is_unclear: bool,
    /// The ids of the course's other assignments.
    others: Vec<String>,
}

/// Where tests are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Folder(PathBuf),
    Archive(PathBuf),
    /// There is nothing that may be read.
    Nowhere,
}

impl SuiteFolder {
    /// The suite in the folder of a student, or in one inside it.
    pub(super) fn of_folder(
        name: String,
        folder: &Path,
        (course, assignment): (&Course, &Assignment),
    ) -> Self {
        let others = others(course, assignment);
        let place = Place::Folder(folder.to_owned());
        Self { name, place, is_inner: false, note: None, problem: None, is_unclear: false, others }
            .located(assignment)
    }

    /// The suite in an archive.
    pub(super) fn of_archive(
        name: String,
        archive: &Path,
        (course, assignment): (&Course, &Assignment),
    ) -> Self {
        let (others, place) = (others(course, assignment), Place::Archive(archive.to_owned()));
        Self { name, place, is_inner: false, note: None, problem: None, is_unclear: false, others }
    }

    /// A suite that is rejected unread.
    pub(super) fn rejected(name: String, problem: Problem) -> Self {
        let (place, others) = (Place::Nowhere, Vec::new());
        Self {
            name,
            place,
            is_inner: false,
            note: None,
            problem: Some(problem),
            is_unclear: false,
            others,
        }
    }

    /// The same student's tests in `folder`, where the archive was unpacked.
    #[must_use]
    pub fn unpacked(&self, folder: &Path, assignment: &Assignment) -> Self {
        let (name, others) = (self.name.clone(), self.others.clone());
        let place = Place::Folder(folder.to_owned());
        Self { name, place, is_inner: false, note: None, problem: None, is_unclear: false, others }
            .located(assignment)
    }

    /// Whether its folder has tests, or several in it have.
    pub(super) fn may_have_tests(&self) -> bool {
        let Place::Folder(folder) = &self.place else { return false };
        holds_tests(folder) || self.is_inner || self.is_unclear
    }

    /// Finds the folder with the tests. The folder named after the assignment counts before one whose name differs in case, and that
    /// before one that lies a level deeper.
    fn located(mut self, assignment: &Assignment) -> Self {
        let Place::Folder(folder) = self.place.clone() else { return self };
        let id = assignment.id.as_str();
        if holds_tests(&folder) || fs::read_dir(&folder).is_err() {
            return self;
        }
        let inner = folders(&folder);
        if let Some(named) = inner.iter().find(|inner| inner.name == id)
            && (holds_tests(&named.path) || fs::read_dir(&named.path).is_err())
        {
            (self.place, self.is_inner) = (Place::Folder(named.path.clone()), true);
            return self;
        }
        let is_similar = |entry: &&Entry| entry.name.eq_ignore_ascii_case(id);
        let is_foreign =
            |entry: &Entry| self.others.iter().any(|other| entry.name.eq_ignore_ascii_case(other));
        let similar = inner.iter().filter(is_similar).map(|it| it.path.clone()).collect();
        let below = inner.iter().filter(|entry| !is_foreign(entry)).flat_map(|entry| {
            folders(&entry.path).into_iter().filter(|it| is_similar(&it)).map(|it| it.path)
        });
        let others = inner.iter().filter(|entry| !is_foreign(entry)).map(|it| it.path.clone());
        let ranks: [Vec<PathBuf>; 3] = [similar, below.collect(), others.collect()];
        let with_tests = |paths: Vec<PathBuf>| -> Vec<PathBuf> {
            paths.into_iter().filter(|path| holds_tests(path)).collect()
        };
        let shown = |path: &Path| {
            let inside = path.strip_prefix(&folder).unwrap_or(path);
            format!("`{}`", crate::diagnostic::printable(&inside.to_string_lossy()))
        };
        match ranks.into_iter().map(with_tests).find(|found| !found.is_empty()).as_deref() {
            Some([only]) => {
                self.note = Some(format!("the tests are in the folder {}", shown(only)));
                self.place = Place::Folder(only.clone());
            }
            Some(several) => {
                let names: Vec<_> = several.iter().map(|path| shown(path)).collect();
                let message = format!("there are tests in several folders: {}", names.join(", "));
                let hint = format!("put all tests into one folder, for example `{id}`");
                self.problem = Some(Problem::new(message).hint(hint));
                self.is_unclear = true;
            }
            None => self.problem = Some(without_tests(&self.name, &folder, assignment)),
        }
        self
    }
}

/// The problem of a folder without tests.
fn without_tests(name: &str, folder: &Path, assignment: &Assignment) -> Problem {
    let problem = Problem::new(format!("there are no tests in the folder `{name}`"));
    let id = &assignment.id;
    if folder.join(id).symlink_metadata().is_ok_and(|inner| inner.is_symlink()) {
        return problem.hint(format!("`{id}` in it is a link; hand in the folder itself"));
    }
    let example = super::super::name::first_name(&assignment.tests);
    problem.hint(format!("tests have names like `{example}`"))
}

/// The number of files in a folder that look like tests.
pub(super) fn loose_tests(entries: &[Entry]) -> usize {
    entries.iter().filter(|entry| is_loose_test(entry)).count()
}

pub(super) fn is_loose_test(entry: &Entry) -> bool {
    looks_like_a_test(&entry.name, entry.kind == Kind::Folder)
}

/// The folders in a folder that are no links, which a student could point at another student's.
fn folders(folder: &Path) -> Vec<Entry> {
    let all = super::entries(folder).unwrap_or_default().into_iter();
    all.filter(|entry| entry.kind == Kind::Folder).collect()
}

fn others(course: &Course, assignment: &Assignment) -> Vec<String> {
    let ids = course.assignments.iter().map(|other| &other.id);
    ids.filter(|id| **id != assignment.id).cloned().collect()
}
