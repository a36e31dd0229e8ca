//! The one way to build and run the programs of an assignment, whatever kind of programs they are.
//!
//! A [`Plan`] says which programs are wanted. [`Programs`] builds them, or opens those that were built before, and answers with a row
//! of the matrix for each case. An engine behind it runs the programs. Nothing outside `run` knows which engine that is.

mod building;

pub use super::confirm::Claim;
pub use super::plan::{Builds, Plan};
pub use super::program::Slower;
pub use super::sweep::Next;
pub use super::trust::{Trust, Untrue, reason};
pub use building::process_limits;

pub(super) use building::limits;

use super::program::BuiltProgram;
use super::slot::Slot;
use super::sweep;
use crate::diagnostic::{Failure, Problem, command_line};
use crate::domain::{Refusals, TestKind};
use crate::run::discarded::{Counter, Discarded};
use crate::run::effort::Effort;
use crate::run::engine::Engine;
use crate::run::judge::Judge;
use crate::run::matrix::{Difference, Row};
use crate::run::validators::Validators;
use crate::run::work::Work;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::sync::Arc;
use std::time::Duration;
use subject::wire::{self, Answer, Detail, MutantSet, Request};
use subject::{Case, End, Outcome};

/// The programs of an assignment, ready to run.
pub struct Programs {
    pub(super) work: Work,
    pub(super) judge: Judge,
    pub(super) refusals: Refusals,
    pub(super) validators: Validators,
    pub(super) discarded: Counter,
    effort: Arc<Effort>,
    pub(super) selected: MutantSet,
    /// Slots of `base` and of `own`.
    pub(super) slots: Vec<Slot>,
    /// Slots of the reference. There are none if it is `base`.
    pub(super) clean: Vec<Slot>,
    pub(super) reference: Arc<BuiltProgram>,
    /// The program that holds the mutants. It is the reference if there is no combined build, or if the source is the program.
    pub(super) base: Arc<BuiltProgram>,
    /// The mutants that are programs of their own.
    pub(super) own: BTreeMap<usize, Arc<BuiltProgram>>,
}

/// A case, and the mutants to run on it.
#[derive(Clone)]
pub struct Run<'a> {
    pub case: &'a Case,
    pub mutants: MutantSet,
}

impl Programs {
    /// The mutants that are run.
    pub fn selected(&self) -> &MutantSet {
        &self.selected
    }

    /// How many runs there are at the same time.
    pub fn jobs(&self) -> usize {
        self.slots.len()
    }

    /// The work that the programs run for, with a search of its own.
    pub fn work(&self) -> &Work {
        &self.work
    }

    /// The ids of the mutants that the searches have given up.
    pub fn given_up(&self) -> BTreeSet<String> {
        self.all().flat_map(|program| program.stalls.given_up()).collect()
    }

    /// The mutants of which quick searches have cut or left out some runs, so that it is unknown what they do there.
    pub fn unsettled(&self) -> MutantSet {
        self.effort.unsettled()
    }

    /// Those of them that end, if a search waits for them.
    pub fn slow(&self) -> MutantSet {
        self.effort.slow()
    }

    /// Decides which outcomes are right.
    pub fn judge(&self) -> &Judge {
        &self.judge
    }

    /// A row for each case, with the verdicts of all selected mutants, settled by processes.
    ///
    /// # Errors
    /// If the machine fails, or the combined build with no mutant selected differs from the reference.
    pub fn rows(&mut self, cases: &[Case]) -> Result<Vec<Row>, Failure> {
        self.checked(&self.all_of(cases), Detail::Reference, true)
    }

    /// Like [`rows`](Self::rows), but nothing is settled by processes. A search has too many cases for that.
    ///
    /// # Errors
    /// As [`rows`](Self::rows).
    pub fn unsettled_rows(&mut self, cases: &[Case]) -> Result<Vec<Row>, Failure> {
        self.checked(&self.all_of(cases), Detail::Reference, false)
    }

