//! Checks that no case tells mutants of one behaviour apart.

use super::{CorpusRun, described};
use crate::catalogue::{Mutant, behaviours};
use crate::diagnostic::{Problem, did_you_mean};
use subject::Case;
use subject::wire::MutantSet;

/// What is wrong with the behaviours of the `selected` mutants. Those in `ran` have run on the cases.
pub fn behaviours(
    mutants: &[Mutant],
    selected: &MutantSet,
    ran: &MutantSet,
    cases: &[Case],
    seen: &[CorpusRun],
) -> Vec<Problem> {
    let named = behaviours::named(mutants);
    let mut problems = Vec::new();
    for (name, members) in &named {
        if !members.iter().any(|&index| selected.contains(index)) {
            continue;
        }
        if let &[only] = members.as_slice() {
            let others = named.keys().copied().filter(|other| other != name);
            problems.push(alone(&mutants[only], name, others));
        }
        let counts = |index: &usize| ran.contains(*index) && mutants[*index].is_a_bug();
        let members: Vec<_> = members.iter().copied().filter(counts).collect();
        let Some((&first, others)) = members.split_first() else { continue };
        for &other in others {
            let differs =
                |run: &CorpusRun| run.exposed.contains(first) != run.exposed.contains(other);
            let Some(at) = seen.iter().position(differs) else { continue };
            let is_first = seen[at].exposed.contains(first);
            let (exposed, missed) = if is_first { (first, other) } else { (other, first) };
            let (exposed, missed) = (&mutants[exposed], &mutants[missed]);
            problems.push(told_apart(exposed, missed, &mutants[other], &cases[at]));
        }
    }
    problems
}

fn alone<'a>(
    mutant: &Mutant,
    name: &str,
    others: impl Iterator<Item = &'a str> + Clone,
) -> Problem {
    let hint = did_you_mean(name, others)
        .unwrap_or_else(|| "remove `behaviour`, or give it to another mutant too".to_owned());
    Problem::new(format!("`{}` is the only mutant of the behaviour `{name}`", mutant.id))
        .at(mutant.place("behaviour"))
        .hint(hint)
}

/// The problem that `case` exposes one of two mutants of one behaviour, but misses the other. `wrong` is the one to change.
fn told_apart(exposed: &Mutant, missed: &Mutant, wrong: &Mutant, case: &Case) -> Problem {
    let name = wrong.behaviour.as_deref().unwrap_or_default();
    let message = format!(
        "`{}` and `{}` are not one behaviour, `{name}`: this case exposes only `{}`:\n{}",
        exposed.id,
        missed.id,
        exposed.id,
        described(case)
    );
    let hint = "give them different behaviours, or remove `behaviour`";
    Problem::new(message).at(wrong.place("behaviour")).hint(hint)
}
