//! Decides which hints a suite gets on which day. Pure: the command reads and writes the hints file.
//!
//! The new hints of a day are those of the missed mutants with the fewest points, among equals in an order that depends on the
//! suite's name and the day. A hint stays given: it is shown again, and does not count again, while its mutant is missed.

use crate::catalogue::Mutant;
use crate::hash::fnv1a;
use serde::{Deserialize, Serialize};

/// The version of the hints file.
pub const SCHEMA: &str = "harness-hints/1";

/// The hints file: all hints that were given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HintsFile {
    /// `harness-hints/1`.
    pub schema: String,
    /// The hints of each suite, in the order in which suites first got one.
    pub suites: Vec<SuiteHints>,
}

/// The hints that one suite was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteHints {
    /// The assignment's id.
    pub assignment: String,
    /// The suite's name as in reports.
    pub suite: String,
    /// The hints in the order in which they were given.
    pub hints: Vec<GivenHint>,
}

/// A hint that was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenHint {
    /// The UTC day on which it was first given: `2026-11-20`.
    pub day: String,
    /// The id of the mutant that it helps to expose.
    pub mutant: String,
}

impl Default for HintsFile {
    fn default() -> Self {
        Self { schema: SCHEMA.to_owned(), suites: Vec::new() }
    }
}

impl HintsFile {
    /// Returns the hints for `suite` on `day`, each with the day on which it was first given: those it already has for mutants in
    /// `missed`, and new ones up to `per_day`. Records the new ones.
    pub fn give<'a>(
        &mut self,
        assignment: &str,
        suite: &str,
        day: &str,
        per_day: u32,
        missed: &[&'a Mutant],
    ) -> Vec<(String, &'a Mutant)> {
        let at = self
            .suites
            .iter()
            .position(|given| given.assignment == assignment && given.suite == suite);
        let before = at.map_or_else(Vec::new, |at| self.suites[at].hints.clone());
        let find =
            |hint: &GivenHint| missed.iter().find(|mutant| mutant.id == hint.mutant).copied();
        let mut shown: Vec<_> =
            before.iter().filter_map(|hint| Some((hint.day.clone(), find(hint)?))).collect();
        let todays = before.iter().filter(|hint| hint.day == day).count();
        let mut new = Vec::new();
        for mutant in in_order(missed, suite, day) {
            let is_known = before.iter().any(|hint| hint.mutant == mutant.id)
                || shown.iter().any(|(_, other)| other.hint.trim() == mutant.hint.trim());
            if todays + new.len() < per_day as usize && !is_known && !mutant.hint.trim().is_empty()
            {
                new.push(GivenHint { day: day.to_owned(), mutant: mutant.id.clone() });
                shown.push((day.to_owned(), mutant));
            }
        }
        match at {
            Some(at) => self.suites[at].hints.extend(new),
            None if new.is_empty() => {}
            None => self.suites.push(SuiteHints {
                assignment: assignment.to_owned(),
                suite: suite.to_owned(),
                hints: new,
            }),
        }
        shown
    }
}

/// The mutants in the order in which their hints are given.
fn in_order<'a>(missed: &[&'a Mutant], suite: &str, day: &str) -> Vec<&'a Mutant> {
    let mut mutants = missed.to_vec();
    // Days and ids contain no newline, so different inputs give different texts.
    mutants.sort_by_key(|mutant| {
        (mutant.points, fnv1a(format!("{day}\n{}\n{suite}", mutant.id).as_bytes()), &mutant.id)
    });
    mutants
}
