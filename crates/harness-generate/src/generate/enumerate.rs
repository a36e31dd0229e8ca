//! Tries every case in order of size, so that the first one that exposes a mutant is a smallest one.

use super::evaluator::{Batch, Evaluator, count_run};
use crate::diagnostic::Failure;
use crate::domain::{Draft, Family};
use std::collections::BTreeMap;
use std::ops::Range;
use subject::wire::{Answer, MutantSet};

/// The most cases in a batch, and the most batches in a round. The first rounds are short, because the first cases expose most mutants.
const FIRST_BATCH: usize = 8;
const BATCH: usize = 512;
const ROUND: usize = 64;
/// The part of the budget that it may use. The rest is for large cases.
const PART: f64 = 0.5;

/// When to stop before the bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Once every target is exposed.
    WhenAllAreFound,
    /// Never.
    AtTheBound,
}

/// What was found up to the bound.
pub struct Enumerated {
    /// The first case that exposes each mutant, which is a smallest one.
    pub found: BTreeMap<usize, Draft>,
    pub reach: Reach,
    /// The number of cases that were tried.
    pub cases: u64,
    /// Whether the budget ended it before the bound.
    pub is_cut: bool,
}

/// How far cases were tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// The largest size up to which every case of the alphabet was tried; `None` if there is none.
    pub size: Option<usize>,
    /// The largest size up to which every case at all was tried.
    pub whole: Option<usize>,
}

impl Reach {
    /// What is known of the first case that exposes a mutant, if it has this size.
    pub fn certificate_of_first(self, size: usize) -> Certificate {
        self.certificate(size).max(Certificate::Listed)
    }

    /// What is known of a case of this size that exposes a mutant. Every smaller case was tried, even if this case itself was not.
    pub fn certificate(self, size: usize) -> Certificate {
        let covers = |tried: Option<usize>| tried.is_some_and(|tried| size <= tried + 1);
        match (covers(self.size), covers(self.whole)) {
            (false, _) => Certificate::None,
            (true, false) => Certificate::Listed,
            (true, true) => Certificate::Whole,
        }
    }
}

/// What is known of smaller cases than one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certificate {
    /// Not every smaller case was tried.
    None,
    /// Every smaller case of the alphabet was tried.
    Listed,
    /// Every smaller case was tried.
    Whole,
}

/// Tries every case up to size `bound`, in order, until half of the budget is used.
///
/// # Errors
/// If a worker cannot be started.
pub fn enumerate(
    evaluator: &mut Evaluator<'_>,
    targets: &MutantSet,
    bound: usize,
    stop: Stop,
) -> Result<Enumerated, Failure> {
    let mut all =
        Enumerated { found: BTreeMap::new(), reach: Reach::default(), cases: 0, is_cut: false };
    let (mut missing, mut batch, mut round) = (targets.clone(), FIRST_BATCH, 1);
    for size in 0..=bound {
        if missing.is_empty() && stop == Stop::WhenAllAreFound {
            break;
        }
        if !evaluator.generator.has_all(size, &evaluator.assignment.tests) {
            break;
        }
        let cases = Cases::new(evaluator.generator.families(size, &evaluator.assignment.tests));
        let mut first = 0;
        while first < cases.count {
            if evaluator.has_spent(PART) {
                all.is_cut = true;
                return Ok(all);
            }
            let end = cases.count.min(first + batch * round);
            let tried = evaluator.sweep(
                (end - first).div_ceil(batch),
                |at| {
                    let start = first + at * batch;
                    Batch::new(cases.drafts(start..end.min(start + batch)), &missing)
                },
                |_, drafts, answers| (count_run(&answers), first_killers(&drafts, &answers)),
            )?;
            let (counts, killers): (Vec<_>, Vec<_>) = tried.into_iter().unzip();
            all.cases += counts.iter().sum::<u64>();
            for (mutant, draft) in killers.into_iter().flatten() {
                // The batches are in order, so the first one is the smallest.
                let draft = all.found.entry(mutant).or_insert(draft);
                missing.remove(mutant);
                evaluator.say_missing("small cases", &missing, Some((mutant, draft)));
            }
            // Some of these cases may not have been tried.
            if evaluator.out_of_time() {
                all.is_cut = true;
                return Ok(all);
            }
            first = end;
            (batch, round) =
                if batch < BATCH { (2 * batch, round) } else { (batch, ROUND.min(2 * round)) };
        }
        // Below the smallest case, nothing was tried.
        if all.cases > 0 {
            let (generator, rules) = (evaluator.generator, &evaluator.assignment.tests);
            all.reach.size = Some(size);
            if (0..=size).all(|size| generator.leaves_nothing_out(size, rules)) {
                all.reach.whole = Some(size);
            }
        }
    }
    Ok(all)
}

/// For each mutant that the batch exposes, the first case that does.
fn first_killers(drafts: &[Draft], answers: &[Answer]) -> BTreeMap<usize, Draft> {
    let mut killers = BTreeMap::new();
    for (draft, answer) in drafts.iter().zip(answers) {
        for difference in &answer.differing {
            killers.entry(difference.mutant).or_insert_with(|| draft.clone());
        }
    }
    killers
}

/// The cases of several families, numbered from 0.
pub(super) struct Cases {
    families: Vec<Family>,
    /// The number of each family's first case.
    starts: Vec<usize>,
    pub(super) count: usize,
}

impl Cases {
    pub(super) fn new(families: Vec<Family>) -> Self {
        let mut count: usize = 0;
        let mut starts = Vec::new();
        for family in &families {
            starts.push(count);
            // The number of cases of a large size may overflow.
            count = count.saturating_add(family.count);
        }
        Self { families, starts, count }
    }

    pub(super) fn drafts(&self, numbers: Range<usize>) -> Vec<Draft> {
        let first = numbers.start;
        // The last family that starts at or before the first case. An empty family has the same start as the next one.
        let mut at = self.starts.partition_point(|&start| start <= first).saturating_sub(1);
        let mut drafts = Vec::with_capacity(numbers.len());
        for number in numbers {
            while number - self.starts[at] >= self.families[at].count {
                at += 1;
            }
            drafts.extend((self.families[at].make)(number - self.starts[at]));
        }
        drafts
    }
}
