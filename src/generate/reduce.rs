//! Making cases smaller while they still expose what they are for.

use super::absorb::only_here;
use super::arena::{Arena, Batch, exposed_by};
use crate::domain::Draft;
use crate::problem::Failure;
use subject::wire::MutantSet;

/// Steps of a draft that are tried at the same time: few where the last try found one, since one more is likely to be near, and twice
/// as many after each try that found none.
const LEAST: usize = 8;
const MOST: usize = 64;

/// The draft from which no single step goes further: each step leads to a smaller case that is valid and exposes all of `needed`.
///
/// # Errors
/// Where a worker can't be started.
pub fn reduce(arena: &mut Arena<'_>, draft: Draft, needed: &MutantSet) -> Result<Draft, Failure> {
    Ok(reduce_all(arena, &[(draft, needed.clone())])?.remove(0))
}

/// Each draft reduced as far as it still exposes its mutants, all side by side.
///
/// # Errors
/// Where a worker can't be started.
pub fn reduce_all(
    arena: &mut Arena<'_>,
    drafts: &[(Draft, MutantSet)],
) -> Result<Vec<Draft>, Failure> {
    let mut reductions: Vec<_> =
        drafts.iter().map(|(draft, needed)| Reduction::new(arena, draft.clone(), needed)).collect();
    loop {
        let tried: Vec<_> = (0..reductions.len()).filter(|&at| !reductions[at].is_done()).collect();
        if tried.is_empty() || arena.out_of_time() {
            return Ok(reductions.into_iter().map(|reduction| reduction.smallest).collect());
        }
        let batches: Vec<Vec<Draft>> = tried.iter().map(|&at| reductions[at].batch()).collect();
        let promising = promising(arena, &batches, |at| &reductions[tried[at]].guard)?;
        let lost = arena.sweep(
            tried.len(),
            |at| Batch {
                drafts: promising[at].iter().map(|&of| batches[at][of].clone()).collect(),
                mutants: reductions[tried[at]].needed,
            },
            |at, _, answers| {
                let needed = reductions[tried[at]].needed;
                answers.iter().map(|answer| needed.without(&exposed_by(answer))).collect::<Vec<_>>()
            },
        )?;
        for ((at, promising), lost) in tried.into_iter().zip(&promising).zip(lost) {
            let worked = lost.iter().position(MutantSet::is_empty).map(|worked| promising[worked]);
            reductions[at].go_on(arena, worked, lost.iter().find_map(|lost| lost.iter().next()));
        }
    }
}

/// Those of each batch, by index, that keep what their guard is; all, where there is none.
fn promising<'a>(
    arena: &mut Arena<'_>,
    batches: &[Vec<Draft>],
    guard: impl Fn(usize) -> &'a MutantSet + Sync,
) -> Result<Vec<Vec<usize>>, Failure> {
    let kept = arena.sweep(
        batches.len(),
        |at| Batch {
            drafts: if guard(at).is_empty() { Vec::new() } else { batches[at].clone() },
            mutants: guard(at),
        },
        |at, _, answers| {
            (0..answers.len())
                .filter(|&of| guard(at).is_subset(&exposed_by(&answers[of])))
                .collect::<Vec<_>>()
        },
    )?;
    let all_or = |(at, kept): (usize, Vec<usize>)| {
        if guard(at).is_empty() { (0..batches[at].len()).collect() } else { kept }
    };
    Ok(kept.into_iter().enumerate().map(all_or).collect())
}

/// Several drafts, reduced as far as they still expose together what they exposed together; each comes with what it exposes.
///
/// Each mutant is kept by one draft, the smallest that exposes it: a large one is dear to run, and shrinks more the less it has to keep.
///
/// # Errors
/// Where a worker can't be started.
pub fn reduce_together(
    arena: &mut Arena<'_>,
    drafts: Vec<(Draft, MutantSet)>,
) -> Result<Vec<(Draft, MutantSet)>, Failure> {
    let mut all = MutantSet::default();
    drafts.iter().for_each(|(_, exposed)| all.add_all(exposed));
    let mut needed: Vec<MutantSet> = (0..drafts.len()).map(|at| only_here(&drafts, at)).collect();
    let kept = needed.iter().fold(MutantSet::default(), |mut kept, set| {
        kept.add_all(set);
        kept
    });
    let area = |draft: &Draft| arena.generator.area(&draft.input);
    for mutant in all.without(&kept).iter() {
        let keeper = (0..drafts.len())
            .filter(|&at| drafts[at].1.contains(mutant))
            .min_by_key(|&at| area(&drafts[at].0));
        if let Some(at) = keeper {
            needed[at].insert(mutant);
        }
    }
    let drafts: Vec<_> = drafts.into_iter().map(|(draft, _)| draft).zip(needed).collect();
    let reduced = reduce_all(arena, &drafts)?;
    let exposed = arena.exposed(&reduced, &all)?;
    Ok(reduced.into_iter().zip(exposed).collect())
}

/// A draft on its way to the smallest.
struct Reduction<'a> {
    smallest: Draft,
    needed: &'a MutantSet,
    /// The one of them that a step lost last: where many have to be kept, most steps lose that one again.
    guard: MutantSet,
    /// What is a single step from it.
    steps: Vec<Draft>,
    /// The step to try next, and how many at a time.
    next: usize,
    width: usize,
    /// Steps that are known to fail.
    failed: usize,
}

impl<'a> Reduction<'a> {
    fn new(arena: &Arena<'_>, draft: Draft, needed: &'a MutantSet) -> Self {
        let steps = arena.generator.smaller(&draft);
        Self {
            smallest: draft,
            needed,
            guard: MutantSet::default(),
            steps,
            next: 0,
            width: LEAST,
            failed: 0,
        }
    }

    fn is_done(&self) -> bool {
        self.failed >= self.steps.len()
    }

    /// The next steps, going round.
    fn batch(&self) -> Vec<Draft> {
        let count = self.width.min(self.steps.len() - self.failed);
        (0..count).map(|at| self.steps[(self.next + at) % self.steps.len()].clone()).collect()
    }

    /// Takes the step of the last batch that worked, if one did; a step lost this mutant.
    fn go_on(&mut self, arena: &Arena<'_>, worked: Option<usize>, lost: Option<usize>) {
        if let Some(lost) = lost.filter(|_| self.needed.len() > 1) {
            self.guard = MutantSet::from_iter([lost]);
        }
        if let Some(at) = worked {
            // Where this step was found the next one is likely; what failed before is tried again only once the round is done.
            self.next = (self.next + at) % self.steps.len();
            self.smallest = self.steps.swap_remove(self.next);
            self.steps = arena.generator.smaller(&self.smallest);
            self.next = self.next.min(self.steps.len().saturating_sub(1));
            (self.failed, self.width) = (0, LEAST);
        } else {
            self.failed += self.width;
            self.next = (self.next + self.width) % self.steps.len();
            self.width = MOST.min(2 * self.width);
        }
    }
}
