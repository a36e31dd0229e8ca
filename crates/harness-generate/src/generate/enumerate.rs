//! Tries every case in order of size, so that the first one that exposes a mutant is a smallest one.

mod certificate;

pub use certificate::{Certificate, Reach};

use super::evaluator::{Batch, Evaluator, count_run, in_batches, ran_out};
use crate::diagnostic::Failure;
use crate::domain::{Draft, Family};
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;
use subject::End;
use subject::wire::{Answer, MutantSet};

/// The most cases in a batch, and the most batches in a round. The first rounds are short, because the first cases expose most mutants.
const FIRST_BATCH: usize = 8;
const BATCH: usize = 512;
const ROUND: usize = 64;
/// The part of the budget that it may use, and that after which cases that were put off come next. The rest is for large cases.
const PART: f64 = 0.5;
const FAST_PART: f64 = 0.35;
/// A round that takes longer than this, by the steps of its runs, is too long.
const LONG_ROUND: Duration = Duration::from_secs(1);
/// A case on which the reference takes longer is put off. It gets so many times as many steps each time it is tried again.
const FAST: Duration = Duration::from_millis(1);
const SLOWER: u64 = 8;

/// The list waits for slow mutants on its first cases as long as all else has taken it, or so long. It takes so many cases at a time.
const WAIT: Duration = Duration::from_secs(1);
const WAITING: usize = 64;

/// What was found up to the bound.
#[derive(Default)]
pub struct Enumerated {
    /// The first case that exposes each mutant, which is a smallest one.
    pub found: BTreeMap<usize, Draft>,
    pub reach: Reach,
    /// The mutants of which some runs were cut or left out, so that these cases prove nothing of them. Smaller cases than the one that was
    /// found may have been put off, and never tried.
    pub unsettled: MutantSet,
    /// The number of cases that were tried.
    pub cases: u64,
    /// Whether the budget ended it before the bound.
    pub is_cut: bool,
}

/// Tries every case up to size `bound`, in order, until every target is exposed or half of the budget is used. Cases on which the
/// reference is slow come last.
///
/// # Errors
/// If a worker cannot be started.
pub fn enumerate(
    evaluator: &mut Evaluator<'_>,
    targets: &MutantSet,
    bound: usize,
) -> Result<Enumerated, Failure> {
    let mut listing = Listing::new(evaluator, targets.clone());
    for size in 0..=bound {
        let (generator, rules) = (listing.evaluator.generator, &listing.evaluator.assignment.tests);
        if listing.missing.is_empty() || !generator.has_all(size, rules) {
            break;
        }
        let cases = Cases::new(generator.families(size, rules));
        let is_cut = listing.has_spent(if listing.slow.is_empty() { PART } else { FAST_PART })
            || !listing.try_listed(size, cases.count, &|range| cases.drafts(range))?;
        if is_cut {
            listing.all.is_cut = true;
            break;
        }
        listing.tried = Some(size);
    }
    listing.try_slow()?;
    listing.wait_for_slow_mutants()?;
    Ok(listing.finish())
}

/// The cases that were tried in order, and those that are still to be tried.
struct Listing<'e, 'a> {
    evaluator: &'e mut Evaluator<'a>,
    targets: MutantSet,
    all: Enumerated,
    missing: MutantSet,
    /// The smallest size of which there is a case, and the largest of which every case was tried or put off.
    smallest: Option<usize>,
    tried: Option<usize>,
    /// What searches had spent before.
    before: Duration,
    /// How many cases a batch has, and how many batches a round.
    batch: usize,
    round: usize,
    /// The most steps of the reference.
    most_steps: u64,
    /// The fewest that it took.
    least_steps: Option<u64>,
    /// The cases on which it took more, by their sizes.
    slow: BTreeMap<usize, Vec<Draft>>,
}

/// What a batch of the list found.
struct Tried {
    count: u64,
    were_all_run: bool,
    killers: BTreeMap<usize, Draft>,
    /// The fewest steps of the reference.
    least_steps: Option<u64>,
    /// The cases on which the reference ran out of steps.
    slow: Vec<Draft>,
}

impl<'e, 'a> Listing<'e, 'a> {
    fn new(evaluator: &'e mut Evaluator<'a>, targets: MutantSet) -> Self {
        let all = Enumerated::default();
        Self {
            most_steps: evaluator.steps_in(FAST),
            before: evaluator.programs.effort(),
            evaluator,
            missing: targets.clone(),
            targets,
            all,
            smallest: None,
            tried: None,
            batch: FIRST_BATCH,
            round: 1,
            least_steps: None,
            slow: BTreeMap::new(),
        }
    }

