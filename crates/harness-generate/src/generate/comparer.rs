//! Compares any program with the reference on the same cases.

mod meaning;
mod patience;
mod under_test;

pub use patience::{Later, Waited};
pub use under_test::UnderTest;

use super::budget::Budget;
use crate::catalogue::Mutant;
use crate::course::{Assignment, Course};
use crate::diagnostic::Failure;
use crate::diagnostic::progress::Progress;
use crate::domain::{Draft, Generator};
use crate::run::matrix::Row;
use crate::run::prepare;
use crate::run::process;
use crate::run::programs::{self, Plan, Programs, Slower};
use crate::run::single::Single;
use crate::run::work::Work;
use crate::suite::Suite;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use subject::{Case, How, Outcome};

/// The reference, its mutants and a program, ready for drafts.
pub struct Comparer<'a> {
    pub assignment: &'a Assignment,
    pub generator: &'a dyn Generator,
    pub under_test: &'a UnderTest,
    pub mutants: Vec<Mutant>,
    /// The tests of the course near which to look for others.
    pub(super) corpus: Vec<Draft>,
    programs: Programs,
    program: Single,
    /// The time that the program gets on most cases, if it does not run by processes.
    moment: Duration,
    /// Whether its steps are counted.
    is_counted: bool,
    /// How many processes of the program run at the same time.
    jobs: usize,
    budget: Budget,
    /// How many more cases may take all of their time, until it is certain that the program does not finish.
    waits: usize,
}

/// The result of comparing both on a draft.
#[derive(Clone, Debug)]
pub enum Comparison {
    /// The time was up.
    Untried,
    /// The reference rejects the draft.
    Invalid,
    /// Both did the same.
    Same,
    /// The program was stopped early, so it is not known whether it would have finished.
    Slow,
    Differ(Box<Discrepancy>),
}

/// What is known of the reference on a case.
enum ReferenceRun {
    Ran(Box<Outcome>),
    /// The case is no test.
    Rejects,
    /// The time was up.
    Stopped,
}

/// Two outcomes that differ, each with the beginning of its output.
#[derive(Clone, Debug)]
pub struct Discrepancy {
    pub how: How,
    /// What exactly is wrong, if the domain can say it.
    pub why: Option<String>,
    pub reference: Outcome,
    pub program: Outcome,
}

/// Bytes of each stream and file that a discrepancy keeps.
const KEPT: usize = 4096;
/// The number of cases on which a program that does not finish gets all of its time.
const WAITS: usize = 2;
/// On every other case it gets its time limit divided by this; and divided by this while a case on which it does not end is reduced.
const QUICK: u32 = 4;
const BRIEF: u32 = 10;
/// At first, a program gets this much processor time on a case if it is not started for it. One that proves to be slow gets more.
const MOMENT: Duration = Duration::from_millis(3);
/// Drafts that a worker takes at a time.
const BATCH: usize = 16;
/// Waiting for a program takes at most this many times the course's time limit by the wall clock, and starts only if this many times
/// the limit are left.
const MOST_PATIENCE: u32 = 4;
const LEAST_PATIENCE: u32 = 2;

impl<'a> Comparer<'a> {
    /// Builds the reference and the combined build. The time that `budget` gives starts after that.
    ///
    /// # Errors
    /// If the domain cannot make inputs, the catalogue is wrong, or a build fails.
    pub fn build(
        work: &Work,
        course: &'a Course,
        assignment: &'a Assignment,
        under_test: &'a UnderTest,
        jobs: usize,
        budget: Duration,
    ) -> Result<Self, Failure> {
        let generator = super::generator(assignment)?;
        let mutants = prepare::bugs_if_any(course, assignment)?;
        let programs = {
            let _progress = Progress::new("building the reference", None);
            Programs::build(&Plan::new(work, course, assignment, &mutants).jobs(jobs))?
        };
        let (name, limits) = ("the program", under_test.limits);
        let (work, runnable) = (programs.work(), &under_test.program);
        let program = Single::new(work, course, assignment, name, runnable, limits).jobs(jobs);
        let budget = Budget::new(budget);
        work.search.end_at(budget.end_of_confirming());
        Ok(Self {
            assignment,
            generator,
            under_test,
            mutants,
            corpus: Suite::corpus(assignment)?,
            programs,
            program,
            moment: MOMENT,
            is_counted: false,
            jobs,
            budget,
            waits: WAITS,
        })
    }

    /// Whether this part of the budget is spent, or the search is asked to end.
    pub fn has_spent(&self, part: f64) -> bool {
        self.budget.end_of(part).is_some_and(|end| Instant::now() >= end) || self.is_cancelled()
    }

