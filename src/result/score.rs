//! What a suite earns: pure arithmetic on the mutants that it exposes.

use crate::course::Scoring;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a suite earns, and what it would need.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// How many bugs the suite exposes.
    pub exposed: u32,
    /// How many bugs exist.
    pub mutants: u32,
    /// The points that it earns, rounded to a hundredth.
    pub points: f64,
    /// All the points.
    pub max_points: f64,
    /// The number of bugs that earns the first points.
    pub start: u32,
    /// The number of bugs that earns all points.
    pub full: u32,
    /// The number of bugs that earns one more submission a day, where the course gives any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra_submission: Option<u32>,
}

/// The score of a suite that exposes the mutants worth `exposed`, out of those worth `all`.
///
/// Below `start` bugs it is 0, and from `full` on it is everything. Between them it grows by the same step with each bug, so that the
/// first step is earned at `start`. Where the course sets no points, it is the points of the exposed mutants, from `start` on.
pub fn score(scoring: &Scoring, exposed: &[u32], all: &[u32]) -> Score {
    let sum = |points: &[u32]| points.iter().map(|&points| f64::from(points)).sum::<f64>();
    let (count, mutants) = (exposed.len() as u32, all.len() as u32);
    // A catalogue may be smaller than its thresholds while it is being written.
    let full = scoring.full.min(mutants.max(1));
    let start = scoring.start.min(full);
    let max_points = scoring.points.unwrap_or_else(|| sum(all));
    let points = match scoring.points {
        _ if count < start => 0.0,
        Some(points) if count >= full => points,
        Some(points) => {
            points * f64::from(count + 1 - start.max(1)) / f64::from(full + 1 - start.max(1))
        }
        None => sum(exposed),
    };
    let points = (points * 100.0).round() / 100.0;
    Score {
        exposed: count,
        mutants,
        points,
        max_points,
        start,
        full,
        extra_submission: scoring.extra_submission.map(|extra| extra.min(mutants)),
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "points are rounded to a hundredth, and these are exact")]
mod tests {
    use super::*;

    fn points(exposed: usize, scoring: &Scoring) -> f64 {
        score(scoring, &vec![2; exposed], &[2; 10]).points
    }

    #[test]
    fn points_grow_evenly_from_the_first_threshold_to_the_last() {
        let scoring = Scoring { start: 4, full: 8, extra_submission: None, points: Some(10.0) };
        let all: Vec<_> = (0..=10).map(|exposed| points(exposed, &scoring)).collect();
        assert_eq!(all, [0.0, 0.0, 0.0, 0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 10.0, 10.0]);
    }

    #[test]
    fn nothing_exposed_earns_nothing() {
        let scoring = Scoring { start: 0, full: 8, extra_submission: None, points: Some(10.0) };
        assert_eq!(points(0, &scoring), 0.0);
    }

    #[test]
    fn without_points_of_the_course_the_mutants_points_count() {
        let scoring = Scoring { start: 2, full: 8, extra_submission: None, points: None };
        assert_eq!(points(1, &scoring), 0.0);
        assert_eq!(points(3, &scoring), 6.0);
        assert_eq!(score(&scoring, &[], &[2; 10]).max_points, 20.0);
    }

    #[test]
    fn thresholds_beyond_the_catalogue_are_its_size() {
        let scoring = Scoring { start: 50, full: 80, extra_submission: None, points: Some(10.0) };
        assert_eq!(points(10, &scoring), 10.0);
    }
}