    /// A row for each case, with no mutant.
    ///
    /// # Errors
    /// If the machine fails, or the combined build with no mutant selected differs from the reference.
    pub fn references(&mut self, cases: &[Case]) -> Result<Vec<Row>, Failure> {
        let run = |case| Run { case, mutants: MutantSet::default() };
        self.checked(&cases.iter().map(run).collect::<Vec<_>>(), Detail::Reference, false)
    }

    /// All selected mutants on each of `cases`.
    fn all_of<'a>(&self, cases: &'a [Case]) -> Vec<Run<'a>> {
        cases.iter().map(|case| Run { case, mutants: self.selected.clone() }).collect()
    }

    /// The rows, if the combined build with no mutant selected did what the reference did in all of them. If not, the first case on
    /// which they disagree is compared with processes. If a program steps down then, or when the verdicts are settled, all cases are run
    /// again.
    fn checked(
        &mut self,
        runs: &[Run<'_>],
        detail: Detail,
        is_settled: bool,
    ) -> Result<Vec<Row>, Failure> {
        const TIME: Duration = Duration::from_secs(5);
        loop {
            let mut rows = self.run(runs, detail)?;
            if let Some(at) =
                rows.iter().position(|row| !row.agrees).filter(|_| !self.work.search.is_over())
            {
                let trust = self.check(std::slice::from_ref(runs[at].case), TIME)?;
                if !trust.differences.is_empty() {
                    rows = self.run(runs, detail)?;
                }
            }
            let rows = self.agreed(runs, rows)?;
            if !is_settled || self.work.search.is_on() || self.work.search.has_ended() {
                return Ok(rows);
            }
            if let Some(rows) = self.settled(runs, rows, detail)? {
                return Ok(rows);
            }
        }
    }

    /// A row for each of `runs`.
    ///
    /// # Errors
    /// As [`rows`](Self::rows).
    pub fn rows_of(&mut self, runs: &[Run<'_>]) -> Result<Vec<Row>, Failure> {
        let rows = self.run(runs, Detail::Reference)?;
        self.agreed(runs, rows)
    }

    /// Like [`rows`](Self::rows), but a row says whether the combined build agrees, and a difference is no error.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn rows_unchecked(&mut self, cases: &[Case]) -> Result<Vec<Row>, Failure> {
        self.run(&self.all_of(cases), Detail::Reference)
    }

    /// A row for each case, with the verdicts of all selected mutants and the outcomes of those that differ, settled by processes.
    ///
    /// # Errors
    /// If the machine fails, or the combined build with no mutant selected differs from the reference.
    pub fn outcomes(&mut self, cases: &[Case]) -> Result<Vec<Row>, Failure> {
        self.checked(&self.all_of(cases), Detail::Outcomes, true)
    }

    /// Like [`outcomes`](Self::outcomes), but nothing is settled by processes.
    ///
    /// # Errors
    /// As [`outcomes`](Self::outcomes).
    pub fn unsettled_outcomes(&mut self, cases: &[Case]) -> Result<Vec<Row>, Failure> {
        self.checked(&self.all_of(cases), Detail::Outcomes, false)
    }

    /// Like [`outcomes`](Self::outcomes), for some mutants on each case. A row says whether the combined build agrees.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn settled_outcomes_of(&mut self, runs: &[Run<'_>]) -> Result<Vec<Row>, Failure> {
        loop {
            let rows = self.outcomes_of(runs)?;
            if let Some(rows) = self.settled(runs, rows, Detail::Outcomes)? {
                return Ok(rows);
            }
        }
    }

    /// A row for each of `runs`, with the outcomes of the mutants that differ. As with [`rows_unchecked`](Self::rows_unchecked),
    /// a row says whether the combined build agrees.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn outcomes_of(&mut self, runs: &[Run<'_>]) -> Result<Vec<Row>, Failure> {
        self.run(runs, Detail::Outcomes)
    }

    /// What the reference does with a test, by its outcome; `None` if the test is not valid.
    pub fn kind(&self, reference: &Outcome) -> Option<TestKind> {
        self.refusals.kind(reference)
    }

    /// Whether the validators refuse most cases of the searches.
    pub fn are_mostly_refused(&self) -> bool {
        self.discarded.are_mostly_refused()
    }

    /// How many cases the searches have discarded until now.
    pub fn discarded(&self) -> Discarded {
        self.discarded.so_far()
    }

    /// About the time that the searches have spent until now, by the steps that the programs took. It is the same under any load.
    pub fn effort(&self) -> Duration {
        self.effort.so_far()
    }

    /// The number of steps of the reference that take about so much time; `None` if they are not counted.
    pub fn steps_in(&self, time: Duration) -> Option<u64> {
        self.base.counts_steps().then(|| self.base.steps_in(time))
    }

    /// The programs that do not run by the fastest engine of their kind.
    pub fn slower(&self) -> Vec<Slower> {
        let programs = self.all().filter_map(|program| program.slower());
        programs.chain(self.validators.slower()).collect()
    }

    /// The programs, each once.
    pub(super) fn all(&self) -> impl Iterator<Item = &Arc<BuiltProgram>> {
        let clean = (!self.clean.is_empty()).then_some(&self.reference);
        clean.into_iter().chain([&self.base]).chain(self.own.values())
    }

    /// A row for each of `runs`. Nothing is run on a case that a validator does not accept.
    fn run(&mut self, runs: &[Run<'_>], detail: Detail) -> Result<Vec<Row>, Failure> {
        if self.validators.is_empty() {
            return self.run_valid(runs, detail);
        }
        let cases: Vec<_> = runs.iter().map(|run| run.case).collect();
        let verdicts = self.validators.verdicts(&cases)?;
        let valid = runs.iter().zip(&verdicts).filter(|(_, verdict)| verdict.is_none());
        let valid: Vec<_> = valid.map(|(run, _)| run.clone()).collect();
        let mut rows = self.run_valid(&valid, detail)?.into_iter();
        let row = |verdict: &Option<String>| match verdict {
            None => rows.next().expect("every valid case has a row"),
            Some(why) => Row::rejected(why),
        };
        Ok(verdicts.iter().map(row).collect())
    }

    fn run_valid(&mut self, runs: &[Run<'_>], detail: Detail) -> Result<Vec<Row>, Failure> {
        let requests: Vec<_> =
            runs.iter().map(|run| request(run.case, run.mutants.clone(), detail)).collect();
        let answers = self.answers(&requests)?;
        let asked = runs.iter().zip(&answers).filter(|(_, answer)| !is_over(answer));
        let asked =
            asked.map(|(run, _)| request(run.case, MutantSet::default(), Detail::Reference));
        let mut clean = if self.clean.is_empty() {
            Vec::new().into_iter()
        } else {
            let batch = self.batch();
            answers_of(&mut self.clean, &asked.collect::<Vec<_>>(), batch)?.into_iter()
        };
        let knows_reached = self.knows_reached();
        let mut rows = Vec::with_capacity(runs.len());
        for (run, mut answer) in runs.iter().zip(answers) {
            let exposed = self.differences(run.case, &mut answer, detail)?;
            let clean = if is_over(&answer) { None } else { clean.next() };
            let agrees =
                clean.as_ref().is_none_or(|clean| agree(&clean.reference, &answer.reference));
            let reference = clean.map_or(answer.reference, |clean| clean.reference);
            rows.push(Row {
                kind: self.refusals.kind(&reference),
                reference,
                exposed,
                reached: knows_reached.then_some(answer.reached),
                endless: answer.endless,
                agrees,
            });
        }
        Ok(rows)
    }

    /// Takes the differences out of an answer, with their outcomes and reasons if they are wanted.
    fn differences(
        &self,
        case: &Case,
        answer: &mut Answer,
        detail: Detail,
    ) -> Result<Vec<Difference>, Failure> {
        let found = mem::take(&mut answer.differing).into_iter();
        let differences = found.map(|wire::Difference { mutant, how, outcome }| {
            let outcome = outcome.filter(|_| detail == Detail::Outcomes);
            let judged = outcome.as_ref().map(|it| self.judge.fault(case, &answer.reference, it));
            let why = judged.transpose()?.flatten().and_then(|fault| fault.why);
            Ok(Difference { mutant, how, why, outcome })
        });
        differences.collect()
    }

    /// The rows, if the combined build with no mutant selected did what the reference did in all of them.
    fn agreed(&self, runs: &[Run<'_>], mut rows: Vec<Row>) -> Result<Vec<Row>, Failure> {
        if self.work.search.is_over() {
            // One of the two was stopped.
            let stopped = rows.iter_mut().filter(|row| !row.agrees);
            stopped.for_each(|row| *row = Row::rejected("no time was left to run it"));
        }
        let Some(at) = rows.iter().position(|row| !row.agrees) else { return Ok(rows) };
        let case = runs[at].case;
        let message = format!(
            "the combined build with no mutant selected differs from the reference on this case:\n{}\n{}",
            command_line(&case.args),
            String::from_utf8_lossy(&case.input)
        );
        let hint =
            "a bug changes more than its own mutant; `harness mutants verify` finds out which";
        Err(Failure::broken_course(Problem::new(message).hint(hint)))
    }

    fn answers(&mut self, requests: &[Request]) -> Result<Vec<Answer>, Failure> {
        let batches: Vec<_> = requests.chunks(self.batch()).collect();
        let answers =
            self.sweep(batches.len(), |at| (batches[at].to_vec(), ()), |_, (), answers| answers)?;
        Ok(answers.into_iter().flatten().collect())
    }

    /// The number of cases that a slot takes at a time: enough to keep a pipe busy, but few enough to distribute a small suite. A process
    /// takes longer than a pipe.
    fn batch(&self) -> usize {
        const BATCH: usize = 16;
        let is_slow = self.all().any(|program| program.engine() == Engine::Process);
        if is_slow { 1 } else { BATCH }
    }

    /// Whether the program that holds the mutants tells which of them it reaches.
    pub fn knows_reached(&self) -> bool {
        !self.base.hello.ids.is_empty() && self.base.engine() != Engine::Process
    }
}

/// The answers of `slots` to `requests`, in order.
pub(super) fn answers_of(
    slots: &mut [Slot],
    requests: &[Request],
    batch: usize,
) -> Result<Vec<Answer>, Failure> {
    let batches: Vec<_> = requests.chunks(batch).collect();
    let start = |at: usize| Ok(Next::Answers(batches[at].to_vec(), ()));
    let answers =
        sweep::sweep(slots, batches.len(), start, |_, (), _, answers| Ok(Next::Nothing(answers)))?;
    Ok(answers.into_iter().flatten().collect())
}

pub(super) fn request(case: &Case, mutants: MutantSet, detail: Detail) -> Request {
    Request { case: case.clone(), mutants, detail, steps: None }
}

/// Whether the reference takes too many steps on the case. The clean build may count no steps, so it is not run on such a case.
fn is_over(answer: &Answer) -> bool {
    answer.reference.end == End::Timeout
}

/// Whether two runs did the same, as far as it is compared. What a run printed before it crashed or was stopped is not, and neither is
/// which limit stops a run that does not end.
pub(super) fn agree(one: &Outcome, other: &Outcome) -> bool {
    match (&one.end, &other.end) {
        (End::Exit(status), End::Exit(other_status)) => {
            status == other_status && one.stdout == other.stdout && one.files == other.files
        }
        (End::Exit(_), _) | (_, End::Exit(_)) => false,
        (End::Crash(_), other) | (other, End::Crash(_)) => matches!(other, End::Crash(_)),
        _ => true,
    }
}
