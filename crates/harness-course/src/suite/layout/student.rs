//! Finds the tests of one student: in the student's folder, or in one inside it.

use super::super::looks_like_a_test;
use super::entries::entries_of;
use super::{Entry, EntryKind, holds_tests};
use crate::course::{Assignment, Course};
use crate::diagnostic::Problem;
use crate::files::upload::Upload;
use std::io;
use std::path::{Path, PathBuf};

/// Where the tests of one student are.
#[derive(Clone, Debug)]
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
        course: &Course,
        assignment: &Assignment,
    ) -> Self {
        let mut suite = Self::new(name, Place::Nowhere, others(course, assignment));
        suite.place = Place::Folder(suite.located(folder.to_owned(), assignment, &super::entries));
        suite
    }

    /// The suite in an archive.
    pub(super) fn of_archive(
        name: String,
        archive: &Path,
        course: &Course,
        assignment: &Assignment,
    ) -> Self {
        Self::new(name, Place::Archive(archive.to_owned()), others(course, assignment))
    }

    /// A suite that is rejected unread.
    pub(super) fn rejected(name: String, problem: Problem) -> Self {
        Self { problem: Some(problem), ..Self::new(name, Place::Nowhere, Vec::new()) }
    }

    fn new(name: String, place: Place, others: Vec<String>) -> Self {
        Self { name, place, is_inner: false, note: None, problem: None, is_unclear: false, others }
    }

    /// The same suite once its archive was read, and the folder of the archive that it is in.
    pub(in crate::suite) fn inside(
        &self,
        archive: &Upload,
        assignment: &Assignment,
    ) -> (Self, PathBuf) {
        let mut suite = self.clone();
        let list = |folder: &Path| Ok(entries_of(archive, folder));
        let folder = suite.located(PathBuf::new(), assignment, &list);
        (suite, folder)
    }

    /// Whether its folder has tests of the assignment, or several in it have.
    pub(super) fn may_have_tests(&self, assignment: &Assignment) -> bool {
        let Place::Folder(folder) = &self.place else { return false };
        holds_tests(folder, assignment) || self.is_inner || self.is_unclear
    }

    /// Finds the folder with the tests. The folder named after the assignment counts before one whose name differs in case, and that
    /// before one that lies a level deeper.
    fn located(
        &mut self,
        folder: PathBuf,
        assignment: &Assignment,
        list: &dyn Fn(&Path) -> io::Result<Vec<Entry>>,
    ) -> PathBuf {
        let id = assignment.id.as_str();
        let has_tests =
            |path: &Path| list(path).is_ok_and(|entries| loose_tests(&entries, assignment) > 0);
        let Ok(entries) = list(&folder) else { return folder };
        if loose_tests(&entries, assignment) > 0 {
            return folder;
        }
        let is_link = entries.iter().any(|entry| entry.name == id && entry.is_link());
        let inner = folders(entries);
        if let Some(named) = inner.iter().find(|inner| inner.name == id)
            && (has_tests(&named.path) || list(&named.path).is_err())
        {
            self.is_inner = true;
            return named.path.clone();
        }
        let is_similar = |entry: &&Entry| entry.name.eq_ignore_ascii_case(id);
        let is_foreign =
            |entry: &Entry| self.others.iter().any(|other| entry.name.eq_ignore_ascii_case(other));
        let similar = inner.iter().filter(is_similar).map(|it| it.path.clone()).collect();
        let below = inner.iter().filter(|entry| !is_foreign(entry)).flat_map(|entry| {
            let inner = folders(list(&entry.path).unwrap_or_default()).into_iter();
            inner.filter(|it| is_similar(&it)).map(|it| it.path)
        });
        let others = inner.iter().filter(|entry| !is_foreign(entry)).map(|it| it.path.clone());
        let ranks: [Vec<PathBuf>; 3] = [similar, below.collect(), others.collect()];
        let with_tests = |paths: Vec<PathBuf>| -> Vec<PathBuf> {
            paths.into_iter().filter(|path| has_tests(path)).collect()
        };
        let shown = |path: &Path| {
            let inside = path.strip_prefix(&folder).unwrap_or(path);
            format!("`{}`", crate::diagnostic::printable(&inside.to_string_lossy()))
        };
        match ranks.into_iter().map(with_tests).find(|found| !found.is_empty()).as_deref() {
            Some([only]) => {
                self.note = Some(format!("the tests are in the folder {}", shown(only)));
                return only.clone();
            }
            Some(several) => {
                let names: Vec<_> = several.iter().map(|path| shown(path)).collect();
                let message = format!("there are tests in several folders: {}", names.join(", "));
                let hint = format!("put all tests into one folder, for example `{id}`");
                self.problem = Some(Problem::new(message).hint(hint));
                self.is_unclear = true;
            }
            None => self.problem = Some(self.without_tests(is_link, assignment)),
        }
        folder
    }

    /// The problem of a folder without tests. The one named after the assignment may be a link.
    fn without_tests(&self, is_link: bool, assignment: &Assignment) -> Problem {
        let problem = Problem::new(format!("there are no tests in the folder `{}`", self.name));
        if is_link {
            let id = &assignment.id;
            return problem.hint(format!("`{id}` in it is a link; hand in the folder itself"));
        }
        let example = match &assignment.unit {
            Some(unit) => unit.files[0].clone(),
            None => super::super::name::first_name(&assignment.tests),
        };
        problem.hint(format!("tests have names like `{example}`"))
    }
}

/// The number of files in a folder that look like tests of the assignment.
pub(super) fn loose_tests(entries: &[Entry], assignment: &Assignment) -> usize {
    entries.iter().filter(|entry| is_loose_test(entry, assignment)).count()
}

pub(super) fn is_loose_test(entry: &Entry, assignment: &Assignment) -> bool {
    let is_folder = entry.kind == EntryKind::Folder;
    match &assignment.unit {
        Some(unit) => !is_folder && unit.has(&entry.name),
        None => looks_like_a_test(&entry.name, is_folder),
    }
}

/// The folders, without links: a student could make one to the folder of another.
fn folders(entries: Vec<Entry>) -> Vec<Entry> {
    entries.into_iter().filter(|entry| entry.kind == EntryKind::Folder).collect()
}

fn others(course: &Course, assignment: &Assignment) -> Vec<String> {
    let ids = course.assignments.iter().map(|other| &other.id);
    ids.filter(|id| **id != assignment.id).cloned().collect()
}
