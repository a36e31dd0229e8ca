//! Behaviours: mutants that are always exposed together. A course may count those of one behaviour once.

use super::Mutant;
use crate::course::ScoredBy;
use crate::diagnostic::Problem;
use std::collections::{BTreeMap, BTreeSet};

/// Those of `mutants` that count: all, or the first of each behaviour. A mutant without a behaviour is one of its own.
pub fn counted<'a>(mutants: impl Iterator<Item = &'a Mutant>, by: ScoredBy) -> Vec<&'a Mutant> {
    let mut known = BTreeSet::new();
    mutants
        .filter(|mutant| match &mutant.behaviour {
            Some(name) if by == ScoredBy::Behaviours => known.insert(name),
            _ => true,
        })
        .collect()
}

/// Those of `mutants` that are still to be exposed. If behaviours count, one exposed mutant is enough for all of its behaviour.
pub fn missed(
    mutants: &[Mutant],
    is_exposed: impl Fn(&Mutant) -> bool,
    by: ScoredBy,
) -> Vec<&Mutant> {
    let exposed = mutants.iter().filter(|mutant| by == ScoredBy::Behaviours && is_exposed(mutant));
    let behaviours: BTreeSet<_> = exposed.filter_map(|mutant| mutant.behaviour.as_ref()).collect();
    let is_known =
        |mutant: &Mutant| mutant.behaviour.as_ref().is_some_and(|name| behaviours.contains(name));
    mutants.iter().filter(|mutant| !is_exposed(mutant) && !is_known(mutant)).collect()
}

/// The mutants of each behaviour that has a name, by index.
pub fn named(mutants: &[Mutant]) -> BTreeMap<&str, Vec<usize>> {
    let mut named: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (index, mutant) in mutants.iter().enumerate() {
        if let Some(name) = &mutant.behaviour {
            named.entry(name.as_str()).or_default().push(index);
        }
    }
    named
}

/// The mutants that have other points than the first of their behaviour.
pub(super) fn unequal(mutants: &[Mutant]) -> Vec<Problem> {
    let in_one = |(name, members): (&str, Vec<usize>)| {
        let first = &mutants[members[0]];
        let others = members.into_iter().map(|index| &mutants[index]);
        let others = others.filter(|mutant| mutant.points != first.points);
        let problem = |mutant: &Mutant| {
            let message = format!(
                "`{}` is worth {}, but `{}` of the same behaviour, `{name}`, is worth {}",
                mutant.id, mutant.points, first.id, first.points
            );
            Problem::new(message)
                .at(mutant.place("points"))
                .hint("give the mutants of a behaviour the same points")
        };
        others.map(problem).collect::<Vec<_>>()
    };
    named(mutants).into_iter().flat_map(in_one).collect()
}
