//! One core's share of an assignment's programs. It answers requests with whole rows of the matrix.

use super::effort::{self, Effort};
use super::program::BuiltProgram;
use super::runner::{Answers, Runner};
use crate::diagnostic::Failure;
use crate::run::engine::Engine;
use crate::run::search::Search;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use subject::wire::{Answer, Detail, Difference, Hello, MutantSet, Request, WorkerLimits};
use subject::{End, How};

/// How many rows a program of its own gets at first in a search, and twice as many each time after that.
const FIRST: usize = 4;

/// Runs the program that holds the mutants, and each mutant that is a program of its own. Their outcomes are compared here.
pub(super) struct Slot {
    search: Search,
    base: Runner,
    /// In the order of the mutants.
    own: Vec<Own>,
    /// What the base is asked.
    hello: Hello,
    /// The batches that were submitted and not yet collected, and whether each is the first of its sweep.
    in_flight: VecDeque<(Arc<[Request]>, bool)>,
    effort: Arc<Effort>,
}

/// What runs a mutant that is a program of its own.
struct Own {
    mutant: usize,
    runner: Runner,
    /// Whether its steps are those of the base. A step of another language is something else.
    has_same_steps: bool,
}

impl Slot {
    /// A slot with `base`, and `own` programs by their mutants.
    pub(super) fn new(
        base: &Arc<BuiltProgram>,
        own: &BTreeMap<usize, Arc<BuiltProgram>>,
        effort: &Arc<Effort>,
    ) -> Self {
        let own = own.iter().map(|(&mutant, own)| Own {
            mutant,
            runner: Runner::new(own.clone()),
            has_same_steps: own.has_same_steps(base),
        });
        Self {
            search: base.work.search.clone(),
            base: Runner::new(base.clone()),
            own: own.collect(),
            hello: base.hello.clone(),
            in_flight: VecDeque::new(),
            effort: effort.clone(),
        }
    }

    /// Notes that a sweep begins, which all slots share.
    pub(super) fn begin_sweep(&self) {
        self.effort.begin_sweep();
    }

    /// Takes a batch. With two at a time, the base is busy while the answers to the first are read.
    pub(super) fn submit(
        &mut self,
        requests: Arc<[Request]>,
        is_first: bool,
    ) -> Result<(), Failure> {
        let for_base =
            if self.own.is_empty() { requests.clone() } else { self.for_base(&requests) };
        self.base.submit(for_base, Duration::ZERO)?;
        self.in_flight.push_back((requests, is_first));
        Ok(())
    }

    /// The requests without the mutants that are programs of their own.
    fn for_base(&self, requests: &[Request]) -> Arc<[Request]> {
        let own: MutantSet = self.own.iter().map(|own| own.mutant).collect();
        let for_base = |request: &Request| {
            let mutants = request.mutants.without(&own);
            let is_compared_here = mutants != request.mutants;
            let detail = match request.detail {
                Detail::Verdicts if is_compared_here => Detail::Reference,
                detail => detail,
            };
            Request { mutants, detail, ..request.clone() }
        };
        requests.iter().map(for_base).collect()
    }

    /// The oldest batch that was submitted, and its rows in order. `None` if there is no batch.
    pub(super) fn collect(&mut self) -> Result<Option<(Arc<[Request]>, Vec<Answer>)>, Failure> {
        let Some((requests, is_first)) = self.in_flight.pop_front() else { return Ok(None) };
        let Answers { mut answers, time } =
            self.base.collect()?.expect("the base has as many batches in flight");
        let steps = answers.iter().map(|answer| answer.steps).sum();
        self.effort.add(self.base.program(), answers.len(), steps);
        self.add_own(&requests, &mut answers, time, is_first)?;
        for (request, answer) in requests.iter().zip(&mut answers) {
            if request.detail == Detail::Verdicts {
                answer.reference.stdout.clear();
                answer.reference.files.clear();
            }
        }
        Ok(Some((requests, answers)))
    }

    /// Adds the mutants that are programs of their own to `answers`. `time` is the reference's.
    fn add_own(
        &mut self,
        requests: &[Request],
        answers: &mut [Answer],
        time: Duration,
        is_first: bool,
    ) -> Result<(), Failure> {
        let hello = &self.hello;
        let WorkerLimits { step_factor, step_floor, .. } = hello.limits;
        let time = time.saturating_mul(u32::try_from(step_factor).unwrap_or(u32::MAX));
        let (search, effort) = (&self.search, &*self.effort);
        let share =
            Share { search, effort, requests, hello, step_factor, step_floor, time, is_first };
        if search.is_quick() {
            return self.own.iter_mut().try_for_each(|own| own.search_quickly(&share, answers));
        }
        if search.is_on() {
            return self.own.iter_mut().try_for_each(|own| own.search(&share, answers, FIRST));
        }
        // All of them run at the same time.
        let mut asked = Vec::new();
        for own in &mut self.own {
            let rows = own.rows(&share, answers);
            own.submit(&share, &rows, answers, u64::MAX)?;
            asked.push(rows);
        }
        for (own, rows) in self.own.iter_mut().zip(asked) {
            own.collect(&share, &rows, answers, u64::MAX)?;
        }
        Ok(())
    }
}

