//! Computes a suite's score from the mutants that it exposes. Pure.

use crate::course::{Points, ScoredBy, Scoring, ThresholdsIn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The score of a suite, and the course's thresholds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// What earns the first points: a number of bugs, or their points.
    pub start: Points,
    /// What earns all points.
    pub full: Points,
    /// What earns an additional submission a day, if the course gives any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra_submission: Option<Points>,
    /// Present if the thresholds count the points of bugs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worth: Option<Worth>,
}

/// The points of bugs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Worth {
    /// The points of the bugs that the suite exposes.
    pub exposed: Points,
    /// The points of all bugs in the catalogue.
    pub all: Points,
}

impl Score {
    /// What the suite has of what the thresholds count.
    pub fn reached(&self) -> Points {
        self.worth.map_or(Points::whole(self.exposed.into()), |worth| worth.exposed)
    }

    /// The most that a suite can have of it.
    pub fn most(&self) -> Points {
        self.worth.map_or(Points::whole(self.mutants.into()), |worth| worth.all)
    }

    /// Whether the suite earns an additional submission a day.
    pub fn earns_extra_submission(&self) -> bool {
        self.extra_submission.is_some_and(|needed| self.reached() >= needed)
    }
}

/// The score of a suite that exposes bugs worth `exposed`, in a catalogue of bugs worth `all`.
///
/// Below `start` the points are 0, and from `full` on they are the maximum. Between them, each bug, or each of its points, adds the same
/// amount; the first step is earned at `start`. If the course sets no points, a suite earns the points of the mutants that it
/// exposes, from `start` on.
pub fn score(scoring: &Scoring, exposed: &[Points], all: &[Points]) -> Score {
    let sum = |points: &[Points]| points.iter().copied().sum::<Points>();
    let (count, mutants) = (exposed.len() as u32, all.len() as u32);
    let worth = Worth { exposed: sum(exposed), all: sum(all) };
    let (reached, most) = match scoring.thresholds {
        ThresholdsIn::Bugs => (Points::whole(count.into()), Points::whole(mutants.into())),
        ThresholdsIn::Points => (worth.exposed, worth.all),
    };
    // A catalogue may be smaller than its thresholds while it is being written.
    let full = scoring.full.min(if most.is_zero() { Points::ONE } else { most });
    let start = scoring.start.min(full);
    let max_points = scoring.points.unwrap_or_else(|| worth.all.number());
    let points = match scoring.points {
        _ if reached < start => 0.0,
        Some(points) if reached >= full => points,
        Some(points) => points * steps(start, reached) / steps(start, full),
        None => worth.exposed.number(),
    };
    Score {
        by: scoring.by,
        exposed: count,
        mutants,
        points: (points * 100.0).round() / 100.0,
        max_points,
        start,
        full,
        extra_submission: scoring.extra_submission.map(|extra| extra.min(most)),
        worth: (!scoring.thresholds.are_bugs()).then_some(worth),
    }
}

/// The number of steps to what is reached, from the one that is earned at `start`.
fn steps(start: Points, reached: Points) -> f64 {
    reached.number() + 1.0 - start.number().max(1.0)
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "points are rounded to a hundredth, and these are exact")]
mod tests {
    use super::*;

    const TWO: Points = Points::whole(2);

    fn scoring(start: u64, full: u64, points: Option<f64>) -> Scoring {
        Scoring {
            start: Points::whole(start),
            full: Points::whole(full),
            extra_submission: None,
            thresholds: ThresholdsIn::Bugs,
            points,
            by: ScoredBy::Mutants,
            bugs_per_test: None,
        }
    }

    fn points(exposed: usize, scoring: &Scoring) -> f64 {
        score(scoring, &vec![TWO; exposed], &[TWO; 10]).points
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
        assert_eq!(score(&scoring, &[], &[TWO; 10]).max_points, 20.0);
        assert!(score(&scoring, &[], &[]).max_points.is_sign_positive());
    }

    #[test]
    fn thresholds_are_at_most_the_size_of_the_catalogue() {
        let scoring = scoring(50, 80, Some(10.0));
        assert_eq!(points(10, &scoring), 10.0);
    }

    #[test]
    fn thresholds_in_points_count_what_the_bugs_are_worth() {
        let scoring = Scoring { thresholds: ThresholdsIn::Points, ..scoring(2, 5, Some(10.0)) };
        let half = Points::of_hundredths(50);
        let of = |exposed: &[Points]| score(&scoring, exposed, &[half, half, half, TWO, TWO]);
        assert_eq!(of(&[half, half, half]).points, 0.0, "three bugs are worth 1.5 points");
        assert_eq!(of(&[TWO]).points, 2.5);
        assert_eq!(of(&[TWO, half]).points, 3.75);
        assert_eq!(of(&[TWO, TWO, half, half]).points, 10.0);
        assert_eq!(of(&[TWO, half]).worth.unwrap().exposed.to_string(), "2.5");
    }
}
