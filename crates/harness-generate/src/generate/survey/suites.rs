//! Proposes thresholds from what the suites of a class expose.

use crate::catalogue::behaviours::counted;
use crate::diagnostic::Failure;
use crate::generate::Evaluator;
use crate::run::matrix::Row;
use crate::suite::layout::SuiteFolder;
use crate::suite::{Suite, decode};
use subject::wire::MutantSet;

/// What one suite exposes.
#[derive(Clone, Debug)]
pub struct SuiteResult {
    /// The name of its folder.
    pub name: String,
    /// The number of tests that the reference accepts.
    pub valid_tests: usize,
    /// The number of bugs that they expose, as the course counts them.
    pub exposed: usize,
}

/// Runs the suites in `folders` on all mutants.
///
/// # Errors
/// If the machine fails, or the course is broken.
pub fn suites(
    evaluator: &mut Evaluator<'_>,
    folders: &[SuiteFolder],
) -> Result<Vec<SuiteResult>, Failure> {
    let result = |folder| suite(evaluator, Suite::of_student(folder, evaluator.assignment));
    folders.iter().map(result).collect()
}

fn suite(evaluator: &mut Evaluator<'_>, suite: Suite) -> Result<SuiteResult, Failure> {
    let case = |draft| decode::case_of_draft(evaluator.assignment, &draft);
    let cases: Vec<_> = suite.tests.iter().map(|test| case(test.draft())).collect();
    let mut rows = evaluator.programs.rows(&cases)?;
    rows.retain(Row::is_valid);
    let mut exposed = MutantSet::default();
    rows.iter().for_each(|row| exposed.add_all(&row.exposed_mutants()));
    let exposed = exposed.iter().map(|index| &evaluator.mutants[index]);
    let exposed = counted(exposed, evaluator.assignment.scoring.by).len();
    Ok(SuiteResult { name: suite.name, valid_tests: rows.len(), exposed })
}

/// Thresholds in exposed bugs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Half of the median.
    pub start: usize,
    /// The median: half of the suites expose at least so many.
    pub extra_submission: usize,
    /// The 90th percentile: one of ten suites exposes so many.
    pub full: usize,
}

impl Thresholds {
    /// The thresholds for suites that expose so many mutants each. `None` if there is no suite.
    pub fn of(mut exposed: Vec<usize>) -> Option<Self> {
        exposed.sort_unstable();
        let last = exposed.len().checked_sub(1)?;
        // The nearest rank, so that each threshold is the result of a suite.
        let percentile = |percent: usize| exposed[((last + 1) * percent).div_ceil(100) - 1].max(1);
        let (median, full) = (percentile(50), percentile(90));
        Some(Self { start: median.div_ceil(2), extra_submission: median, full })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_median_earns_the_first_points_and_the_90th_percentile_all() {
        let Thresholds { start, extra_submission, full } =
            Thresholds::of((1..=20).rev().collect()).unwrap();
        assert_eq!((start, extra_submission, full), (5, 10, 18));
        let few = Thresholds::of(vec![7, 0]).unwrap();
        assert_eq!(few, Thresholds { start: 1, extra_submission: 1, full: 7 });
        assert_eq!(Thresholds::of(Vec::new()), None);
    }
}
