//! Runs drafts on the combined build of an assignment.

mod sweep;

pub(super) use sweep::Next;

use super::budget::Budget;
use super::dispute::Disputed;
use super::literals;
use crate::catalogue::Mutant;
use crate::course::{Assignment, Course};
use crate::diagnostic::Failure;
use crate::diagnostic::progress::Progress;
use crate::domain::{Draft, Generator, TestRules};
use crate::run::matrix::Row;
use crate::run::prepare;
use crate::run::programs::{Claim, Plan, Programs};
use crate::run::work::Work;
use crate::suite::{Suite, decode, validity};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use subject::wire::Answer;
use subject::{End, MutantSet};

/// The programs of an assignment whose inputs can be made, ready for drafts.
pub struct Evaluator<'a> {
    pub assignment: &'a Assignment,
    /// The rules by which random drafts are made: those of the assignment, with what its programs know.
    pub(super) rules: TestRules,
    pub generator: &'a dyn Generator,
    pub mutants: Vec<Mutant>,
    pub programs: Programs,
    /// The other right programs, which are numbered after the mutants.
    pub(super) references: MutantSet,
    /// The tests of the course near which to look for others.
    pub(super) corpus: Vec<Draft>,
    /// The smallest draft that was seen on which each of them differs from the reference.
    pub(super) disputed: Mutex<Disputed>,
    /// The fewest steps of the reference on a valid draft, as far as that is known. Some programs fill a table first, whatever they read.
    least_steps: u64,
    budget: Option<Budget>,
    progress: Progress,
    /// The size of the largest valid input that was tried.
    largest: AtomicUsize,
    /// The mutants that were seen not to end.
    endless: Mutex<MutantSet>,
}

/// Drafts that are run together, each on the same mutants.
pub struct Batch<'a> {
    pub drafts: Vec<Draft>,
    pub mutants: &'a MutantSet,
    /// The most steps of the reference; a draft on which it takes more counts as rejected. The course's own limit holds too.
    pub most_steps: u64,
}

impl<'a> Batch<'a> {
    /// A batch with the course's own limit on steps.
    pub fn new(drafts: Vec<Draft>, mutants: &'a MutantSet) -> Self {
        Self { drafts, mutants, most_steps: u64::MAX }
    }
}

/// Drafts that a slot takes at a time.
const BATCH: usize = 16;

/// The most steps of a reference on a draft that is not slow, and how many times as many as on the fastest draft.
pub(super) const FEW_STEPS: u64 = 10_000;
const FEW_TIMES: u64 = 2;
/// A reference that takes longer on each draft starts slowly.
const QUICK: Duration = Duration::from_millis(20);

impl<'a> Evaluator<'a> {
    /// Reads the catalogue of `assignment` and builds its programs. The evaluator has no time limit.
    ///
    /// # Errors
    /// If the domain cannot make inputs, the catalogue is wrong, or a build fails.
    pub fn build(
        work: &Work,
        course: &'a Course,
        assignment: &'a Assignment,
        jobs: usize,
    ) -> Result<Self, Failure> {
        assignment.takes_inputs()?;
        super::generator(assignment)?;
        let mutants = prepare::bugs(course, assignment)?;
        let right = (0..assignment.references.len()).map(Assignment::id_of_reference);
        let all: Vec<_> = mutants.iter().cloned().chain(right.map(Mutant::proposed)).collect();
        let programs = {
            let _progress = Progress::new("building the programs", None);
            Programs::build(&Plan::new(work, course, assignment, &all).jobs(jobs))?
        };
        let references = (mutants.len()..all.len()).collect();
        let corpus = Suite::corpus(assignment)?;
        Ok(Self { references, corpus, ..Self::of(assignment, mutants, programs)? })
    }

    /// An evaluator of programs that were built before. It has no time limit.
    ///
    /// # Errors
    /// If the domain cannot make inputs.
    pub fn of(
        assignment: &'a Assignment,
        mutants: Vec<Mutant>,
        programs: Programs,
    ) -> Result<Self, Failure> {
        let rules = literals::rules(assignment, &mutants);
        Ok(Self {
            assignment,
            rules,
            generator: super::generator(assignment)?,
            mutants,
            programs,
            references: MutantSet::default(),
            corpus: Vec::new(),
            disputed: Mutex::default(),
            least_steps: 0,
            budget: None,
            progress: Progress::none(),
            largest: AtomicUsize::default(),
            endless: Mutex::default(),
        })
    }

    /// From now on, the evaluator has this much time, and nothing is run after it. Some of it is kept for confirming what was found.
    pub fn limit(&mut self, budget: Duration) {
        self.budget = Some(Budget::new(budget));
        self.end_with_confirming();
    }

    /// Notes that something was found. From now on, some of the budget is kept for confirming it.
    pub fn note_find(&mut self) {
        let is_slow = self.is_slow();
        if let Some(budget) = &mut self.budget {
            budget.note_find(is_slow);
        }
        self.end_with_confirming();
    }

