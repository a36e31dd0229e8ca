//! The points that a record can have, whatever time was measured.

use crate::course::submission::Parts;
use crate::result::graded::SubmissionReport;
use crate::result::graded::points::{PointsReport, Results};
use std::ops::RangeInclusive;

/// From the points that a submission earns if each of its right answers is too slow, to those if each is fast. `most` is what the course
/// gives for each part.
pub fn span(report: &SubmissionReport, most: &Parts) -> RangeInclusive<f64> {
    // The points of groups are rounded.
    let slack = 0.01 * (report.groups.len() + 1) as f64;
    let earned = |share: f64| {
        let mut groups = report.groups.clone();
        for group in &mut groups {
            let right = group.passed as f64 / group.total.max(1) as f64;
            group.points = group.max_points * right * share;
        }
        let results = Results {
            refused: report.refused,
            findings: &report.findings,
            groups: &groups,
            leaks: report.leaks.as_ref(),
            tests: report.tests.as_ref(),
        };
        PointsReport::of(&results, most).earned
    };
    earned(0.0) - slack..=earned(1.0) + slack
}