    fn has_spent(&self, part: f64) -> bool {
        self.evaluator.has_spent(part)
    }

    /// The targets of which no case of this size or a smaller one is known.
    fn wanted(&self, size: usize) -> MutantSet {
        let generator = self.evaluator.generator;
        let is_larger = |draft: &Draft| generator.size(&draft.input) > size;
        let is_wanted = |mutant: &usize| self.all.found.get(mutant).is_none_or(is_larger);
        self.targets.iter().filter(is_wanted).collect()
    }

    /// Tries the `count` cases of a size in the list. Says whether there was time for all.
    fn try_listed(
        &mut self,
        size: usize,
        count: usize,
        drafts: &(dyn Fn(Range<usize>) -> Vec<Draft> + Sync),
    ) -> Result<bool, Failure> {
        self.try_all(size, count, drafts, &mut |listing| {
            // While most cases were slow, the next ones would be too: perhaps the reference always fills a table.
            while listing.is_mostly_slow() && listing.has_slow() && listing.try_slow_longer()? {}
            Ok(())
        })
    }

    /// Tries all of `count` cases of a size, and calls `then` after each round. Says whether there was time for that.
    fn try_all(
        &mut self,
        size: usize,
        count: usize,
        drafts: &(dyn Fn(Range<usize>) -> Vec<Draft> + Sync),
        then: &mut dyn FnMut(&mut Self) -> Result<(), Failure>,
    ) -> Result<bool, Failure> {
        let mut first = 0;
        while first < count {
            if self.has_spent(PART) {
                return Ok(false);
            }
            let end = count.min(first.saturating_add(self.batch * self.round));
            let were_all_run = self.try_round(size, first..end, drafts)?;
            if !were_all_run && self.has_spent(PART) {
                return Ok(false);
            }
            first = end;
            then(self)?;
        }
        Ok(true)
    }

    /// Says whether all of these cases were run.
    fn try_round(
        &mut self,
        size: usize,
        cases: Range<usize>,
        drafts: &(dyn Fn(Range<usize>) -> Vec<Draft> + Sync),
    ) -> Result<bool, Failure> {
        let (batch, most_steps, before) =
            (self.batch, self.most_steps, self.evaluator.programs.effort());
        let wanted = self.wanted(size);
        let tried = self.evaluator.sweep_quickly(
            PART,
            cases.len().div_ceil(batch),
            |at| {
                let start = cases.start + at * batch;
                let drafts = drafts(start..cases.end.min(start + batch));
                Batch { most_steps, ..Batch::new(drafts, &wanted) }
            },
            |_, drafts, answers| {
                let slow = ran_out(&drafts, &answers, most_steps);
                let run = count_run(&answers);
                Tried {
                    count: run.saturating_sub(slow.len() as u64),
                    were_all_run: run == drafts.len() as u64,
                    killers: first_killers(&drafts, &answers),
                    least_steps: least_steps(&answers),
                    slow,
                }
            },
        )?;
        let were_all_run = tried.iter().all(|tried| tried.were_all_run);
        for Tried { count, killers, least_steps, slow, .. } in tried {
            self.all.cases += count;
            self.least_steps = self.least_steps.into_iter().chain(least_steps).min();
            if count > 0 || !slow.is_empty() {
                self.smallest.get_or_insert(size);
            }
            // The batches are in order, so the first one is the smallest.
            killers.into_iter().for_each(|(mutant, draft)| self.found(mutant, draft));
            if !slow.is_empty() {
                self.slow.entry(size).or_default().extend(slow);
            }
        }
        self.pace(self.evaluator.programs.effort().saturating_sub(before));
        Ok(were_all_run)
    }

    fn found(&mut self, mutant: usize, draft: Draft) {
        let size = |draft: &Draft| self.evaluator.generator.size(&draft.input);
        let is_smaller = |known: &Draft| size(&draft) < size(known);
        if self.all.found.get(&mutant).is_none_or(is_smaller) {
            self.evaluator.note_find();
            self.missing.remove(mutant);
            self.evaluator.say_missing("small cases", &self.missing, Some((mutant, &draft)));
            self.all.found.insert(mutant, draft);
        }
    }