    /// Whether a process takes long: it starts slowly, or does not end, so that reducing and confirming what was found take long too.
    pub(super) fn is_slow(&self) -> bool {
        let is_quick = self.programs.steps_in(QUICK).is_some_and(|most| self.least_steps <= most);
        !is_quick || !self.endless().is_empty() || !self.programs.unsettled().is_empty()
    }

    /// From now on, programs run in the part of the budget in which what was found is confirmed.
    pub(super) fn end_with_confirming(&self) {
        let end = self.budget.as_ref().and_then(Budget::end_of_confirming);
        self.programs.work().search.end_at(end);
    }

    /// What processes confirm of `claims` while the search goes on. They end with it, so that time is left to confirm what was found.
    ///
    /// # Errors
    /// If the machine fails.
    pub(super) fn confirm_in_search(
        &mut self,
        claims: &[Claim],
    ) -> Result<Vec<Option<MutantSet>>, Failure> {
        self.programs.work().search.end_at(self.deadline());
        let confirmed = self.programs.confirm(claims);
        self.end_with_confirming();
        confirmed
    }

    /// From now on, programs run in the part of the budget that was kept for the report.
    pub fn close(&self) {
        let end = self.budget.as_ref().and_then(Budget::end);
        self.programs.work().search.end_at(end);
    }

    /// Whether nothing may be run any more. What was running then proves nothing.
    pub fn has_ended(&self) -> bool {
        self.programs.work().search.has_ended()
    }

    /// From now on, shows progress on a terminal.
    pub fn show_progress(&mut self) {
        self.progress = Progress::of_cases("");
    }

    /// Shows what is done now.
    pub fn say(&self, what: &str) {
        self.progress.say(what);
    }

    /// Shows how many mutants are missing, and which one was found last.
    pub fn say_missing(&self, what: &str, missing: &MutantSet, last: Option<(usize, &Draft)>) {
        let last = last.map(|(mutant, draft)| {
            let (id, size) = (&self.mutants[mutant].id, self.generator.size(&draft.input));
            format!(", last found {id} (size {size})")
        });
        let last = last.unwrap_or_default();
        self.progress.say(&format!("{what}: {} mutants left{last}", missing.len()));
    }

    /// The size in bytes of the largest input that was tried and that the reference accepts.
    pub fn largest_bytes(&self) -> usize {
        self.largest.load(Ordering::Relaxed)
    }

    /// The mutants that did not end on some draft. A process that confirms this takes all of its time.
    pub(super) fn endless(&self) -> MutantSet {
        self.endless.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether the budget is spent, or the search is asked to end.
    pub fn out_of_time(&self) -> bool {
        self.has_spent(1.0)
    }

    /// When the search must end.
    fn deadline(&self) -> Option<Instant> {
        self.end_of(1.0)
    }

    /// When this part of the budget is spent.
    fn end_of(&self, part: f64) -> Option<Instant> {
        self.budget.as_ref().and_then(|budget| budget.end_of(part))
    }

    /// Whether this part of the budget is spent, or the search is asked to end.
    pub fn has_spent(&self, part: f64) -> bool {
        self.end_of(part).is_some_and(|end| Instant::now() >= end)
            || self.programs.work().cancellation.is_cancelled()
    }

    /// Notes the fewest steps of the reference on valid drafts.
    pub(super) fn note_least_steps(&mut self, steps: u64) {
        self.least_steps = steps;
    }

    /// The fewest steps of the reference on a small case.
    pub(super) fn least_steps(&self) -> u64 {
        self.least_steps
    }

    /// The most steps of the reference on a draft that is not slow: so many, or somewhat more than it always takes.
    pub(super) fn at_least_steps(&self, few: u64) -> u64 {
        few.max(self.least_steps.saturating_mul(FEW_TIMES))
    }

    /// As [`at_least_steps`](Self::at_least_steps), for drafts that need not be very fast.
    pub(super) fn few_steps(&self) -> u64 {
        self.at_least_steps(FEW_STEPS)
    }

    /// The number of steps of the reference that take about so much time: all, if they are not counted.
    pub fn steps_in(&self, time: Duration) -> u64 {
        self.programs.steps_in(time).unwrap_or(u64::MAX)
    }

    /// The rows of `drafts`, checked against the clean build.
    ///
    /// # Errors
    /// If the machine fails, or the course is broken.
    pub fn rows(&mut self, drafts: &[Draft]) -> Result<Vec<Row>, Failure> {
        let mut rows =
            self.programs.unsettled_rows(&decode::cases_of_drafts(self.assignment, drafts))?;
        for (draft, row) in drafts.iter().zip(&mut rows) {
            row.check(self.assignment, draft);
            row.exposed.retain(|it| !self.references.contains(it.mutant));
        }
        Ok(rows)
    }

    /// What a process of the reference prints on each of `drafts`; `None` if no time was left for it.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn answers(&mut self, drafts: &[Draft]) -> Result<Vec<Option<Vec<u8>>>, Failure> {
        let cases = decode::cases_of_drafts(self.assignment, drafts);
        let outcomes = self.programs.reference_outcomes(&cases)?.into_iter();
        let answer = |outcome| self.programs.kind(&outcome).map(|_| outcome.stdout);
        Ok(outcomes.map(answer).collect())
    }

