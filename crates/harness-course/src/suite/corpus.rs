//! The corpus of an assignment: tests of the course near which a search looks for others.

use super::{Suite, Test, name};
use crate::course::Assignment;
use crate::diagnostic::{Failure, Problem, Warning};
use crate::domain::Draft;

/// The largest input near which a search looks for others, in bytes.
const SMALL: usize = 2_000;

impl Suite {
    /// The small tests in the corpus of an assignment.
    ///
    /// # Errors
    /// If its folder cannot be read.
    pub fn corpus(assignment: &Assignment) -> Result<Vec<Draft>, Failure> {
        let Some(folder) = &assignment.corpus else { return Ok(Vec::new()) };
        let tests = Self::read(folder, assignment)?.tests;
        let small = tests.iter().filter(|test| test.input.len() <= SMALL);
        Ok(small.map(Test::draft).collect())
    }

    /// Says which files in the corpus of an assignment are no tests. `None` if all are, or are hidden.
    ///
    /// # Errors
    /// If its folder cannot be read.
    pub fn no_tests_in_corpus(assignment: &Assignment) -> Result<Option<Warning>, Failure> {
        /// How many of them are named.
        const NAMED: usize = 3;
        let Some(folder) = &assignment.corpus else { return Ok(None) };
        let suite = Self::read(folder, assignment)?;
        let others = suite.ignored.iter().filter(|file| !file.starts_with('.'));
        let others = others.map(|file| format!("\n  {file}: it is not named as a test"));
        let rejected = suite.rejected.iter().filter(|it| !it.is_surplus);
        let rejected = rejected.map(|it| format!("\n  {}: {}", it.file, it.problem.message));
        let listed: Vec<_> = others.chain(rejected).collect();
        let count = listed.len() + suite.more_ignored;
        if count == 0 {
            return Ok(None);
        }
        let are = if count == 1 { "file is no test" } else { "files are no tests" };
        let mut message = format!(
            "{count} {are} in the corpus {}, so no search looks near {}",
            folder.display(),
            if count == 1 { "it" } else { "them" }
        );
        message.extend(listed.into_iter().take(NAMED));
        if count > NAMED {
            message.push_str("\n  …");
        }
        let hint = format!("a test is named {}", name::example(&assignment.tests));
        Ok(Some(Warning(Problem::new(message).hint(hint))))
    }
}
