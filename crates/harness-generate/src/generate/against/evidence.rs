//! Decides which mutant tells a deviation, from the cases that were seen.

use super::deviation::Seen;
use subject::MutantSet;

/// How likely chance may explain that a program differs on the cases that expose a mutant.
const CHANCE: f64 = 1e-4;
/// The largest share of these cases on which the program may be right.
const EXCEPTIONS: f64 = 0.05;

/// What is known about one deviation.
pub(super) struct Evidence<'a> {
    /// Every case with known mutants.
    pub(super) seen: Vec<&'a Seen>,
    /// The differences that no other deviation accounts for.
    pub(super) open: &'a [Seen],
    /// Those of them that look like the deviation.
    pub(super) alike: Vec<&'a Seen>,
    /// The share of these that the mutant must account for.
    pub(super) usual: f64,
}

impl Evidence<'_> {
    /// The first of those among `candidates` that tell the deviation and account for the most.
    pub(super) fn mutant(&self, candidates: &MutantSet) -> Option<usize> {
        let accounts = |mutant| self.open.iter().filter(|case| case.exposes(mutant)).count();
        candidates
            .iter()
            .filter(|&mutant| self.tells(mutant))
            .min_by_key(|&mutant| std::cmp::Reverse(accounts(mutant)))
    }

    /// Whether the program differs on nearly all cases that expose the mutant, and these are most of what looks alike.
    pub(super) fn tells(&self, mutant: usize) -> bool {
        let count = |cases: &[&Seen]| cases.iter().filter(|case| case.exposes(mutant)).count();
        let differing = self.seen.iter().filter(|case| case.kind.is_some());
        let exposing = differing.clone().filter(|case| case.exposes(mutant)).count();
        let share = differing.count() as f64 / self.seen.len().max(1) as f64;
        let all = count(&self.seen);
        let by_chance = share.powi(i32::try_from(exposing).unwrap_or(i32::MAX));
        (all - exposing) as f64 <= EXCEPTIONS * all as f64
            && by_chance < CHANCE
            && count(&self.alike) as f64 >= self.usual * self.alike.len() as f64
    }
}
