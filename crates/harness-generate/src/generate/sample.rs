//! Tries random cases: fresh ones, neighbours of cases that reach a missing mutant, and neighbours of cases that expose many mutants.

mod broad;
mod extremes;
mod search;
mod step_budget;

pub use broad::Broad;

use super::evaluator::Evaluator;
use crate::diagnostic::Failure;
use crate::domain::Draft;
use search::{BATCH, LONG_ROUND, Near, ROUND, Search};
use std::collections::BTreeMap;
use step_budget::StepBudget;
use subject::wire::MutantSet;

/// How many rounds to sample.
#[derive(Clone, Copy, Debug)]
pub struct Rounds {
    pub most: usize,
    /// The number of rounds after every mutant is found, which run on all targets.
    pub more: usize,
}

impl Rounds {
    /// For a selection that shall be small.
    pub const MANY: Self = Self { most: 400, more: 4 };
    /// For any other selection.
    pub const FEW: Self = Self { more: 1, ..Self::MANY };
}

/// Cases to begin with.
#[derive(Default)]
pub struct Known {
    /// Those that were found.
    pub small: Vec<Draft>,
    /// Those that somebody has collected.
    pub data: Vec<Draft>,
}

/// The result of sampling.
pub struct Sampled {
    /// The smallest case seen that exposes each mutant.
    pub killers: BTreeMap<usize, Draft>,
    /// The cases that expose the most, with what they expose.
    pub candidates: Vec<(Draft, MutantSet)>,
    /// Cases that ran on all targets, whether they expose the most or not.
    pub broad: Broad,
    /// The number of cases that were tried.
    pub cases: u64,
    /// Whether time ran out before all targets were exposed.
    pub is_cut: bool,
}

/// Samples until all of `targets` are exposed and for some rounds more, for at most so many rounds, until hardly any case is new, or until
/// the budget is used. `known` is what to begin with. The targets in `found` have tests already, so processes are not asked about them.
///
/// # Errors
/// If a worker cannot be started.
pub fn sample(
    evaluator: &mut Evaluator<'_>,
    targets: &MutantSet,
    known: Known,
    found: &MutantSet,
    rounds: Rounds,
    seed: u64,
) -> Result<Sampled, Failure> {
    // A slow mutant would take the time of the others again, and the selection knows a case for it.
    let is_own = |mutant: &usize| evaluator.mutants[*mutant].program.is_some();
    let settled: MutantSet = found.iter().filter(is_own).collect();
    let mut search = Search::new(targets.clone(), &settled, !found.is_empty(), known);
    search.begin(evaluator.least_steps(), evaluator.steps_in(LONG_ROUND));
    let mut rounds_left = rounds.more;
    let mut step_budget = StepBudget::new(evaluator.at_least_steps(step_budget::FIRST));
    let mut cases = 0;
    while search.batches < rounds.most * ROUND
        && !evaluator.has_spent(search.part(evaluator))
        && !targets.is_empty()
    {
        let mut nears = Vec::new();
        let (round, before) = (search.round(), evaluator.programs.effort());
        let slow = step_budget.take(BATCH);
        search.are_mostly_refused = evaluator.programs.are_mostly_refused();
        for tried in search.try_round(evaluator, &step_budget, &slow, seed)? {
            // Slow cases are for what others do not expose. The wider a round is, the less time they get in it.
            if !search.missing.is_empty() {
                step_budget.add(
                    tried.level,
                    tried.cut,
                    tried.count * ROUND * ROUND / (round * round).max(ROUND * ROUND),
                );
            }
            cases += tried.run;
            search.repeats.add(tried.digests);
            nears.extend(tried.nears);
            search.broad.extend(tried.broad);
        }
        nears.extend(search.try_largest(evaluator, seed)?);
        search.batches += round;
        search.pace(evaluator.programs.effort().saturating_sub(before));
        // A case that exposes a missing mutant may expose others too. On a slow case, the others do not run.
        let killers: Vec<_> = nears
            .iter()
            .filter(|near| !near.exposed.is_empty())
            .map(|near| near.draft.clone())
            .collect();
        for (near, exposed) in nears
            .iter_mut()
            .filter(|near| !near.exposed.is_empty())
            .zip(evaluator.exposed_soon(&killers, targets)?)
        {
            near.exposed.add_all(&exposed);
        }
        confirm(evaluator, &mut nears, &search.missing.without(found))?;
        search.learn(nears);
        if search.has_found() {
            evaluator.note_find();
        }
        evaluator.say_missing(
            "random cases",
            &search.missing,
            search.last.and_then(|last| Some((last, search.killers.get(&last)?))),
        );
        if search.missing.is_empty() {
            rounds_left -= 1;
            // There is no better case than one that exposes everything.
            let exposes_all = |(_, exposed): &(Draft, MutantSet)| targets.is_subset(exposed);
            if rounds_left == 0 || search.candidates.iter().any(exposes_all) {
                break;
            }
        } else if search.repeats.are_all()
            && step_budget.is_empty()
            && is_settled(evaluator, &search.missing)
        {
            break;
        }
    }
    let is_cut = !search.missing.is_empty() && evaluator.has_spent(search.part(evaluator));
    let Search { killers, candidates, broad, .. } = search;
    Ok(Sampled { killers, candidates, broad, cases, is_cut })
}

/// Whether each of `mutants` was run to its end on all cases so far.
fn is_settled(evaluator: &Evaluator<'_>, mutants: &MutantSet) -> bool {
    evaluator.programs.unsettled().both(mutants).is_empty()
}

/// Asks a process about missing mutants that only a limit stopped, one case for each. The other cases do not count: the search goes on
/// for what a process does not confirm.
fn confirm(
    evaluator: &mut Evaluator<'_>,
    nears: &mut [Near],
    missing: &MutantSet,
) -> Result<(), Failure> {
    let mut asked = MutantSet::default();
    for near in nears.iter_mut() {
        near.stopped = near.stopped.both(missing);
        near.exposed = near.exposed.without(&near.stopped);
        asked.add_all(&near.exposed);
    }
    let mut claims = Vec::new();
    for (at, near) in nears.iter().enumerate() {
        let doubtful = near.stopped.without(&asked);
        if !doubtful.is_empty() {
            asked.add_all(&doubtful);
            claims.push((at, evaluator.claim(&near.draft, doubtful)));
        }
    }
    let (places, claims): (Vec<_>, Vec<_>) = claims.into_iter().unzip();
    for (at, confirmed) in places.into_iter().zip(evaluator.confirm_in_search(&claims)?) {
        nears[at].exposed.add_all(&confirmed.unwrap_or_default());
    }
    Ok(())
}
