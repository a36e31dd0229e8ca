//! Finds twins: mutants that the same cases expose, with the same outcomes.

use crate::course::Assignment;
use crate::diagnostic::Failure;
use crate::domain::Draft;
use crate::run::matrix::Row;
use crate::run::programs::{Programs, Run};
use crate::suite::decode;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};
use subject::wire::MutantSet;
use subject::{Case, End, How, Outcome};

/// Cases whose outcomes are held in memory at the same time.
const AT_ONCE: usize = 16;

/// Mutants that no case tells apart.
pub struct Twins {
    /// Their indices: at least two.
    pub mutants: Vec<usize>,
    /// The number of cases that expose them.
    pub cases: usize,
}

/// All twins among the mutants of `programs`. `rows` are those of `cases`. A single valid case tells too little to call any mutants
/// twins.
///
/// # Errors
/// If the machine fails.
pub fn find(programs: &mut Programs, cases: &[Case], rows: &[Row]) -> Result<Vec<Twins>, Failure> {
    if rows.iter().filter(|row| row.is_valid()).count() < 2 {
        return Ok(Vec::new());
    }
    let mut exposing: BTreeMap<usize, Vec<(usize, How)>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        for difference in &row.exposed {
            exposing.entry(difference.mutant).or_default().push((at, difference.how));
        }
    }
    let alike = groups(exposing.iter().map(|(mutant, cases)| (cases, *mutant)));
    let candidates: MutantSet = alike.iter().flatten().copied().collect();
    let is_needed =
        |at: &usize| rows[*at].exposed.iter().any(|one| candidates.contains(one.mutant));
    let needed: Vec<_> = (0..cases.len()).filter(is_needed).collect();
    let mut outcomes: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    for some in needed.chunks(AT_ONCE) {
        let run = |&at: &usize| Run { case: &cases[at], mutants: candidates.clone() };
        let runs: Vec<_> = some.iter().map(run).collect();
        for difference in programs.outcomes_of(&runs)?.iter().flat_map(|row| &row.exposed) {
            let digest = difference.outcome.as_ref().map_or(0, digest);
            outcomes.entry(difference.mutant).or_default().push(digest);
        }
    }
    let same =
        groups(outcomes.iter().map(|(mutant, digests)| ((&exposing[mutant], digests), *mutant)));
    let twins = |mutants: Vec<usize>| Twins { cases: exposing[&mutants[0]].len(), mutants };
    Ok(same.into_iter().map(twins).collect())
}

/// Those twins that these drafts do not tell apart either, as far as there is time for them.
///
/// # Errors
/// If the machine fails.
pub(super) fn remaining(
    programs: &mut Programs,
    assignment: &Assignment,
    mut twins: Vec<Twins>,
    mut drafts: impl Iterator<Item = Draft>,
) -> Result<Vec<Twins>, Failure> {
    /// Most are told apart in a tenth of a second. Mutants that hang, and slow programs, take too long for all cases.
    const TIME: Duration = Duration::from_secs(10);
    let end = Instant::now() + TIME;
    while !twins.is_empty() && Instant::now() < end {
        let some: Vec<_> = drafts.by_ref().take(AT_ONCE).collect();
        if some.is_empty() {
            break;
        }
        let mutants: MutantSet = twins.iter().flat_map(|twins| &twins.mutants).copied().collect();
        let cases = decode::cases_of_drafts(assignment, &some);
        let runs = cases.iter().map(|case| Run { case, mutants: mutants.clone() });
        let mut rows = programs.outcomes_of(&runs.collect::<Vec<_>>())?;
        let mut outcomes: BTreeMap<usize, Vec<(usize, How, u64)>> = BTreeMap::new();
        for (at, (draft, row)) in some.iter().zip(&mut rows).enumerate() {
            row.check(assignment, draft);
            for difference in &row.exposed {
                let digest = difference.outcome.as_ref().map_or(0, digest);
                let seen = outcomes.entry(difference.mutant).or_default();
                seen.push((at, difference.how, digest));
            }
        }
        let alike = |Twins { mutants, cases }: Twins| {
            let same = groups(mutants.iter().map(|mutant| (outcomes.get(mutant), *mutant)));
            same.into_iter().map(move |mutants| Twins { mutants, cases })
        };
        twins = twins.into_iter().flat_map(alike).collect();
    }
    Ok(twins)
}

/// The mutants with the same key, if there are several, in the order of their indices.
fn groups<K: Ord>(mutants: impl Iterator<Item = (K, usize)>) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<K, Vec<usize>> = BTreeMap::new();
    for (key, mutant) in mutants {
        groups.entry(key).or_default().push(mutant);
    }
    let mut groups: Vec<_> = groups.into_values().filter(|group| group.len() > 1).collect();
    groups.sort();
    groups
}

/// A hash of what a user sees. What a run printed before it was stopped depends on when it was stopped, so it does not count.
fn digest(outcome: &Outcome) -> u64 {
    let mut hasher = DefaultHasher::new();
    std::mem::discriminant(&outcome.end).hash(&mut hasher);
    if let End::Exit(status) = outcome.end {
        (status, &outcome.stdout, &outcome.files).hash(&mut hasher);
    }
    hasher.finish()
}
