//! Makes cases smaller while they still expose their mutants.

use super::evaluator::{Batch, Evaluator, FEW_STEPS, Next, exposed_by};
use crate::diagnostic::Failure;
use crate::domain::{Draft, Generator, Steps};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use subject::wire::MutantSet;

/// The number of drafts that are tried at the same time: few after a success, because another step is likely to be near, and twice as
/// many after each failure. Fewer if the reference is slow on them, because those after the first success are tried in vain.
const LEAST: usize = 8;
const LEAST_OF_SLOW: usize = 2;
const MOST: usize = 64;

/// Reduces `draft` while it is valid and exposes all of `needed`, until no single step works.
///
/// # Errors
/// If a worker cannot be started.
pub fn reduce(
    evaluator: &mut Evaluator<'_>,
    draft: Draft,
    needed: &MutantSet,
) -> Result<Draft, Failure> {
    Ok(reduce_all(evaluator, &[(draft, needed.clone())])?.remove(0).draft)
}

/// A draft that was made smaller.
pub struct Reduced {
    pub draft: Draft,
    /// Whether time ran out before it was known that no single step makes it smaller.
    pub is_cut: bool,
}

/// Reduces each draft while it exposes its mutants, all at the same time.
///
/// # Errors
/// If a worker cannot be started.
pub fn reduce_all(
    evaluator: &mut Evaluator<'_>,
    drafts: &[(Draft, MutantSet)],
) -> Result<Vec<Reduced>, Failure> {
    let steps =
        evaluator.steps(&drafts.iter().map(|(draft, _)| draft.clone()).collect::<Vec<_>>())?;
    // What takes long comes first, so that it does not come alone at the end.
    let mut order: Vec<_> = (0..drafts.len()).collect();
    order.sort_by_key(|&at| Reverse(steps[at]));
    let mutants = drafts.iter().flat_map(|(_, needed)| needed.iter());
    let guards = mutants.map(|mutant| (mutant, MutantSet::from_iter([mutant]))).collect();
    let (generator, work) = (evaluator.generator, evaluator.programs.work().clone());
    let is_over = || work.search.is_over() || work.cancellation.is_cancelled();
    let reduced = evaluator.pursue(
        drafts.len(),
        |at| {
            let (draft, needed) = &drafts[order[at]];
            let all = Reduction::new(generator, draft.clone(), needed, steps[order[at]]);
            all.next(is_over())
        },
        |tried: Tried<'_>, drafts, answers| {
            let exposed: Vec<_> = answers.iter().map(exposed_by).collect();
            tried.answered(drafts, &exposed, &guards, is_over())
        },
    )?;
    let mut reduced: Vec<_> = order.into_iter().zip(reduced).collect();
    reduced.sort_by_key(|(at, _)| *at);
    Ok(reduced.into_iter().map(|(_, reduced)| reduced).collect())
}

/// Reduces several drafts while they together expose the same mutants, each in so many `times` drafts, or in as many as there are. Each
/// draft comes with what it exposes.
///
/// The smallest drafts that expose a mutant keep it. A large draft is slow to run, and shrinks more if it has less to keep.
///
/// # Errors
/// If a worker cannot be started.
pub fn reduce_together(
    evaluator: &mut Evaluator<'_>,
    drafts: Vec<(Draft, MutantSet)>,
    times: usize,
) -> Result<Vec<(Draft, MutantSet)>, Failure> {
    if evaluator.out_of_time() {
        return Ok(drafts);
    }
    let mut all = MutantSet::default();
    drafts.iter().for_each(|(_, exposed)| all.add_all(exposed));
    let mut smallest_first: Vec<_> = (0..drafts.len()).collect();
    smallest_first.sort_by_key(|&at| evaluator.generator.size(&drafts[at].0.input));
    let mut needed = vec![MutantSet::default(); drafts.len()];
    for mutant in all.iter() {
        let exposing = smallest_first.iter().filter(|&&at| drafts[at].1.contains(mutant));
        exposing.take(times).for_each(|&at| needed[at].insert(mutant));
    }
    let drafts: Vec<_> = drafts.into_iter().map(|(draft, _)| draft).zip(needed).collect();
    let reduced = reduce_all(evaluator, &drafts)?.into_iter().map(|it| it.draft);
    let reduced: Vec<_> = reduced.collect();
    let mut exposed = evaluator.exposed(&reduced, &all)?;
    // Without time for a run, this much is known: no step has lost it.
    for (exposed, (_, needed)) in exposed.iter_mut().zip(&drafts) {
        exposed.add_all(needed);
    }
    Ok(reduced.into_iter().zip(exposed).collect())
}

/// The number of drafts to try at first, if the reference takes at most so many steps on each.
fn least(steps: u64) -> usize {
    if steps > FEW_STEPS { LEAST_OF_SLOW } else { LEAST }
}

