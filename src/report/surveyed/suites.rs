//! The part of a survey about the suites of a class: what they expose, and the thresholds that follow.

use super::super::screen::{STRONG, Screen};
use super::super::words::scored;
use crate::course::{Points, ScoredBy, Scoring, ThresholdsIn};
use crate::generate::survey::suites::{SuiteResult, Thresholds};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// What the suites of a class expose, and the thresholds that follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuitesSurveyed {
    /// What counts as one bug: a mutant, or a behaviour. Absent if it is a mutant.
    #[serde(default, skip_serializing_if = "ScoredBy::is_mutants")]
    pub by: ScoredBy,
    /// What the thresholds count. Absent if they count bugs.
    #[serde(default, skip_serializing_if = "ThresholdsIn::are_bugs")]
    pub thresholds: ThresholdsIn,
    /// The suites that have a valid test, those that reach the least first.
    pub suites: Vec<SuiteSurveyed>,
    /// A proposal for `start`: half of the median.
    pub start: Points,
    /// A proposal for `extra_submission`: the median of what the suites reach.
    pub extra_submission: Points,
    /// A proposal for `full`: the 90th percentile.
    pub full: Points,
}

/// What one suite exposes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteSurveyed {
    /// The name of its folder.
    pub name: String,
    /// The number of tests that the reference accepts.
    pub valid_tests: usize,
    /// The number of bugs that they expose.
    pub exposed: usize,
    /// The points of these bugs.
    pub points: Points,
}

impl SuitesSurveyed {
    /// The thresholds that follow from `results`, of which there is at least one.
    pub fn new(results: &[SuiteResult], scoring: &Scoring) -> Self {
        let Scoring { by, thresholds, .. } = *scoring;
        let reached = results.iter().map(|suite| suite.reached(thresholds)).collect();
        let Thresholds { start, extra_submission, full } =
            Thresholds::of(reached).expect("there is a suite");
        let suite = |suite: &SuiteResult| SuiteSurveyed {
            name: suite.name.clone(),
            valid_tests: suite.valid_tests,
            exposed: suite.exposed,
            points: suite.points,
        };
        let mut results: Vec<_> = results.iter().collect();
        results.sort_by_key(|suite| suite.reached(thresholds));
        let suites = results.into_iter().map(suite).collect();
        Self { by, thresholds, suites, start, extra_submission, full }
    }

    pub(super) fn write(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let of = |suite: &SuiteSurveyed| match self.thresholds {
            ThresholdsIn::Bugs => suite.exposed.to_string(),
            ThresholdsIn::Points => suite.points.to_string(),
        };
        let counts: Vec<_> = self.suites.iter().map(of).collect();
        let bugs = format!("{}s that they expose", scored(self.by, "bug"));
        let what = if self.thresholds.are_bugs() { bugs } else { format!("points of the {bugs}") };
        let heading = format!("Thresholds from {} suites with a valid test", self.suites.len());
        writeln!(out)?;
        screen.prose(out, &screen.styled(STRONG, &heading))?;
        screen.prose(out, &format!("  {what}: {}", counts.join(", ")))?;
        let Self { start, extra_submission, full, .. } = self;
        writeln!(out, "  start: {start:<3}              half of the median")?;
        writeln!(out, "  extra_submission: {extra_submission:<3}   the median")?;
        writeln!(out, "  full: {full:<3}               the 90th percentile")
    }
}
