//! A valid test as reports show it, with more than its result.

use super::Difference;
use crate::domain::Draft;
use subject::Outcome;

/// What a report needs of valid tests, besides their results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shows {
    /// Nothing else.
    Results,
    /// The input.
    Inputs,
    /// The input and the outcomes.
    Outcomes,
}

/// A valid test, for a report that shows more than results.
pub struct DrawnTest<'a> {
    /// The test's file.
    pub file: &'a str,
    pub draft: Draft,
    /// The reference's outcome, and the mutants that differ.
    pub outcomes: Option<(&'a Outcome, &'a [Difference])>,
}
