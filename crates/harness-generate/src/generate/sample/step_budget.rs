//! The budget of steps for cases on which the reference takes many.

use crate::domain::Draft;
use std::collections::BTreeMap;

/// The steps of a case at the first level. A reference is fast with so few, if it does not always take more.
pub(super) const FIRST: u64 = 1000;

/// Cases that wait for more steps than they had. A case begins at the first level, which is 0, and each level has twice the steps of the
/// one below it. Of the cases that run out of steps, as many go up a level as take the steps that the first level may take. So slow cases
/// do not take the time of fast ones, but no case is too slow for ever (Levin, "Universal sequential search problems", 1973).
pub(super) struct StepBudget {
    /// The steps of a case at the first level.
    each: u64,
    waiting: BTreeMap<u32, Vec<Draft>>,
    /// The steps that the first level may have taken.
    first: u64,
    /// The steps that each other level may have taken.
    spent: BTreeMap<u32, u64>,
}

impl StepBudget {
    /// A budget that gives so many steps to a case at the first level.
    pub(super) fn new(each: u64) -> Self {
        Self { each, waiting: BTreeMap::new(), first: 0, spent: BTreeMap::new() }
    }

    /// The most steps of the reference at a level.
    pub(super) fn steps(&self, level: u32) -> u64 {
        self.each.saturating_mul(1_u64.checked_shl(level).unwrap_or(u64::MAX))
    }

    /// Takes those of `count` cases that ran out of steps at a level.
    pub(super) fn add(&mut self, level: u32, cut: Vec<Draft>, count: usize) {
        if level == 0 {
            self.first += count as u64 * self.each;
        }
        if !cut.is_empty() {
            self.waiting.entry(level + 1).or_default().extend(cut);
        }
    }

    /// Whether no case waits.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Of the cases that wait, those for which there is time, with their levels, the highest first, in batches that take about as long as
    /// one of `count` cases at the first level. The other cases are forgotten.
    pub(super) fn take(&mut self, count: usize) -> Vec<(u32, Vec<Draft>)> {
        let mut batches = Vec::new();
        for (level, mut drafts) in std::mem::take(&mut self.waiting).into_iter().rev() {
            let each = self.steps(level);
            let spent = self.spent.entry(level).or_default();
            let count_left = self.first.saturating_sub(*spent) / each;
            drafts.truncate(usize::try_from(count_left).unwrap_or(usize::MAX));
            *spent += drafts.len() as u64 * each;
            let most = count.checked_shr(level).unwrap_or(0).max(1);
            batches.extend(drafts.chunks(most).map(|batch| (level, batch.to_vec())));
        }
        batches
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drafts(count: usize) -> Vec<Draft> {
        let draft = |at: usize| Draft { flags: at.to_string(), input: Vec::new() };
        (0..count).map(draft).collect()
    }

    /// The levels of the batches, with their sizes.
    fn sizes(batches: Vec<(u32, Vec<Draft>)>) -> Vec<(u32, usize)> {
        batches.into_iter().map(|(level, drafts)| (level, drafts.len())).collect()
    }

    #[test]
    fn each_level_takes_as_many_steps_as_the_first() {
        let mut step_budget = StepBudget::new(FIRST);
        step_budget.add(0, drafts(12), 16);
        // Twice the steps for half of the cases.
        assert_eq!(sizes(step_budget.take(8)), [(1, 4), (1, 4)]);
        step_budget.add(1, drafts(8), 8);
        step_budget.add(0, drafts(1), 16);
        assert_eq!(sizes(step_budget.take(8)), [(2, 2), (2, 2), (2, 2), (2, 2), (1, 1)]);
    }

    #[test]
    fn a_slow_case_waits_until_there_is_time_for_it() {
        let mut step_budget = StepBudget::new(FIRST);
        let mut rounds = 0;
        while sizes(step_budget.take(8)).is_empty() {
            step_budget.add(2, drafts(1), 1);
            step_budget.add(0, Vec::new(), 1);
            rounds += 1;
        }
        assert_eq!(rounds, 8);
    }

    #[test]
    fn a_level_without_an_end_has_no_limit() {
        assert_eq!(StepBudget::new(FIRST).steps(3), 8 * FIRST);
        assert_eq!(StepBudget::new(FIRST).steps(200), u64::MAX);
    }
}
