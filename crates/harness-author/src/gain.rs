//! What candidates would add to a catalogue, judged by the cases that expose each. Pure.

use harness::generate::survey::order::Cases;
use std::collections::BTreeMap;

/// What a candidate would add.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gain {
    /// The candidate's index.
    pub candidate: usize,
    /// The mutant that is exposed most nearly together with it. `None` if none ever is.
    pub nearest: Option<usize>,
    /// A mutant or another candidate that implies it: every case that exposes that one exposes this one. A mutant comes first.
    pub implied_by: Option<usize>,
}

/// Ranks `candidates`: first those that nothing implies, then those that only another candidate implies, then the others. In each of these
/// classes, topics take turns, the one with the fewest mutants first, and the hardest candidate of a topic is its first.
///
/// `killers` are the cases that expose each mutant and candidate, and `topics` those of the mutants, which have the first indices. The
/// topic of a candidate is that of the nearest mutant.
pub fn rank(killers: &[&Cases], topics: &[&str], candidates: &[usize]) -> Vec<Gain> {
    let mutants: Vec<_> = (0..topics.len()).filter(|&at| !killers[at].is_empty()).collect();
    let gains = candidates.iter().map(|&candidate| Gain {
        candidate,
        nearest: nearest(killers, &mutants, candidate),
        implied_by: implied_by(killers, &mutants, candidate)
            .or_else(|| implied_by(killers, candidates, candidate)),
    });
    let mut gains: Vec<_> = gains.collect();
    let topic = |gain: &Gain| gain.nearest.map_or("", |nearest| topics[nearest]);
    let class = |gain: &Gain| match gain.implied_by {
        None => 0,
        Some(by) if by >= topics.len() => 1,
        Some(_) => 2,
    };
    let mutants_of = |topic: &str| topics.iter().filter(|other| **other == topic).count();
    gains.sort_by_key(|gain| (class(gain), killers[gain.candidate].len(), gain.candidate));
    let mut turns: BTreeMap<(u8, &str), usize> = BTreeMap::new();
    let turn = |gain: &Gain| {
        let turn = turns.entry((class(gain), topic(gain))).or_default();
        *turn += 1;
        (class(gain), *turn, mutants_of(topic(gain)))
    };
    let keys: Vec<_> = gains.iter().map(turn).collect();
    let mut keyed: Vec<_> = keys.into_iter().zip(gains).collect();
    keyed.sort_by_key(|(key, _)| *key);
    keyed.into_iter().map(|(_, gain)| gain).collect()
}

/// The one of `others` that the most cases expose of those that imply the candidate.
fn implied_by(killers: &[&Cases], others: &[usize], candidate: usize) -> Option<usize> {
    let cases = killers[candidate];
    let implies = |&&other: &&usize| {
        let is_same = killers[other] == cases;
        other != candidate && killers[other].is_subset(cases) && (!is_same || other < candidate)
    };
    others.iter().filter(implies).max_by_key(|&&other| killers[other].len()).copied()
}

/// The mutant with the largest share of cases in common.
fn nearest(killers: &[&Cases], mutants: &[usize], candidate: usize) -> Option<usize> {
    let share = |&mutant: &usize| {
        let both = killers[mutant].both(killers[candidate]).len();
        let all = killers[mutant].len() + killers[candidate].len() - both;
        (both as f64 / all as f64, mutant)
    };
    let near = mutants.iter().map(share).filter(|(share, _)| *share > 0.0);
    near.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).map(|(_, mutant)| mutant)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases(numbers: &[usize]) -> Cases {
        numbers.iter().copied().collect()
    }

    #[test]
    fn what_nothing_implies_comes_first_and_thin_topics_begin() {
        let killers = [
            cases(&[0, 1]),
            cases(&[2, 3]),
            cases(&[4, 5, 6]),
            // The candidates.
            cases(&[0, 1, 7]),
            cases(&[2, 8]),
            cases(&[2, 8, 9]),
            cases(&[5, 6, 10]),
        ];
        let killers: Vec<_> = killers.iter().collect();
        let ranked = rank(&killers, &["doors", "doors", "limits"], &[3, 4, 5, 6]);
        let order: Vec<_> =
            ranked.iter().map(|gain| (gain.candidate, gain.nearest, gain.implied_by)).collect();
        assert_eq!(
            order,
            [(6, Some(2), None), (4, Some(1), None), (5, Some(1), Some(4)), (3, Some(0), Some(0)),]
        );
    }
}