    /// Takes more cases in the next round, or fewer if this one took too long: what it finds is used only after it.
    fn pace(&mut self, spent: Duration) {
        if spent > LONG_ROUND {
            (self.batch, self.round) = match self.round {
                1 => ((self.batch / 2).max(1), 1),
                round => (self.batch, round / 2),
            };
        } else if spent < LONG_ROUND / 4 {
            (self.batch, self.round) = match self.batch {
                BATCH.. => (self.batch, ROUND.min(2 * self.round)),
                batch => (2 * batch, self.round),
            };
        }
    }

    /// Tries the cases that were put off, each with more and more steps, as far as they may be smaller than what is known.
    fn try_slow(&mut self) -> Result<(), Failure> {
        while self.has_slow() && self.try_slow_longer()? {}
        Ok(())
    }

    /// Runs the mutants that are slow everywhere on the first cases of the list, one after the other. Few of them ran there.
    fn wait_for_slow_mutants(&mut self) -> Result<(), Failure> {
        let now = self.evaluator.programs.effort();
        let end = now + now.saturating_sub(self.before).max(WAIT);
        for size in 0..=self.tried.unwrap_or_default() {
            let (generator, rules) = (self.evaluator.generator, &self.evaluator.assignment.tests);
            let cases = Cases::new(generator.families(size, rules));
            for first in (0..cases.count).step_by(WAITING) {
                let slow = self.evaluator.programs.slow().both(&self.wanted(size));
                if slow.is_empty() || self.evaluator.programs.effort() > end || self.has_spent(PART)
                {
                    return Ok(());
                }
                let drafts = cases.drafts(first..cases.count.min(first + WAITING));
                let (batches, most_steps) = (in_batches(&drafts), self.most_steps);
                let killers = self.evaluator.sweep(
                    batches.len(),
                    |at| Batch { most_steps, ..Batch::new(batches[at].to_vec(), &slow) },
                    |_, drafts, answers| first_killers(&drafts, &answers),
                )?;
                for (mutant, draft) in killers.into_iter().flatten() {
                    self.found(mutant, draft);
                }
            }
        }
        Ok(())
    }

    /// Whether more cases were put off than tried.
    fn is_mostly_slow(&self) -> bool {
        let slow: usize = self.slow.values().map(Vec::len).sum();
        slow as u64 > self.all.cases
    }

    fn has_slow(&self) -> bool {
        !self.slow_sizes().is_empty()
    }

    /// Tries the cases that were put off with more steps. Says whether there was time for all.
    fn try_slow_longer(&mut self) -> Result<bool, Failure> {
        self.most_steps = self.most_steps.saturating_mul(SLOWER);
        for size in self.slow_sizes() {
            let drafts = self.slow.remove(&size).unwrap_or_default();
            if !self.try_all(
                size,
                drafts.len(),
                &|range| drafts[range].to_vec(),
                &mut |_| Ok(()),
            )? {
                // What was not tried is not known.
                self.slow.entry(size).or_default().extend(drafts);
                self.all.is_cut = true;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The sizes of the cases that were put off, without those of which nobody wants one.
    fn slow_sizes(&self) -> Vec<usize> {
        self.slow.keys().copied().filter(|&size| !self.wanted(size).is_empty()).collect()
    }

    fn finish(self) -> Enumerated {
        let Self { evaluator, mut all, smallest, tried, least_steps, slow, .. } = self;
        evaluator.note_least_steps(least_steps.unwrap_or_default());
        let (generator, rules) = (evaluator.generator, &evaluator.assignment.tests);
        let most = slow.keys().next().map_or(tried, |&slow| tried.min(slow.checked_sub(1)));
        let leaves_nothing_out = |size: &usize| generator.leaves_nothing_out(*size, rules);
        let whole = most.and_then(|most| (0..=most).take_while(leaves_nothing_out).last());
        all.unsettled = evaluator.programs.unsettled();
        if let Some(&untried) = slow.keys().next() {
            all.unsettle(untried, |draft| generator.size(&draft.input));
        }
        all.reach = Reach::of(smallest, most, whole);
        all
    }
}

/// The fewest steps of the reference on a case on which it ended.
fn least_steps(answers: &[Answer]) -> Option<u64> {
    let ended = answers.iter().filter(|answer| matches!(answer.reference.end, End::Exit(_)));
    ended.map(|answer| answer.steps).min()
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
