//! Which lines of the reference the valid test cases reach: information, on which no point depends. The tests run in the process that
//! counts, so they can forge the counts, and spoil only what is said of themselves.

use crate::course::{Assignment, Course};
use crate::diagnostic::{Failure, Problem};
use crate::run::build::Runnable;
use crate::run::coverage::{self, Coverage, Notes};
use crate::run::parallel;
use crate::run::process::{self, ProcessLimits};
use crate::run::work::Work;
use crate::running::Pair;
use crate::variant::Given;
use crate::variants::Variants;
use std::path::Path;
use std::time::Duration;
use subject::Case;

/// A run that tells its lines takes longer: at most so many times as long.
pub(crate) const FACTOR: u32 = 10;

/// The reference, ready to tell which lines test cases reach. Each kit has one.
pub(crate) trait Counter: Send + Sync {
    /// What cases of a built file reach, which pass on the reference. A problem is that of a file that cannot be compiled so.
    fn coverage(
        &self,
        variants: &Variants,
        pair: &mut Pair<'_>,
        cases: &[Case],
    ) -> Result<Result<Coverage, Problem>, Failure>;
}

impl Variants {
    /// Adds a reference that tells which lines test cases reach.
    ///
    /// # Errors
    /// If its build fails. Then nothing is told.
    pub fn count_lines(&mut self, course: &Course, assignment: &Assignment) -> Result<(), Failure> {
        self.counter = Some(self.kit.counter(Given { course, assignment })?);
        Ok(())
    }

    /// What cases reach in a compiled program of tests, as far as their time lasts. The names of files begin at `root`.
    pub(crate) fn counted(
        &self,
        work: &Work,
        program: &Runnable,
        cases: &[Case],
        notes: &Notes,
        root: &Path,
    ) -> Result<Coverage, Failure> {
        let limits = self.limits_of(Duration::ZERO);
        let limits = ProcessLimits { time: limits.time.saturating_mul(FACTOR), ..limits };
        let mut runs = parallel::map(cases.len(), self.jobs, |at| {
            if self.has_time(work).is_err() {
                return Ok(coverage::Counts::new());
            }
            let ran = coverage::run(work, program, &cases[at], &limits);
            ran.map_err(|error| process::failure("run a program of tests", &error))
        })?;
        // Without any run, the notes tell which lines there are.
        runs.push(coverage::Counts::new());
        let mut all = Coverage::default();
        notes.coverage(&self.work, root, &runs)?.into_iter().for_each(|one| all.add(one));
        Ok(all)
    }
}