/// The reduction of one draft.
struct Reduction<'a> {
    generator: &'a dyn Generator,
    smallest: Draft,
    needed: &'a MutantSet,
    /// The mutant that a step lost last. Most of the other steps lose the same mutant, so it is checked first.
    guard: Option<&'a MutantSet>,
    /// The most steps of the reference on a smaller draft. A smaller one can take much longer.
    most_steps: u64,
    /// The drafts that are one step smaller.
    steps: Steps<'a>,
    /// The step to try next, and the number of steps to try at the same time.
    next: usize,
    width: usize,
    /// The number of steps that are known to fail.
    failed: usize,
}

/// The mutants that can be a guard, each as a set.
type Guards = BTreeMap<usize, MutantSet>;

/// A reduction, the numbers of the steps that are tried, and the guard if only this runs on them.
struct Tried<'a> {
    reduction: Reduction<'a>,
    numbers: Vec<usize>,
    guard: Option<&'a MutantSet>,
}

type Following<'a> = Next<'a, Tried<'a>, Reduced>;

impl<'a> Tried<'a> {
    /// What follows if the drafts that were tried expose these mutants.
    fn answered(
        self,
        drafts: Vec<Draft>,
        exposed: &[MutantSet],
        guards: &'a Guards,
        is_over: bool,
    ) -> Following<'a> {
        let Self { mut reduction, numbers, guard } = self;
        let tried = numbers.into_iter().zip(drafts).zip(exposed);
        if let Some(guard) = guard {
            let promising = tried.filter(|(_, exposed)| guard.is_subset(exposed));
            let (numbers, drafts): (_, Vec<_>) = promising.map(|(step, _)| step).unzip();
            if !drafts.is_empty() {
                return reduction.with_all(numbers, drafts);
            }
            // What was not run has not failed.
            if !is_over {
                reduction.go_on(None, None);
            }
            return reduction.next(is_over);
        }
        let needed = reduction.needed;
        let lost = exposed.iter().find_map(|exposed| needed.without(exposed).iter().next());
        let worked = tried.into_iter().find(|(_, exposed)| needed.is_subset(exposed));
        if worked.is_some() || !is_over {
            reduction.go_on(worked.map(|(step, _)| step), lost.map(|mutant| &guards[&mutant]));
        }
        reduction.next(is_over)
    }
}

impl<'a> Reduction<'a> {
    /// `steps` are those of the reference on the draft.
    fn new(generator: &'a dyn Generator, draft: Draft, needed: &'a MutantSet, steps: u64) -> Self {
        let smaller = generator.steps(&draft);
        Self {
            generator,
            smallest: draft,
            needed,
            guard: None,
            most_steps: steps.max(FEW_STEPS),
            steps: smaller,
            next: 0,
            width: least(steps),
            failed: 0,
        }
    }

    fn is_done(&self) -> bool {
        self.failed >= self.steps.count
    }

    /// Tries the next steps that there are, unless the time is over. The first step follows the last.
    fn next(self, is_over: bool) -> Following<'a> {
        if self.is_done() || is_over {
            return Next::Nothing(Reduced { is_cut: !self.is_done(), draft: self.smallest });
        }
        let count = self.width.min(self.steps.count - self.failed);
        let numbers = (0..count).map(|at| (self.next + at) % self.steps.count);
        let steps = numbers.filter_map(|at| Some((at, (self.steps.make)(at)?)));
        let (numbers, drafts) = steps.unzip();
        match self.guard {
            Some(guard) => {
                let batch = Batch { most_steps: self.most_steps, ..Batch::new(drafts, guard) };
                Next::Answers(batch, Tried { reduction: self, numbers, guard: Some(guard) })
            }
            None => self.with_all(numbers, drafts),
        }
    }

    /// Tries these steps with all mutants.
    fn with_all(self, numbers: Vec<usize>, drafts: Vec<Draft>) -> Following<'a> {
        let batch = Batch { most_steps: self.most_steps, ..Batch::new(drafts, self.needed) };
        Next::Answers(batch, Tried { reduction: self, numbers, guard: None })
    }

    /// Takes the step that `worked`. `lost` is a mutant that a step lost.
    fn go_on(&mut self, worked: Option<(usize, Draft)>, lost: Option<&'a MutantSet>) {
        if self.needed.len() > 1 {
            self.guard = lost.or(self.guard);
        }
        if let Some((number, smaller)) = worked {
            self.steps = self.generator.steps(&smaller);
            self.smallest = smaller;
            // The next step is likely to be near this one. Steps that failed before are tried again at the end of the round.
            self.next = number.min(self.steps.count.saturating_sub(1));
            (self.failed, self.width) = (0, least(self.most_steps));
        } else {
            self.failed += self.width;
            self.next = (self.next + self.width) % self.steps.count;
            self.width = MOST.min(2 * self.width);
        }
    }
}