    /// That a draft exposes these mutants.
    pub fn claim(&self, draft: &Draft, exposes: MutantSet) -> Claim {
        Claim::new(decode::case_of_draft(self.assignment, draft), exposes)
    }

    /// The mutants among `targets` that each of `drafts` exposes: none if the reference rejects it.
    ///
    /// # Errors
    /// If a worker cannot be started.
    pub fn exposed(
        &mut self,
        drafts: &[Draft],
        targets: &MutantSet,
    ) -> Result<Vec<MutantSet>, Failure> {
        self.exposed_within(drafts, targets, None)
    }

    /// Like [`exposed`](Self::exposed), but no mutant runs on a slow draft, which counts as one that exposes nothing, and the search does
    /// not wait for slow mutants.
    ///
    /// # Errors
    /// If a worker cannot be started.
    pub fn exposed_soon(
        &mut self,
        drafts: &[Draft],
        targets: &MutantSet,
    ) -> Result<Vec<MutantSet>, Failure> {
        self.exposed_within(drafts, targets, Some(self.few_steps()))
    }

    fn exposed_within(
        &mut self,
        drafts: &[Draft],
        targets: &MutantSet,
        few_steps: Option<u64>,
    ) -> Result<Vec<MutantSet>, Failure> {
        // A quick search waits for slow mutants only in its first batch.
        let batches =
            if few_steps.is_some() { drafts.chunks(BATCH).collect() } else { in_batches(drafts) };
        let most_steps = few_steps.unwrap_or(u64::MAX);
        let make = |at: usize| Batch { most_steps, ..Batch::new(batches[at].to_vec(), targets) };
        let deadline = self.deadline().filter(|end| Instant::now() < *end);
        let search = self.programs.work().search.clone();
        let _search = match few_steps {
            Some(_) => search.quickly_until(deadline),
            None => search.until(deadline),
        };
        let exposed = self.run(batches.len(), make, |_, _, answers| {
            answers.iter().map(exposed_by).collect::<Vec<_>>()
        })?;
        Ok(exposed.into_iter().flatten().collect())
    }

    /// The steps of the reference on each draft.
    ///
    /// # Errors
    /// If a worker cannot be started.
    pub fn steps(&mut self, drafts: &[Draft]) -> Result<Vec<u64>, Failure> {
        let none = MutantSet::default();
        let batches = in_batches(drafts);
        let make = |at: usize| Batch::new(batches[at].to_vec(), &none);
        let _search = self.programs.work().search.until(None);
        let steps = self.run(batches.len(), make, |_, _, answers| {
            answers.iter().map(|answer| answer.steps).collect::<Vec<_>>()
        })?;
        Ok(steps.into_iter().flatten().collect())
    }
}

/// Some drafts in batches, small enough that all cores have some.
pub(super) fn in_batches(drafts: &[Draft]) -> Vec<&[Draft]> {
    const BATCHES: usize = 8;
    drafts.chunks(drafts.len().div_ceil(BATCHES).clamp(1, BATCH)).collect()
}

/// The mutants that an answer exposes.
pub(super) fn exposed_by(answer: &Answer) -> MutantSet {
    answer.differing.iter().map(|difference| difference.mutant).collect()
}

/// The mutants that an answer exposes because a limit stopped them.
pub(super) fn stopped_by(answer: &Answer) -> MutantSet {
    let stopped = answer.differing.iter().filter(|difference| difference.how.is_limit());
    stopped.map(|difference| difference.mutant).collect()
}

/// The drafts that expose a mutant, with all that they expose.
pub(super) fn exposing(drafts: &[Draft], answers: &[Answer]) -> Vec<(Draft, MutantSet)> {
    let exposing = drafts.iter().zip(answers).map(|(draft, answer)| (draft, exposed_by(answer)));
    let exposing = exposing.filter(|(_, exposed)| !exposed.is_empty());
    exposing.map(|(draft, exposed)| (draft.clone(), exposed)).collect()
}

/// How many of the cases were run: all, unless the budget was spent.
pub(super) fn count_run(answers: &[Answer]) -> u64 {
    let was_run = |answer: &&Answer| answer.reference.end != End::Timeout || answer.steps > 0;
    answers.iter().filter(was_run).count() as u64
}

/// The drafts on which the reference ran out of these steps.
pub(super) fn ran_out(drafts: &[Draft], answers: &[Answer], steps: u64) -> Vec<Draft> {
    let is_cut = |answer: &Answer| answer.reference.end == End::Timeout && answer.steps >= steps;
    let cut = drafts.iter().zip(answers).filter(|(_, answer)| is_cut(answer));
    cut.map(|(draft, _)| draft.clone()).collect()
}

/// Whether the draft is a valid test, by the answer of the reference.
pub fn is_valid(assignment: &Assignment, draft: &Draft, answer: &Answer) -> bool {
    let kind = assignment.refusals.kind(&answer.reference);
    kind.is_some_and(|kind| validity::is_test(assignment, &draft.flags, &draft.input, kind))
}
