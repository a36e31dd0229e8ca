//! What a person at a terminal sees of work: progress, and warnings.

use super::screen_of;
use crate::course::{Assignment, Course};
use crate::diagnostic::progress::Progress;
use crate::diagnostic::{Failure, Warning};
use crate::grading::{Observer, uncounted};
use crate::suite::Suite;
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Shows progress and warnings on standard error.
pub(super) struct Terminal {
    /// Warnings are for staff.
    warns: bool,
    progress: Mutex<Option<Progress>>,
}

impl Terminal {
    pub(super) fn new(warns: bool) -> Self {
        Self { warns, progress: Mutex::new(None) }
    }

    fn progress(&self) -> MutexGuard<'_, Option<Progress>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Terminal {
    fn begin(&self, stage: &str, steps: Option<usize>) {
        let progress = match steps {
            Some(steps) => Progress::with_estimate(stage, steps as u64),
            None => Progress::new(stage, None),
        };
        *self.progress() = Some(progress);
    }

    fn advance(&self) {
        self.progress().iter().for_each(|progress| progress.add(1));
    }

    fn end(&self) {
        *self.progress() = None;
    }

    fn warn(&self, warning: &Warning) {
        if !self.warns {
            return;
        }
        let print = || say(warning);
        match &*self.progress() {
            Some(progress) => progress.aside(print),
            None => print(),
        }
    }
}

/// Prints which mutants of `assignment` only the catalogue or only the source names.
///
/// # Errors
/// If the catalogue is wrong, or the source cannot be read.
pub fn warn_of_differences(course: &Course, assignment: &Assignment) -> Result<(), Failure> {
    if let Some(warning) = uncounted::differences(course, assignment)? {
        say(&warning);
    }
    Ok(())
}

/// Prints which files in the corpus of `assignment` are no tests.
///
/// # Errors
/// If the folder of the corpus cannot be read.
pub fn warn_of_corpus(assignment: &Assignment) -> Result<(), Failure> {
    if let Some(warning) = Suite::no_tests_in_corpus(assignment)? {
        say(&warning);
    }
    Ok(())
}

/// Prints a problem or a warning on standard error. If nobody reads it, nothing else can be done.
pub fn say(problem: &impl Display) {
    let text = screen_of(&io::stderr()).problem(&problem.to_string());
    let _ = writeln!(anstream::stderr(), "{text}");
}