    /// Notes that something was found. From now on, some of the budget is kept for confirming it.
    pub fn note_find(&mut self) {
        // Whatever program it is, it may be slow.
        self.budget.note_find(true);
        self.work().search.end_at(self.budget.end_of_confirming());
    }

    /// Whether the budget is spent, or the search is asked to end.
    pub fn out_of_time(&self) -> bool {
        self.has_spent(1.0)
    }

    /// The work that the programs run for.
    pub fn work(&self) -> &Work {
        self.programs.work()
    }

    /// From now on, programs run in the part of the budget that was kept for the report.
    pub fn close(&self) {
        self.work().search.end_at(self.budget.end());
    }

    /// Whether nothing may be run any more.
    pub fn has_ended(&self) -> bool {
        self.work().search.has_ended()
    }

    /// Whether the search is asked to end.
    fn is_cancelled(&self) -> bool {
        self.work().cancellation.is_cancelled()
    }

    /// The ids of the mutants that the search has given up.
    pub fn given_up(&self) -> BTreeSet<String> {
        self.programs.given_up()
    }

    /// Whether a program that does not finish still gets all of its time.
    pub fn is_patient(&self) -> bool {
        self.waits > 0
    }

    /// Compares both on each of `drafts`, and stops the program early if it is slow.
    ///
    /// # Errors
    /// If the reference or the program cannot be started.
    pub fn compare_quickly(&mut self, drafts: &[Draft]) -> Result<Vec<Comparison>, Failure> {
        self.compare_for(drafts, self.under_test.limits.time / QUICK)
    }

    /// Like [`compare_quickly`](Self::compare_quickly), but stops the program earlier: enough to see whether one that does not end
    /// still does not.
    ///
    /// # Errors
    /// If the reference or the program cannot be started.
    pub fn compare_briefly(&mut self, drafts: &[Draft]) -> Result<Vec<Comparison>, Failure> {
        self.compare_for(drafts, self.under_test.limits.time / BRIEF)
    }

    fn compare_for(
        &mut self,
        drafts: &[Draft],
        time: Duration,
    ) -> Result<Vec<Comparison>, Failure> {
        if self.out_of_time() {
            return Ok(vec![Comparison::Untried; drafts.len()]);
        }
        // On a busy machine, a program that waits for the processor may take longer.
        let wall = self.under_test.limits.time;
        let counted = self.program.steps_in(time.min(self.moment));
        let time = match (self.program.is_process(), self.is_counted) {
            (true, _) => time,
            // The steps end a run. The clock ends what takes no steps.
            (false, true) => wall,
            (false, false) => time.min(self.moment),
        };
        let limits = process::ProcessLimits { time, wall, ..self.under_test.limits };
        let end = self.budget.end_of(1.0);
        let cancellation = self.work().cancellation.clone();
        let goes_on = || end.is_none_or(|end| Instant::now() < end) && !cancellation.is_cancelled();
        // Processes are slow. If the time is up, some cases are compared rather than all half.
        let at_once = if self.program.is_process() { 2 * self.jobs } else { drafts.len() };
        let mut comparisons = Vec::new();
        for drafts in drafts.chunks(at_once.max(1)) {
            let references = self.references_until(drafts, end)?;
            comparisons.extend(self.compare_with(&references, &limits, Some(counted), goes_on)?);
        }
        for comparison in &mut comparisons {
            if is(comparison, How::Timeout) {
                *comparison = Comparison::Slow;
            }
        }
        Ok(comparisons)
    }

    /// Compares both on `draft`. The program gets all of its time, whatever is left of the budget.
    ///
    /// # Errors
    /// If the reference or the program cannot be started.
    pub fn compare_patiently(&mut self, draft: &Draft) -> Result<Comparison, Failure> {
        Ok(self.compare_within(std::slice::from_ref(draft), Duration::MAX)?.remove(0))
    }

    fn compare_within(
        &mut self,
        drafts: &[Draft],
        most: Duration,
    ) -> Result<Vec<Comparison>, Failure> {
        let limits = self.under_test.limits;
        let wall = most.min(limits.time * MOST_PATIENCE);
        let end = Instant::now().checked_add(wall);
        let references = self.references_until(drafts, end)?;
        // A worker measures processor time, which on a busy machine passes slowly.
        let _search = self.work().search.until(end);
        let limits = process::ProcessLimits { wall, ..limits };
        self.compare_with(&references, &limits, None, || true)
    }

