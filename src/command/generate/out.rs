//! Where generated tests go: free numbers, new files, nothing overwritten.

use crate::cli::Generate;
use crate::command::write_new;
use crate::course::Assignment;
use crate::domain::Draft;
use crate::problem::{Failure, Problem};
use crate::suite::Suite;
use crate::suite::name::{self, FileName};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// A folder, and the numbers that tests in it may have.
pub(super) struct Out {
    pub(super) folder: PathBuf,
    pub(super) numbers: Vec<u32>,
}

impl Out {
    /// The folder that was asked for, or a new one, and the numbers that neither it nor `suite` uses.
    pub(super) fn new(
        options: &Generate,
        suite: Option<&Suite>,
        assignment: &Assignment,
    ) -> Result<Self, Failure> {
        let folder = options.out.clone().unwrap_or_else(new_folder);
        if folder.exists() && !folder.is_dir() {
            let message = format!("{} is not a folder", folder.display());
            return Err(Failure::usage(
                Problem::new(message)
                    .hint("name a folder with --out; it is made where there is none"),
            ));
        }
        let there = if folder.is_dir() { Some(Suite::read(&folder, assignment)?) } else { None };
        let taken: BTreeSet<u32> =
            suite.into_iter().chain(&there).flat_map(|suite| numbers(suite, assignment)).collect();
        let most = options.max_files.map_or(usize::MAX, usize::from);
        let numbers: Vec<_> = (1..=assignment.tests.files)
            .filter(|number| !taken.contains(number))
            .take(most)
            .collect();
        if numbers.is_empty() {
            let message = format!(
                "all of the {} tests that a suite may have are there",
                assignment.tests.files
            );
            return Err(Failure::usage(
                Problem::new(message)
                    .hint("remove a test that exposes nothing, and generate again"),
            ));
        }
        Ok(Self { folder, numbers })
    }

    /// Writes a test of the suite, and gives its file's name.
    pub(super) fn write(&self, number: u32, draft: &Draft) -> Result<String, Failure> {
        let file = name::file_name(number, &draft.flags);
        self.write_new(&file, &draft.input)?;
        Ok(file)
    }

    /// Writes a case into a folder of its own, `smallest/<name>`: it is no test of the suite.
    pub(super) fn keep(&self, name: &str, draft: &Draft) -> Result<String, Failure> {
        let file = format!("smallest/{name}/{}", name::file_name(1, &draft.flags));
        self.write_new(&file, &draft.input)?;
        Ok(file)
    }

    fn write_new(&self, file: &str, contents: &[u8]) -> Result<(), Failure> {
        let path = self.folder.join(file);
        let folder = path.parent().expect("a test is in a folder");
        fs::create_dir_all(folder)
            .map_err(|error| Failure::machine(format!("write {}", path.display()), error))?;
        write_new(&path, contents)
    }
}

/// The numbers that the suite's files use, those of rejected files too.
fn numbers<'a>(suite: &'a Suite, assignment: &'a Assignment) -> impl Iterator<Item = u32> + 'a {
    let rejected = suite.rejected.iter().filter_map(|rejection| {
        match name::read(&rejection.file, &assignment.tests) {
            FileName::Test(name) => Some(name.number),
            _ => None,
        }
    });
    suite.tests.iter().map(|test| test.name.number).chain(rejected)
}

/// `generated`, or the first `generated-n` that does not exist.
fn new_folder() -> PathBuf {
    let numbered = (2..).map(|number| PathBuf::from(format!("generated-{number}")));
    std::iter::once(PathBuf::from("generated"))
        .chain(numbered)
        .find(|folder| !folder.exists())
        .expect("the numbers do not end")
}
