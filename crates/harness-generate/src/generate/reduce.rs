//! Makes cases smaller while they still expose their mutants.

use super::evaluator::{Batch, Evaluator, FEW_STEPS, exposed_by};
use crate::diagnostic::Failure;
use crate::domain::{Draft, Steps};
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
    let all = drafts.iter().zip(steps);
    let mut reductions: Vec<_> = all
        .map(|((draft, needed), steps)| Reduction::new(evaluator, draft.clone(), needed, steps))
        .collect();
    loop {
        let tried: Vec<_> = (0..reductions.len()).filter(|&at| !reductions[at].is_done()).collect();
        if tried.is_empty() || evaluator.out_of_time() {
            let reduced = |it: Reduction<'_>| Reduced { is_cut: !it.is_done(), draft: it.smallest };
            return Ok(reductions.into_iter().map(reduced).collect());
        }
        let (numbers, batches): (Vec<Vec<usize>>, Vec<Vec<Draft>>) =
            tried.iter().map(|&at| reductions[at].batch()).unzip();
        let promising = promising(evaluator, &batches, |at| {
            let Reduction { guard, most_steps, .. } = &reductions[tried[at]];
            (guard, *most_steps)
        })?;
        let lost = evaluator.sweep(
            tried.len(),
            |at| {
                let drafts = promising[at].iter().map(|&of| batches[at][of].clone()).collect();
                let Reduction { needed, most_steps, .. } = reductions[tried[at]];
                Batch { most_steps, ..Batch::new(drafts, needed) }
            },
            |at, _, answers| {
                let needed = reductions[tried[at]].needed;
                answers.iter().map(|answer| needed.without(&exposed_by(answer))).collect::<Vec<_>>()
            },
        )?;
        for (of, (at, lost)) in tried.into_iter().zip(lost).enumerate() {
            let worked = lost.iter().position(MutantSet::is_empty).map(|worked| {
                let worked = promising[of][worked];
                (numbers[of][worked], batches[of][worked].clone())
            });
            reductions[at].go_on(
                evaluator,
                worked,
                lost.iter().find_map(|lost| lost.iter().next()),
            );
        }
    }
}

/// The indices of the drafts in each batch that still expose the guard, or all if there is no guard.
fn promising<'a>(
    evaluator: &mut Evaluator<'_>,
    batches: &[Vec<Draft>],
    guard: impl Fn(usize) -> (&'a MutantSet, u64) + Sync,
) -> Result<Vec<Vec<usize>>, Failure> {
    let kept = evaluator.sweep(
        batches.len(),
        |at| {
            let (guard, most_steps) = guard(at);
            let drafts = if guard.is_empty() { Vec::new() } else { batches[at].clone() };
            Batch { most_steps, ..Batch::new(drafts, guard) }
        },
        |at, _, answers| {
            (0..answers.len())
                .filter(|&of| guard(at).0.is_subset(&exposed_by(&answers[of])))
                .collect::<Vec<_>>()
        },
    )?;
    let all_or = |(at, kept): (usize, Vec<usize>)| {
        if guard(at).0.is_empty() { (0..batches[at].len()).collect() } else { kept }
    };
    Ok(kept.into_iter().enumerate().map(all_or).collect())
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
    smallest: Draft,
    needed: &'a MutantSet,
    /// The mutant that a step lost last. Most of the other steps lose the same mutant, so it is checked first.
    guard: MutantSet,
    /// The most steps of the reference on a smaller draft. A smaller one can take much longer, and would hold up all others.
    most_steps: u64,
    /// The drafts that are one step smaller.
    steps: Steps<'a>,
    /// The step to try next, and the number of steps to try at the same time.
    next: usize,
    width: usize,
    /// The number of steps that are known to fail.
    failed: usize,
}

impl<'a> Reduction<'a> {
    /// `steps` are those of the reference on the draft.
    fn new(evaluator: &Evaluator<'a>, draft: Draft, needed: &'a MutantSet, steps: u64) -> Self {
        let smaller = evaluator.generator.steps(&draft);
        Self {
            smallest: draft,
            needed,
            guard: MutantSet::default(),
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

    /// The next steps that there are, with their numbers. The first step follows the last.
    fn batch(&self) -> (Vec<usize>, Vec<Draft>) {
        let count = self.width.min(self.steps.count - self.failed);
        let numbers = (0..count).map(|at| (self.next + at) % self.steps.count);
        numbers.filter_map(|at| Some((at, (self.steps.make)(at)?))).unzip()
    }

    /// Takes the step of the last batch that `worked`. `lost` is a mutant that a step lost.
    fn go_on(
        &mut self,
        evaluator: &Evaluator<'a>,
        worked: Option<(usize, Draft)>,
        lost: Option<usize>,
    ) {
        if let Some(lost) = lost.filter(|_| self.needed.len() > 1) {
            self.guard = MutantSet::from_iter([lost]);
        }
        if let Some((number, smaller)) = worked {
            self.steps = evaluator.generator.steps(&smaller);
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