    /// The case of each of `drafts`, and what the reference does on it until `end`.
    fn references_until(
        &mut self,
        drafts: &[Draft],
        end: Option<Instant>,
    ) -> Result<Vec<(Case, ReferenceRun)>, Failure> {
        let cases: Vec<_> = drafts.iter().map(|draft| self.case(draft)).collect();
        let search = self.work().search.clone();
        let _search = search.until(end);
        let rows = self.programs.references(&cases)?;
        let is_over = search.is_over();
        let of_row = |(draft, row): (&Draft, Row)| {
            if row.is_test(self.assignment, &draft.flags, &draft.input) {
                ReferenceRun::Ran(Box::new(row.reference))
            } else if is_over {
                ReferenceRun::Stopped
            } else {
                ReferenceRun::Rejects
            }
        };
        Ok(cases.into_iter().zip(drafts.iter().zip(rows).map(of_row)).collect())
    }

    /// Compares both on each of the cases, while `goes_on` says so. The program may take so many steps.
    fn compare_with(
        &mut self,
        cases: &[(Case, ReferenceRun)],
        limits: &process::ProcessLimits,
        steps: Option<u64>,
        goes_on: impl Fn() -> bool + Sync,
    ) -> Result<Vec<Comparison>, Failure> {
        let valid = cases.iter().filter(|(_, it)| matches!(it, ReferenceRun::Ran(_)));
        let given: Vec<_> = valid.map(|(case, _)| self.given(case)).collect();
        let outcomes = self.program.run(&given, limits, steps, || !goes_on())?;
        self.is_counted |= outcomes.iter().flatten().any(|(_, steps)| *steps > 0);
        let mut outcomes = outcomes.into_iter();
        let mut compare = |(case, run): &(Case, ReferenceRun)| {
            let reference = match run {
                ReferenceRun::Ran(reference) => reference,
                ReferenceRun::Rejects => return Ok(Comparison::Invalid),
                ReferenceRun::Stopped => return Ok(Comparison::Untried),
            };
            match outcomes.next().flatten() {
                // If all has ended, the program was stopped, and not by its own limit.
                Some((outcome, _)) if !self.has_ended() => self.judged(case, reference, outcome),
                _ => Ok(Comparison::Untried),
            }
        };
        cases.iter().map(&mut compare).collect()
    }

    /// Whether each run of the program is a process.
    pub fn is_by_process(&self) -> bool {
        self.program.is_process()
    }

    /// What a process does on `draft`, if it differs in the way `how`. If not, the program runs by processes from now on. It gets all of
    /// its time, whatever else the machine does.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn confirmed(&mut self, draft: &Draft, how: How) -> Result<Option<Discrepancy>, Failure> {
        let difference = self.difference_of_process(draft, how)?;
        if difference.is_none() && !self.has_ended() {
            let reason = programs::reason(&self.args(draft), None);
            self.program.distrust(&reason);
        }
        Ok(difference)
    }

    /// As [`confirmed`](Self::confirmed), but changes nothing.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn difference_of_process(
        &mut self,
        draft: &Draft,
        how: How,
    ) -> Result<Option<Discrepancy>, Failure> {
        let case = self.case(draft);
        let row = self.programs.references(std::slice::from_ref(&case))?.remove(0);
        let limits = process::ProcessLimits { wall: Duration::MAX, ..self.under_test.limits };
        let program = self.program.by_process(&self.given(&case), &limits)?;
        Ok(match self.judged(&case, &row.reference, program)? {
            Comparison::Differ(difference) if difference.how == how && !self.has_ended() => {
                Some(*difference)
            }
            _ => None,
        })
    }

    /// The programs that do not run by the fastest engine of their kind.
    pub fn slower(&self) -> Vec<Slower> {
        self.programs.slower().into_iter().chain(self.program.slower()).collect()
    }

    fn judged(
        &self,
        case: &Case,
        reference: &Outcome,
        program: Outcome,
    ) -> Result<Comparison, Failure> {
        let Some(fault) = self.programs.judge().fault_of_stranger(case, reference, &program)?
        else {
            return Ok(Comparison::Same);
        };
        let (reference, program) = (beginning(reference.clone()), beginning(program));
        let (how, why) = (fault.how, fault.why.map(|why| why.to_string()));
        Ok(Comparison::Differ(Box::new(Discrepancy { how, why, reference, program })))
    }
}

/// Whether the two differ in the way `how`.
pub fn is(comparison: &Comparison, how: How) -> bool {
    matches!(comparison, Comparison::Differ(difference) if difference.how == how)
}

fn beginning(mut outcome: Outcome) -> Outcome {
    for stream in
        [&mut outcome.stdout, &mut outcome.stderr].into_iter().chain(outcome.files.values_mut())
    {
        stream.truncate(KEPT);
        stream.shrink_to_fit();
    }
    outcome
}
