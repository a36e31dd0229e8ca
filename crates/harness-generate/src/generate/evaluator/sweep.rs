//! Runs batches of drafts: those of one item after the other, and those of several items at the same time.

use super::{Batch, Evaluator, exposed_by, is_valid};
use crate::course::Assignment;
use crate::diagnostic::Failure;
use crate::diagnostic::progress::Progress;
use crate::domain::{Draft, Generator};
use crate::generate::dispute::{self, Disputed};
use crate::run::programs;
use crate::suite::decode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use subject::MutantSet;
use subject::wire::{Answer, Detail, Request};

/// What an item needs next.
pub enum Next<'b, S, T> {
    /// The answers to a batch. What is known of the item is passed on with them.
    Answers(Batch<'b>, S),
    /// Nothing: this is its result.
    Nothing(T),
}

impl Evaluator<'_> {
    /// Runs `count` batches, each made by `make`, and gives what `digest` makes of the answers, in order. The drafts that are left when
    /// the budget is spent count as rejected.
    ///
    /// # Errors
    /// If a worker cannot be started.
    pub fn sweep<'b, T: Send>(
        &mut self,
        count: usize,
        make: impl Fn(usize) -> Batch<'b> + Sync,
        digest: impl Fn(usize, Vec<Draft>, Vec<Answer>) -> T + Sync,
    ) -> Result<Vec<T>, Failure> {
        let _search = self.programs.work().search.until(self.deadline());
        self.run(count, make, digest)
    }

    /// As [`sweep`](Self::sweep), for many cases of which few expose a mutant, until this part of the budget is spent. The search seldom
    /// waits for a slow mutant: what that would do on a case may stay unknown, and then the mutant is not exposed.
    ///
    /// # Errors
    /// As [`sweep`](Self::sweep).
    pub fn sweep_quickly<'b, T: Send>(
        &mut self,
        part: f64,
        count: usize,
        make: impl Fn(usize) -> Batch<'b> + Sync,
        digest: impl Fn(usize, Vec<Draft>, Vec<Answer>) -> T + Sync,
    ) -> Result<Vec<T>, Failure> {
        let _search = self.programs.work().search.quickly_until(self.end_of(part));
        self.run(count, make, digest)
    }

    /// As [`sweep`](Self::sweep), for items of which each needs one batch after the other, such as a reduction. `start` makes the first
    /// batch of an item, and `go_on` makes the next one from the answers. No item waits for another one.
    ///
    /// # Errors
    /// As [`sweep`](Self::sweep).
    pub fn pursue<'b, S, T: Send>(
        &mut self,
        count: usize,
        start: impl Fn(usize) -> Next<'b, S, T> + Sync,
        go_on: impl Fn(S, Vec<Draft>, Vec<Answer>) -> Next<'b, S, T> + Sync,
    ) -> Result<Vec<T>, Failure> {
        let _search = self.programs.work().search.until(self.deadline());
        self.run_on(count, start, |_, state, drafts, answers| go_on(state, drafts, answers))
    }

    pub(super) fn run<'b, T: Send>(
        &mut self,
        count: usize,
        make: impl Fn(usize) -> Batch<'b> + Sync,
        digest: impl Fn(usize, Vec<Draft>, Vec<Answer>) -> T + Sync,
    ) -> Result<Vec<T>, Failure> {
        let start = |at| Next::Answers(make(at), ());
        self.run_on(count, start, |at, (), drafts, answers| {
            Next::Nothing(digest(at, drafts, answers))
        })
    }

    fn run_on<'b, S, T: Send>(
        &mut self,
        count: usize,
        start: impl Fn(usize) -> Next<'b, S, T> + Sync,
        go_on: impl Fn(usize, S, Vec<Draft>, Vec<Answer>) -> Next<'b, S, T> + Sync,
    ) -> Result<Vec<T>, Failure> {
        let references = self.patient_references();
        let drafts = Drafts {
            assignment: self.assignment,
            generator: self.generator,
            references: &references,
            disputed: &self.disputed,
            progress: &self.progress,
            largest: &self.largest,
        };
        let asked = |next| match next {
            Next::Answers(batch, state) => {
                let (requests, drafts) = drafts.requests(batch);
                programs::Next::Answers(requests, (drafts, state))
            }
            Next::Nothing(result) => programs::Next::Nothing(result),
        };
        self.programs.pursue(
            count,
            |at| asked(start(at)),
            |at, (of, state), mut answers| {
                drafts.judge(&of, &mut answers);
                asked(go_on(at, state, of, answers))
            },
        )
    }
}

/// What is needed to ask programs about drafts.
struct Drafts<'e> {
    assignment: &'e Assignment,
    generator: &'e dyn Generator,
    references: &'e MutantSet,
    disputed: &'e Mutex<Disputed>,
    progress: &'e Progress,
    largest: &'e AtomicUsize,
}

impl Drafts<'_> {
    fn requests(&self, batch: Batch<'_>) -> (Vec<Request>, Vec<Draft>) {
        let Batch { drafts, mutants, most_steps } = batch;
        let mut all = mutants.clone();
        if !mutants.is_empty() {
            all.add_all(self.references);
        }
        let request = |case| Request {
            case,
            mutants: all.clone(),
            detail: Detail::Verdicts,
            steps: Some(most_steps.min(self.assignment.run.reference_steps)),
        };
        let cases = decode::cases_of_drafts(self.assignment, &drafts);
        (cases.into_iter().map(request).collect(), drafts)
    }

    /// Leaves no difference in the answer to a draft that is not valid, or on which right programs differ.
    fn judge(&self, drafts: &[Draft], answers: &mut [Answer]) {
        self.progress.add(drafts.len() as u64);
        let refusals = &self.assignment.refusals;
        let answered = drafts.iter().zip(&*answers);
        let valid = answered.filter(|(_, answer)| refusals.kind(&answer.reference).is_some());
        let largest = valid.map(|(draft, _)| draft.input.len()).max().unwrap_or(0);
        self.largest.fetch_max(largest, Ordering::Relaxed);
        let differs = |answer: &&mut Answer| !answer.differing.is_empty();
        for (draft, answer) in
            drafts.iter().zip(answers.iter_mut()).filter(|(_, answer)| differs(answer))
        {
            if !is_valid(self.assignment, draft, answer) {
                answer.differing.clear();
                continue;
            }
            dispute::note_stopped(self.disputed, answer, self.references);
            let dissenters = dispute::dissenters(answer, self.references);
            answer.differing.retain(|it| !self.references.contains(it.mutant));
            if !dissenters.is_empty() {
                dispute::note(
                    self.disputed,
                    self.generator,
                    draft,
                    &dissenters,
                    &exposed_by(answer),
                );
                answer.differing.clear();
            }
        }
    }
}
