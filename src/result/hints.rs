//! Which hints a suite is given on which day, and what is remembered of it. Pure: reading and writing the memory is up to the command.
//!
//! A day's new hints are those of missed mutants that are worth the fewest points, and among equals in an order drawn from the suite's name
//! and the day. A hint that was given stays given: it is shown again as long as its mutant is missed, and costs nothing.

use crate::catalogue::Mutant;
use crate::hash::fnv1a;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the file.
pub const SCHEMA: &str = "harness-hints/1";

/// The hints that were given, as the file keeps them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// `harness-hints/1`.
    pub schema: String,
    /// What each suite was given, in the order in which suites were first given something.
    pub suites: Vec<SuiteGiven>,
}

/// The hints that one suite was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SuiteGiven {
    /// The assignment's id.
    pub assignment: String,
    /// The suite's name, as reports write it.
    pub suite: String,
    /// Its hints, in the order in which they were given.
    pub hints: Vec<HintGiven>,
}

/// A hint that was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HintGiven {
    /// The day on which it was first given, in UTC: `2026-11-20`.
    pub day: String,
    /// The id of the mutant whose hint it is.
    pub mutant: String,
}

impl Default for Given {
    fn default() -> Self {
        Self { schema: SCHEMA.to_owned(), suites: Vec::new() }
    }
}

impl Given {
    /// Gives `suite` what it may have of the hints of `missed` on `day`: those that it was given before, and new ones until it has had
    /// `per_day` of this day. Each comes with the day on which it was first given.
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
            |hint: &HintGiven| missed.iter().find(|mutant| mutant.id == hint.mutant).copied();
        let mut shown: Vec<_> =
            before.iter().filter_map(|hint| Some((hint.day.clone(), find(hint)?))).collect();
        let todays = before.iter().filter(|hint| hint.day == day).count();
        let mut new = Vec::new();
        for mutant in in_order(missed, suite, day) {
            let is_known = before.iter().any(|hint| hint.mutant == mutant.id)
                || shown.iter().any(|(_, other)| other.hint.trim() == mutant.hint.trim());
            if todays + new.len() < per_day as usize && !is_known && !mutant.hint.trim().is_empty()
            {
                new.push(HintGiven { day: day.to_owned(), mutant: mutant.id.clone() });
                shown.push((day.to_owned(), mutant));
            }
        }
        match at {
            Some(at) => self.suites[at].hints.extend(new),
            None if new.is_empty() => {}
            None => self.suites.push(SuiteGiven {
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
    // No day and no id holds a line's end, and the day comes first: no two draws are of the same text.
    mutants.sort_by_key(|mutant| {
        (mutant.points, fnv1a(format!("{day}\n{}\n{suite}", mutant.id).as_bytes()), &mutant.id)
    });
    mutants
}