/// The requests that programs of their own share, and the limits on their runs.
struct Share<'a> {
    search: &'a Search,
    effort: &'a Effort,
    requests: &'a [Request],
    hello: &'a Hello,
    step_factor: u64,
    step_floor: u64,
    time: Duration,
    /// Whether the requests are the first batch of a sweep.
    is_first: bool,
}

impl Own {
    /// The requests that ask for this mutant, and on which mutants are run.
    fn rows(&self, share: &Share<'_>, answers: &[Answer]) -> Vec<usize> {
        let wants = |at: &usize| {
            share.requests[*at].mutants.contains(self.mutant)
                && share.hello.runs_mutants_after(&answers[*at].reference.end)
        };
        (0..answers.len()).filter(wants).collect()
    }

    /// The most steps on a row, if the search waits for them. Without a number of steps to compare with, only time ends a run.
    fn most_steps(&self, share: &Share<'_>, answer: &Answer) -> u64 {
        if answer.steps == 0 || !self.has_same_steps {
            return u64::MAX;
        }
        answer.steps.saturating_mul(share.step_factor).max(share.step_floor)
    }

    /// The steps that it gets on a row now, if others get `few`.
    fn steps_now(&self, share: &Share<'_>, answer: &Answer, few: u64) -> u64 {
        let like_reference = if self.has_same_steps { answer.steps } else { 0 };
        let now = few.max(like_reference.saturating_mul(effort::TIMES));
        now.min(self.most_steps(share, answer))
    }

    /// Runs the program on `rows`, each for at most so many steps, or for a few times as many as the reference took.
    fn submit(
        &mut self,
        share: &Share<'_>,
        rows: &[usize],
        answers: &[Answer],
        most_steps: u64,
    ) -> Result<(), Failure> {
        let request = |&at: &usize| Request {
            case: share.requests[at].case.clone(),
            mutants: MutantSet::default(),
            detail: Detail::Reference,
            steps: Some(self.steps_now(share, &answers[at], most_steps)),
        };
        self.runner.submit(rows.iter().map(request).collect(), share.time)
    }

    /// Adds what the program did on the rows that were submitted.
    fn collect(
        &mut self,
        share: &Share<'_>,
        rows: &[usize],
        answers: &mut [Answer],
        most_steps: u64,
    ) -> Result<Collected, Failure> {
        /// So many steps take a few milliseconds.
        const CHEAP: u64 = 5_000_000;
        let answered = self.runner.collect()?.expect("a batch was submitted");
        let mut collected = Collected::default();
        for (&at, mut own) in rows.iter().zip(answered.answers) {
            collected.steps += own.steps;
            let now = self.steps_now(share, &answers[at], most_steps);
            let ran_out = own.reference.end == End::Timeout && own.steps >= now;
            if ran_out && now < self.most_steps(share, &answers[at]) {
                collected.cut.push(at);
                continue;
            }
            if own.reference.end != End::Timeout {
                let least = collected.least_steps.into_iter().chain([own.steps]);
                collected.least_steps = least.min();
            }
            if !self.has_same_steps {
                own.steps = 0;
            }
            if own.reference.end == End::Timeout {
                // Once a search is over, nothing was run.
                if share.search.is_over() {
                    continue;
                }
                let is_slow = own.steps == 0 || own.steps > CHEAP;
                // Without steps, time decides, and a busy machine may be to blame.
                if own.steps == 0 {
                    let again = self.runner.by_process(&share.requests[at].case, share.time)?;
                    own = again.unwrap_or(own);
                }
                let is_stopped = own.reference.end == End::Timeout;
                collected.stops += usize::from(is_slow && is_stopped);
            }
            let difference = share.hello.difference(&answers[at].reference, &own.reference);
            add(&mut answers[at], self.mutant, own, difference, share.requests[at].detail);
        }
        Ok(collected)
    }

    /// Adds what the program does in a search. One that does not end is soon found, and takes long on each case, so that the rest of
    /// the batch runs without it.
    fn search(
        &mut self,
        share: &Share<'_>,
        answers: &mut [Answer],
        mut size: usize,
    ) -> Result<(), Failure> {
        const MOST_STOPS: usize = 3;
        let rows = self.rows(share, answers);
        let (mut left, mut stops) = (rows.as_slice(), 0);
        while !left.is_empty() && stops < MOST_STOPS && !share.search.is_over() {
            let (now, later) = left.split_at(size.min(left.len()));
            self.submit(share, now, answers, u64::MAX)?;
            let collected = self.collect(share, now, answers, u64::MAX)?;
            let program = self.runner.program();
            share.effort.add(program, now.len(), collected.steps);
            if collected.stops > 0 && !program.counts_steps() {
                // What is no process is repeated by one.
                let times = if program.engine() == Engine::Process { 1 } else { 2 };
                let each = program.limits.time.max(share.time) * times;
                share.effort.stopped(self.mutant, collected.stops, each);
            }
            stops += collected.stops;
            (left, size) = (later, 2 * size);
        }
        Ok(())
    }

