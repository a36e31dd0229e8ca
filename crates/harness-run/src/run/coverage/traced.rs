//! A program that others wrote, built so that its runs tell which lines they reach.

use super::{Counts, Coverage, MARK, Notes};
use crate::course::{Assignment, Course};
use crate::diagnostic::Failure;
use crate::files;
use crate::run::build::{self, Runnable};
use crate::run::parallel;
use crate::run::process::{self, ProcessLimits};
use crate::run::work::Work;
use std::path::{Path, PathBuf};
use subject::Case;

/// The file into which a program in Python writes the lines that it reaches.
pub(super) const LEFT: &str = MARK;

/// A program whose runs tell which lines they reach.
pub struct Traced {
    program: Runnable,
    /// The folder of its source.
    root: PathBuf,
    /// What the compiler wrote about it, if it is compiled.
    notes: Option<Notes>,
}

impl Traced {
    /// The program of the source `file`. `None` if the lines of programs in its language cannot be told.
    ///
    /// # Errors
    /// If it does not compile.
    pub fn source(
        work: &Work,
        course: &Course,
        assignment: &Assignment,
        file: &Path,
    ) -> Result<Option<Self>, Failure> {
        let Some((program, notes)) = build::traced_source(work, course, assignment, file)? else {
            return Ok(None);
        };
        let notes = notes.map(|folder| Notes::read(&folder)).transpose()?;
        let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        Ok(Some(Self { program, root: files::folder_of(&file).to_owned(), notes }))
    }

    /// The lines that it reaches on each of these cases. Of a run that tells nothing, there are none.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn coverage(
        &self,
        work: &Work,
        cases: &[Case],
        limits: &ProcessLimits,
        jobs: usize,
    ) -> Result<Vec<Coverage>, Failure> {
        // The end of a search does not end them.
        let work = &work.apart();
        let runs = parallel::map(cases.len(), jobs, |at| {
            let ran = super::run(work, &self.program, &cases[at], limits);
            ran.map_err(|error| process::failure("run a program that tells its lines", &error))
        })?;
        match &self.notes {
            Some(notes) => notes.coverage(work, &self.root, &runs),
            None => Ok(runs.iter().map(written).collect()),
        }
    }
}

/// What a program in Python wrote: a number and a name on each line.
fn written(counts: &Counts) -> Coverage {
    let mut coverage = Coverage::default();
    let text = counts.get(LEFT).map(|text| String::from_utf8_lossy(text)).unwrap_or_default();
    for (number, file) in text.lines().filter_map(|line| line.split_once(' ')) {
        if let Ok(number) = number.parse() {
            coverage.reached.entry(file.to_owned()).or_default().insert(number);
        }
    }
    coverage
}
