//! The part of a survey about the suites of a class: what they expose, and the thresholds that follow.

use super::super::screen::{STRONG, Screen};
use super::super::words::scored;
use crate::course::ScoredBy;
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
    /// The suites that have a valid test, by the number of bugs that they expose.
    pub suites: Vec<SuiteSurveyed>,
    /// A proposal for `start`: half of the median.
    pub start: usize,
    /// A proposal for `extra_submission`: the median of the numbers of bugs that the suites expose.
    pub extra_submission: usize,
    /// A proposal for `full`: the 90th percentile.
    pub full: usize,
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
}

impl SuitesSurveyed {
    /// The thresholds that follow from `results`, of which there is at least one.
    pub fn new(results: &[SuiteResult], by: ScoredBy) -> Self {
        let exposed = results.iter().map(|suite| suite.exposed).collect();
        let Thresholds { start, extra_submission, full } =
            Thresholds::of(exposed).expect("there is a suite");
        let suite = |suite: &SuiteResult| SuiteSurveyed {
            name: suite.name.clone(),
            valid_tests: suite.valid_tests,
            exposed: suite.exposed,
        };
        let mut suites: Vec<_> = results.iter().map(suite).collect();
        suites.sort_by_key(|suite| suite.exposed);
        Self { by, suites, start, extra_submission, full }
    }

    pub(super) fn write(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let counts: Vec<_> = self.suites.iter().map(|suite| suite.exposed.to_string()).collect();
        let heading = format!("Thresholds from {} suites with a valid test", self.suites.len());
        writeln!(out)?;
        screen.prose(out, &screen.styled(STRONG, &heading))?;
        screen.prose(
            out,
            &format!("  {}s that they expose: {}", scored(self.by, "bug"), counts.join(", ")),
        )?;
        let Self { start, extra_submission, full, .. } = self;
        writeln!(out, "  start: {start:<3}              half of the median")?;
        writeln!(out, "  extra_submission: {extra_submission:<3}   the median")?;
        writeln!(out, "  full: {full:<3}               the 90th percentile")
    }
}
