//! How much a mutant is like a deviation: on how many cases both show, and on how many only one of them. Pure.

use super::deviations::{CaseKind, Signature, may_be_chance};

/// A mutant beside a deviation, in numbers of cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Likeness {
    /// The mutant's index.
    pub mutant: usize,
    pub both: usize,
    pub only_deviation: usize,
    pub only_mutant: usize,
}

impl Likeness {
    /// Of the cases on which at least one of them shows, the share on which both do.
    pub fn part(&self) -> f64 {
        let all = self.both + self.only_deviation + self.only_mutant;
        if all == 0 { 0.0 } else { self.both as f64 / all as f64 }
    }

    /// Whether a suite that exposes one of them most probably exposes the other: both show on at least half of the cases.
    pub fn represents(&self) -> bool {
        2 * self.both >= self.both + self.only_deviation + self.only_mutant && self.both > 0
    }
}

/// Every mutant that shows on cases of a deviation, not by chance, the most like it first. `cases` are those that the deviation's example
/// ran on.
pub fn likenesses(
    cases: &[CaseKind],
    deviation: &Signature,
    mutants: &[Signature],
) -> Vec<Likeness> {
    let counts = |case: &&usize| cases.get(**case).is_some_and(|case| case.counts);
    let count = |signature: &Signature| signature.keys().filter(counts).count();
    let all = count(deviation);
    let likeness = |(mutant, signature): (usize, &Signature)| {
        let shared = signature.keys().filter(counts);
        let both = shared.filter(|case| deviation.contains_key(case)).count();
        Likeness { mutant, both, only_deviation: all - both, only_mutant: count(signature) - both }
    };
    let mut likenesses: Vec<_> = mutants.iter().enumerate().map(likeness).collect();
    let tried = cases.iter().filter(|case| case.counts).count();
    likenesses.retain(|it| it.both > 0 && !may_be_chance(deviation, deviation, tried, it.both));
    likenesses.sort_by(|one, other| other.part().total_cmp(&one.part()));
    likenesses
}
