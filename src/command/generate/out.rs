//! Writes generated tests with free numbers as new files. It overwrites nothing.

use super::package;
use crate::cli::{Generate, WrittenAs};
use crate::course::Assignment;
use crate::diagnostic::{Failure, Problem};
use crate::domain::Draft;
use crate::files;
use crate::suite::{Rejection, Suite, name};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder, and the free numbers of tests in it.
pub(super) struct Out {
    pub(super) folder: PathBuf,
    pub(super) numbers: Vec<u32>,
}

impl Out {
    /// The folder that `--out` names, or a new one, and the numbers that neither it nor `suite` uses. Fails now if nothing can be
    /// written there, and not after the search.
    pub(super) fn new(
        options: &Generate,
        suite: Option<&Suite>,
        assignment: &Assignment,
    ) -> Result<Self, Failure> {
        let folder = folder(options);
        let is_package = options.written_as == WrittenAs::Package;
        if is_package {
            package::can_hold(assignment)?;
        }
        if folder.exists() && !folder.is_dir() {
            let message = format!("{} is not a folder", folder.display());
            return Err(Failure::usage(
                Problem::new(message)
                    .hint("name a folder with --out; it is created if it does not exist"),
            ));
        }
        let place = if is_package { folder.join(package::FOLDER) } else { folder.clone() };
        files::check_writable(&place).map_err(|error| {
            Failure::unwritable_as(&format!("into {}", place.display()), &error)
        })?;
        let is_suite = !is_package && folder.is_dir();
        let there = if is_suite { Some(Suite::read(&folder, assignment)?) } else { None };
        let taken: BTreeSet<u32> =
            suite.into_iter().chain(&there).flat_map(|suite| suite.numbers.clone()).collect();
        let most = options.max_files.map_or(usize::MAX, usize::from);
        let numbers: Vec<_> = (1..=assignment.tests.files)
            .filter(|number| !taken.contains(number))
            .filter(|&number| !is_package || !package::is_taken(&folder, number))
            .take(most)
            .collect();
        if numbers.is_empty() {
            let most = assignment.tests.files;
            let (message, hint) = match suite {
                Some(suite) => (
                    format!("the suite already has all of the {most} tests that it may have"),
                    removable(suite, assignment),
                ),
                None => (
                    format!(
                        "{} already has all of the {most} tests that a suite may have",
                        folder.display()
                    ),
                    "name another folder with --out".to_owned(),
                ),
            };
            return Err(Failure::usage(Problem::new(message).hint(hint)));
        }
        Ok(Self { folder, numbers })
    }

    /// Writes a test of the suite, and gives the name of its file.
    pub(super) fn write(&self, number: u32, draft: &Draft) -> Result<String, Failure> {
        let file = name::file_name(number, &draft.flags);
        create(&self.folder, &file, &draft.input)?;
        Ok(file)
    }

    /// Writes a case into the folder `smallest/<name>`, with a number that no file there has. It is not a test of the suite.
    pub(super) fn keep(&self, name: &str, draft: &Draft) -> Result<String, Failure> {
        let folder = format!("smallest/{name}");
        let number = free_number(&self.folder.join(&folder));
        let file = format!("{folder}/{}", name::file_name(number, &draft.flags));
        create(&self.folder, &file, &draft.input)?;
        Ok(file)
    }
}

/// What to remove from a suite that is full: files that are rejected although they take a number, or else any test.
fn removable(suite: &Suite, assignment: &Assignment) -> String {
    const MOST: usize = 5;
    let takes_number = |it: &&Rejection| name::valid(&it.file, &assignment.tests).is_some();
    let rejected = suite.rejected.iter().filter(|it| !it.is_surplus).filter(takes_number);
    let files: Vec<_> = rejected.map(|rejection| rejection.file.as_str()).collect();
    if files.is_empty() {
        return "remove a test that exposes nothing, and generate again".to_owned();
    }
    let named = files[..files.len().min(MOST)].join(", ");
    let more = match files.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    format!("mend or remove what is rejected but takes a number: {named}{more}")
}

/// The first number that no test in a folder has, whatever its flags are.
fn free_number(folder: &Path) -> u32 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names: Vec<_> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let is_taken = |number: u32| {
        let start = format!("test-{number}");
        let mut after = names.iter().filter_map(|name| name.strip_prefix(&start));
        after.any(|after| after.starts_with(['-', '.']))
    };
    (1..u32::MAX).find(|&number| !is_taken(number)).unwrap_or(u32::MAX)
}

/// Writes a new file into a folder.
pub(super) fn create(folder: &Path, file: &str, contents: &[u8]) -> Result<(), Failure> {
    let path = folder.join(file);
    let written = files::create_with_folders(&path, contents);
    written.map_err(|error| Failure::unwritable(&path, &error))
}

/// The folder that `--out` names, or a new one.
pub(super) fn folder(options: &Generate) -> PathBuf {
    options.out.clone().unwrap_or_else(new_folder)
}

/// `generated`, or the first `generated-n` that does not exist.
fn new_folder() -> PathBuf {
    let numbered = (2..).map(|number| PathBuf::from(format!("generated-{number}")));
    std::iter::once(PathBuf::from("generated"))
        .chain(numbered)
        .find(|folder| !folder.exists())
        .expect("the numbers do not end")
}