    /// Adds what the program does in a quick search, and notes if that remains unknown on some rows.
    fn search_quickly(&mut self, share: &Share<'_>, answers: &mut [Answer]) -> Result<(), Failure> {
        self.try_quickly(share, answers)?;
        let is_unknown = |&at: &usize| !answers[at].reached.contains(self.mutant);
        if self.rows(share, answers).iter().any(is_unknown) {
            share.effort.leave(self.mutant);
        }
        Ok(())
    }

    /// Adds what the program does within the time of a quick search. It gets few steps on each row, and the rest of the batch runs without
    /// it once it has used up its part. In the first batch of a sweep, the search waits for it, if it has not waited too much.
    fn try_quickly(&mut self, share: &Share<'_>, answers: &mut [Answer]) -> Result<(), Failure> {
        let program = self.runner.program();
        if !program.counts_steps() {
            return match share.effort.wait_before(self.mutant) {
                None => Ok(()),
                Some(Duration::MAX) => self.search(share, answers, FIRST),
                Some(_) => self.search(share, answers, 1),
            };
        }
        let (mut few, mut part) = (program.steps_in(effort::FEW), program.steps_in(effort::PART));
        let mut rows = self.rows(share, answers);
        if self.has_same_steps {
            let most = answers.iter().map(|answer| answer.steps).sum::<u64>();
            part = part.max(most.saturating_mul(effort::TIMES));
            // It is not slow if it takes about as long as the reference takes on each.
            let least = rows.iter().map(|&at| answers[at].steps).min().unwrap_or(0);
            few = few.max(least.saturating_mul(2));
        }
        // With few steps, it would only start.
        if share.effort.takes_more(self.mutant, few) {
            return if share.is_first { self.wait(share, &rows, answers) } else { Ok(()) };
        }
        // What is slow for the reference is slower for a mutant that tries everything.
        rows.sort_by_key(|&at| answers[at].steps);
        let (mut left, mut size, mut cut) = (rows.as_slice(), FIRST, Vec::new());
        while !left.is_empty() && part > 0 && !share.search.is_over() {
            let (now, later) = left.split_at(size.min(left.len()));
            self.submit(share, now, answers, few)?;
            let collected = self.collect(share, now, answers, few)?;
            share.effort.add_own(self.mutant, self.runner.program(), now.len(), &collected);
            part = part.saturating_sub(collected.steps);
            cut.extend(collected.cut);
            (left, size) = (later, 2 * size);
        }
        if share.is_first { self.wait(share, &cut, answers) } else { Ok(()) }
    }

    /// Waits for the program on one of the rows after the other, as long as the search may wait for it now, and until it does not end.
    fn wait(
        &mut self,
        share: &Share<'_>,
        rows: &[usize],
        answers: &mut [Answer],
    ) -> Result<(), Failure> {
        for &row in rows {
            if share.search.is_over() {
                break;
            }
            let Some(time) = share.effort.wait(self.mutant) else { break };
            let most_steps = self.runner.program().steps_in(time);
            self.submit(share, &[row], answers, most_steps)?;
            let collected = self.collect(share, &[row], answers, most_steps)?;
            share.effort.waited(self.mutant, self.runner.program(), &collected);
            if !collected.cut.is_empty() || collected.stops > 0 {
                break;
            }
        }
        Ok(())
    }
}

/// What was seen of a program on some rows.
#[derive(Default)]
pub(super) struct Collected {
    /// The steps that it took.
    pub(super) steps: u64,
    /// How often it was stopped after a long time.
    stops: usize,
    /// The fewest steps after which it ended.
    pub(super) least_steps: Option<u64>,
    /// The rows on which it got too few steps to tell what it does.
    pub(super) cut: Vec<usize>,
}

/// Adds what the program of `mutant` did to a row, and how that differs.
fn add(row: &mut Answer, mutant: usize, own: Answer, differs: Option<How>, detail: Detail) {
    row.reached.insert(mutant);
    if let Some(how) = differs {
        let outcome = (detail == Detail::Outcomes).then_some(own.reference);
        let place = row.differing.partition_point(|difference| difference.mutant < mutant);
        row.differing.insert(place, Difference { mutant, how, outcome });
    } else if own.steps != row.steps && own.steps > 0 && row.steps > 0 {
        row.near.insert(mutant);
    }
}
