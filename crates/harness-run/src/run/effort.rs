//! What a search spends, in time that is computed from steps, so that it is the same on any machine and under any load.
//!
//! Most cases tell a mutant apart within a few steps or not at all, so a quick search gives each run few steps. A mutant that takes more
//! might still end, or be stopped by its limit. The search finds out which on few cases: it waits for each such mutant once, until it
//! ends or its limit stops it, and then again while all waiting is no more than half of what it spends. It waits longer for a mutant that
//! did not end, and less for one that soon did. A program that takes long to start, as many in Python do, so gets as many cases as there
//! is time for. Where steps are not counted, as in processes, each run may take all of its limit: a mutant that was stopped then waits as
//! well, and its limit is what it has spent.

use super::program::BuiltProgram;
use super::slot::Collected;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use subject::wire::MutantSet;

/// What a mutant gets on a case of a quick search, and on all cases of a batch.
pub(super) const FEW: Duration = Duration::from_millis(2);
pub(super) const PART: Duration = Duration::from_millis(40);
/// How many times the reference's steps it gets on a batch, if these are more.
pub(super) const TIMES: u64 = 4;
/// Half of how long a search waits for a mutant that its limit stopped at first.
const FIRST_WAIT: Duration = Duration::from_millis(1500);
/// A search may wait for a part of its time: one of so many.
const WAITING: u32 = 2;

/// What the searches of some programs have spent. All cores share it.
#[derive(Default)]
pub(super) struct Effort(Mutex<Spent>);

#[derive(Default)]
struct Spent {
    all: Duration,
    /// What was spent before this sweep. What is spent in it depends on the order in which cores work.
    before: Duration,
    waits: BTreeMap<usize, Wait>,
    waits_before: BTreeMap<usize, Wait>,
    /// The fewest steps after which each mutant ended, and what was known of that before this sweep.
    least: BTreeMap<usize, u64>,
    least_before: BTreeMap<usize, u64>,
    /// How many mutants the searches had waited for before this sweep.
    waited_for: usize,
    /// The mutants of which some runs were cut or left out.
    unsettled: MutantSet,
}

/// The waiting for a mutant.
#[derive(Clone, Copy, Default)]
struct Wait {
    all: Duration,
    /// How long to wait next.
    next: Duration,
}

impl Effort {
    /// Adds so many runs of a program, with their steps.
    pub(super) fn add(&self, program: &BuiltProgram, runs: usize, steps: u64) {
        let spent = time(program, runs, steps);
        self.spent().all += spent;
    }

    /// What was spent until now.
    pub(super) fn so_far(&self) -> Duration {
        self.spent().all
    }

    pub(super) fn begin_sweep(&self) {
        let mut spent = self.spent();
        (spent.before, spent.waited_for) = (spent.all, spent.waits.len());
        spent.least_before = spent.least.clone();
        spent.waits_before = spent.waits.clone();
    }

    /// How long a search may wait for a mutant now, at first until it ends; `None` if it has waited enough.
    pub(super) fn wait(&self, mutant: usize) -> Option<Duration> {
        let spent = self.spent();
        spent.wait(spent.waits.get(&mutant))
    }

    /// The same as it was before this sweep, so that the order of its batches does not matter.
    pub(super) fn wait_before(&self, mutant: usize) -> Option<Duration> {
        let spent = self.spent();
        spent.wait(spent.waits_before.get(&mutant))
    }

    /// Whether a mutant had ended before this sweep, but never within so many steps.
    pub(super) fn takes_more(&self, mutant: usize, steps: u64) -> bool {
        self.spent().least_before.get(&mutant).is_some_and(|&least| least > steps)
    }

    /// Adds what a mutant did on some cases.
    pub(super) fn add_own(
        &self,
        mutant: usize,
        program: &BuiltProgram,
        runs: usize,
        collected: &Collected,
    ) {
        self.add(program, runs, collected.steps);
        self.spent().ended(mutant, collected);
    }

    /// Notes what a mutant did while the search waited for it.
    pub(super) fn waited(&self, mutant: usize, program: &BuiltProgram, collected: &Collected) {
        let time = time(program, 1, collected.steps);
        let mut spent = self.spent();
        spent.all += time;
        let wait = spent.waits.entry(mutant).or_default();
        wait.all += time;
        if collected.least_steps.is_some() {
            wait.next = time * 2;
        } else {
            let waited = if wait.next.is_zero() { FIRST_WAIT } else { wait.next };
            wait.next = waited * 2;
        }
        spent.ended(mutant, collected);
    }

    /// Notes that a mutant, whose steps are not counted, was stopped so often, each time after so long.
    pub(super) fn stopped(&self, mutant: usize, stops: usize, each: Duration) {
        let time = each.saturating_mul(u32::try_from(stops).unwrap_or(u32::MAX));
        let mut spent = self.spent();
        spent.all += time;
        let wait = spent.waits.entry(mutant).or_default();
        (wait.all, wait.next) = (wait.all + time, each);
    }

    /// Notes that it is unknown what a mutant does on some cases.
    pub(super) fn leave(&self, mutant: usize) {
        self.spent().unsettled.insert(mutant);
    }

    /// The mutants of which it is unknown what they do on some cases of the searches.
    pub(super) fn unsettled(&self) -> MutantSet {
        self.spent().unsettled.clone()
    }

    /// Those of them that end, if the search waits for them.
    pub(super) fn slow(&self) -> MutantSet {
        let spent = self.spent();
        spent.unsettled.iter().filter(|mutant| spent.least.contains_key(mutant)).collect()
    }

    fn spent(&self) -> MutexGuard<'_, Spent> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Spent {
    fn wait(&self, wait: Option<&Wait>) -> Option<Duration> {
        let Some(wait) = wait else { return Some(Duration::MAX) };
        let all = u32::try_from(self.waited_for.max(1)).unwrap_or(u32::MAX);
        let most = self.before / WAITING / all;
        (wait.all + wait.next <= most).then_some(wait.next)
    }

    /// Notes the fewest steps after which a mutant ended.
    fn ended(&mut self, mutant: usize, collected: &Collected) {
        if let Some(steps) = collected.least_steps {
            let least = self.least.entry(mutant).or_insert(steps);
            *least = steps.min(*least);
        }
    }
}

/// About the time of so many runs with so many steps.
fn time(program: &BuiltProgram, runs: usize, steps: u64) -> Duration {
    let runs = program.start().saturating_mul(u32::try_from(runs).unwrap_or(u32::MAX));
    let nanos = u64::try_from(program.step().as_nanos()).unwrap_or(u64::MAX);
    runs.saturating_add(Duration::from_nanos(steps.saturating_mul(nanos)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_mutant_that_was_stopped_waits_until_others_have_had_as_much() {
        let effort = Effort::default();
        assert_eq!(effort.wait_before(7), Some(Duration::MAX));
        effort.stopped(7, 3, SECOND);
        assert_eq!(effort.wait_before(7), Some(Duration::MAX), "the sweep has not ended");
        effort.begin_sweep();
        assert_eq!(effort.wait_before(7), None);
        assert_eq!(effort.wait_before(8), Some(Duration::MAX));
        effort.spent().all += 5 * SECOND;
        assert_eq!(effort.wait_before(7), None, "what is spent in a sweep does not count");
        effort.begin_sweep();
        assert_eq!(effort.wait_before(7), Some(SECOND));
    }
}
