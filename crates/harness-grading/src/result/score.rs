//! Computes a suite's score from the mutants that it exposes. Pure.

use crate::course::{ScoredBy, Scoring};
use serde::{Deserialize, Serialize};

/// The score of a suite, and the course's thresholds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// What counts as one bug: a mutant, or a behaviour. Absent if it is a mutant.
    #[serde(default, skip_serializing_if = "ScoredBy::is_mutants")]
    pub by: ScoredBy,
    /// The number of bugs that the suite exposes.
    pub exposed: u32,
    /// The number of bugs in the catalogue.
    pub mutants: u32,
    /// The points earned, rounded to a hundredth.
    pub points: f64,
    /// The maximum points.
    pub max_points: f64,
    /// The number of bugs that earns the first points.
    pub start: u32,
    /// The number of bugs that earns all points.
    pub full: u32,
    /// The number of bugs that earns an additional submission a day, if the course gives any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra_submission: Option<u32>,
}

/// The score of a suite that exposes bugs worth `exposed`, in a catalogue of bugs worth `all`.
///
/// Below `start` bugs the points are 0, and from `full` on they are the maximum. Between them, each bug adds the same amount; the
/// first step is earned at `start`. If the course sets no points, a suite earns the points of the mutants that it exposes, from
/// `start` bugs on.
pub fn score(scoring: &Scoring, exposed: &[u32], all: &[u32]) -> Score {
    // The sum of no numbers would be -0.
    let sum = |points: &[u32]| points.iter().fold(0.0, |sum, &points| sum + f64::from(points));
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
        by: scoring.by,
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

    fn scoring(start: u32, full: u32, points: Option<f64>) -> Scoring {
        let (extra_submission, by) = (None, ScoredBy::Mutants);
        Scoring { start, full, extra_submission, points, by, bugs_per_test: None }
    }

    fn points(exposed: usize, scoring: &Scoring) -> f64 {
        score(scoring, &vec![2; exposed], &[2; 10]).points
    }

    #[test]
    fn points_grow_evenly_from_the_first_threshold_to_the_last() {
        let scoring = scoring(4, 8, Some(10.0));
        let all: Vec<_> = (0..=10).map(|exposed| points(exposed, &scoring)).collect();
        assert_eq!(all, [0.0, 0.0, 0.0, 0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 10.0, 10.0]);
    }

    #[test]
    fn nothing_exposed_earns_nothing() {
        let scoring = scoring(0, 8, Some(10.0));
        assert_eq!(points(0, &scoring), 0.0);
    }

    #[test]
    fn without_points_in_the_course_file_the_mutants_points_count() {
        let scoring = scoring(2, 8, None);
        assert_eq!(points(1, &scoring), 0.0);
        assert_eq!(points(3, &scoring), 6.0);
        assert_eq!(score(&scoring, &[], &[2; 10]).max_points, 20.0);
        assert!(score(&scoring, &[], &[]).max_points.is_sign_positive());
    }

    #[test]
    fn thresholds_are_at_most_the_size_of_the_catalogue() {
        let scoring = scoring(50, 80, Some(10.0));
        assert_eq!(points(10, &scoring), 10.0);
    }
}
