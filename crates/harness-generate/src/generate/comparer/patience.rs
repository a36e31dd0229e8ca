//! How long a program that is slow at first may take. Whether a case counts as slow must not depend on the load of the machine.

use super::{Comparer, Comparison, Discrepancy, LEAST_PATIENCE, QUICK, is};
use crate::diagnostic::Failure;
use crate::domain::Draft;
use crate::run::parallel;
use crate::run::process::ProcessLimits;
use std::slice;
use std::time::Duration;
use subject::How;

/// To tell a slow program from one that does not end, it gets this many times its limit.
const LONG: u32 = 2;

/// That a process exceeds its limit, and what it does later.
pub struct Waited {
    pub difference: Discrepancy,
    pub later: Later,
}

/// What a program does after it has exceeded its limit.
pub enum Later {
    /// It goes on.
    Nothing,
    /// It gives the right answer within so much time.
    Right(Duration),
    Wrong(Box<Discrepancy>),
}

impl Comparer<'_> {
    /// What the program does on a draft on which it may not end: a process with its limit, and at the same time one with much more time,
    /// as far as the budget allows. `None` if it does not exceed its limit. Only processor time counts, so a busy machine changes nothing.
    ///
    /// # Errors
    /// If the reference or the program cannot be started.
    pub fn wait_for(&mut self, draft: &Draft) -> Result<Option<Waited>, Failure> {
        let case = self.case(draft);
        let row = self.programs.references(slice::from_ref(&case))?.remove(0);
        let limit = self.under_test.limits.time;
        let long = (limit * LONG).min(self.budget.left()).max(limit);
        let (program, given) = (&self.program, self.given(&case));
        let under = |time| ProcessLimits { time, wall: Duration::MAX, ..self.under_test.limits };
        let limits = [limit, long].map(under);
        let outcomes =
            parallel::map(limits.len(), self.jobs, |at| program.by_process(&given, &limits[at]))?;
        if self.has_ended() {
            return Ok(None);
        }
        let judged = outcomes.into_iter().map(|it| self.judged(&case, &row.reference, it));
        let mut judged = judged.collect::<Result<Vec<_>, _>>()?.into_iter();
        let Some(Comparison::Differ(soon)) = judged.next().filter(|it| is(it, How::Timeout)) else {
            return Ok(None);
        };
        let later = match judged.next() {
            Some(Comparison::Differ(later)) if later.how == How::Timeout => Later::Nothing,
            Some(Comparison::Differ(later)) => Later::Wrong(later),
            _ => Later::Right(long),
        };
        Ok(Some(Waited { difference: *soon, later }))
    }

    /// Compares both on each of `drafts`. The first few drafts on which the program is slow are tried again with all of its time, and the
    /// others once more if it needed more than a moment. They are chosen by their order, so that neither load nor the number of jobs
    /// changes which they are.
    ///
    /// # Errors
    /// If the reference or the program cannot be started.
    pub fn compare(&mut self, drafts: &[Draft]) -> Result<Vec<Comparison>, Failure> {
        let mut comparisons = self.compare_quickly(drafts)?;
        // The first run of a worker takes longer than its others, which says nothing about the program.
        if self.is_patient() {
            self.try_slow_quickly(drafts, &mut comparisons)?;
        }
        loop {
            let moment = self.moment;
            self.try_slow_again(drafts, &mut comparisons)?;
            if self.moment == moment {
                return Ok(comparisons);
            }
            self.try_slow_quickly(drafts, &mut comparisons)?;
        }
    }

    /// Compares both once more on each of `drafts` on which the program is slow.
    fn try_slow_quickly(
        &mut self,
        drafts: &[Draft],
        comparisons: &mut [Comparison],
    ) -> Result<(), Failure> {
        let (slow, again) = slow(drafts, comparisons, usize::MAX);
        for (at, comparison) in slow.into_iter().zip(self.compare_quickly(&again)?) {
            comparisons[at] = comparison;
        }
        Ok(())
    }

    /// Gives the program all of its time on the first few drafts on which it is slow. If it ends, its moment becomes longer.
    fn try_slow_again(
        &mut self,
        drafts: &[Draft],
        comparisons: &mut [Comparison],
    ) -> Result<(), Failure> {
        let limits = self.under_test.limits;
        let left = self.budget.left();
        if left <= limits.time * LEAST_PATIENCE || self.is_cancelled() {
            return Ok(());
        }
        let (slow, again) = slow(drafts, comparisons, self.waits);
        // Workers with other limits would have to start, for no case.
        if again.is_empty() {
            return Ok(());
        }
        for (at, comparison) in slow.into_iter().zip(self.compare_within(&again, left)?) {
            if is(&comparison, How::Timeout) {
                self.waits -= 1;
            } else if !self.program.is_process() {
                self.moment = (self.moment * 2).min(limits.time / QUICK);
            }
            comparisons[at] = comparison;
        }
        Ok(())
    }
}

/// The first drafts on which the program is slow, at most so many, and their numbers.
fn slow(drafts: &[Draft], comparisons: &[Comparison], most: usize) -> (Vec<usize>, Vec<Draft>) {
    let is_slow = |at: &usize| matches!(comparisons[*at], Comparison::Slow);
    let slow: Vec<_> = (0..drafts.len()).filter(is_slow).take(most).collect();
    let drafts = slow.iter().map(|&at| drafts[at].clone()).collect();
    (slow, drafts)
}
