//! Proposes thresholds from what the suites of a class expose.

use crate::catalogue::Mutant;
use crate::catalogue::behaviours::counted;
use crate::course::{Points, ScoredBy, ThresholdsIn};
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
    /// The points of these bugs.
    pub points: Points,
}

impl SuiteResult {
    /// The result of a suite whose valid tests expose these mutants.
    pub fn new<'a>(
        name: String,
        valid_tests: usize,
        exposed: impl Iterator<Item = &'a Mutant>,
        by: ScoredBy,
    ) -> Self {
        let exposed = counted(exposed, by);
        let points = exposed.iter().map(|mutant| mutant.points).sum();
        Self { name, valid_tests, exposed: exposed.len(), points }
    }

    /// What thresholds count.
    pub fn reached(&self, thresholds: ThresholdsIn) -> Points {
        if thresholds.are_bugs() { Points::whole(self.exposed as u64) } else { self.points }
    }
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
    Ok(SuiteResult::new(suite.name, rows.len(), exposed, evaluator.assignment.scoring.by))
}

/// Thresholds in exposed bugs, or in their points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Half of the median.
    pub start: Points,
    /// The median: half of the suites expose at least so many.
    pub extra_submission: Points,
    /// The 90th percentile: one of ten suites exposes so many.
    pub full: Points,
}

impl Thresholds {
    /// The thresholds for suites that reach so much each. `None` if there is no suite.
    pub fn of(mut reached: Vec<Points>) -> Option<Self> {
        reached.sort_unstable();
        let last = reached.len().checked_sub(1)?;
        // The nearest rank, so that each threshold is the result of a suite.
        let percentile =
            |percent: usize| reached[((last + 1) * percent).div_ceil(100) - 1].max(Points::ONE);
        let (median, full) = (percentile(50), percentile(90));
        let half = Points::of_hundredths(median.hundredths().div_ceil(2));
        let start = if reached.iter().all(|it| it.is_whole()) { half.rounded_up() } else { half };
        Some(Self { start, extra_submission: median, full })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_median_earns_the_first_points_and_the_90th_percentile_all() {
        let Thresholds { start, extra_submission, full } =
            Thresholds::of((1..=20).rev().map(Points::whole).collect()).unwrap();
        assert_eq!([start, extra_submission, full], [5, 10, 18].map(Points::whole));
        let few = Thresholds::of([7, 0].map(Points::whole).to_vec()).unwrap();
        let [start, extra_submission, full] = [1, 1, 7].map(Points::whole);
        assert_eq!(few, Thresholds { start, extra_submission, full });
        let parts = Thresholds::of([0, 258, 437].map(Points::of_hundredths).to_vec()).unwrap();
        assert_eq!(parts.start, Points::of_hundredths(129));
        assert_eq!(Thresholds::of(Vec::new()), None);
    }
}
