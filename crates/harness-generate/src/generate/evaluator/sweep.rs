//! Runs batches of drafts: those of one item after the other, and those of several items at the same time.

use super::{Batch, Evaluator, exposed_by, is_valid};
use crate::course::Assignment;
use crate::diagnostic::Failure;
use crate::diagnostic::progress::Progress;
use crate::domain::{Draft, Generator};
use crate::generate::dispute::{self, Disputed};
use crate::run::programs;
use crate::suite::decode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use subject::wire::{Answer, Detail, Request};
use subject::{How, MutantSet};

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
            endless: &self.endless,
        };
        let asked = |at, next| match next {
            Next::Answers(batch, state) => {
                let (requests, drafts) = drafts.requests(batch, at);
                programs::Next::Answers(requests, Asked { drafts, state, first: None })
            }
            Next::Nothing(result) => programs::Next::Nothing(result),
        };
        self.programs.pursue(
            count,
            |at| asked(at, start(at)),
            |at, mut of, mut answers| {
                if let Some(first) = of.first.take() {
                    answers = with_references(first, answers);
                } else if let Some(requests) = drafts.of_references(at, &of.drafts, &answers) {
                    return programs::Next::More(requests, Asked { first: Some(answers), ..of });
                }
                drafts.judge(&of.drafts, &mut answers);
                asked(at, go_on(at, of.state, of.drafts, answers))
            },
        )
    }
}

/// A batch that was asked about, with what is known of its item.
struct Asked<S> {
    drafts: Vec<Draft>,
    state: S,
    /// The answers of the mutants, while other right programs run on the drafts on which one of them differs.
    first: Option<Vec<Answer>>,
}

/// Of so many items, the drafts of one are for all right programs, to find those on which they differ. Right programs may be slower than
/// all mutants, and differ on few drafts.
const COMPARED: usize = 8;

/// The answers of the mutants, with those of other right programs to the drafts on which one of them differs.
fn with_references(mut answers: Vec<Answer>, of_references: Vec<Answer>) -> Vec<Answer> {
    let differing = answers.iter_mut().filter(|answer| !answer.differing.is_empty());
    for (answer, of_references) in differing.zip(of_references) {
        if of_references.reference.end != answer.reference.end {
            // No time was left to compare them, or the checker fails on what one of them prints.
            answer.differing.clear();
        }
        answer.differing.extend(of_references.differing);
    }
    answers
}

/// What is needed to ask programs about drafts.
struct Drafts<'e> {
    assignment: &'e Assignment,
    generator: &'e dyn Generator,
    references: &'e MutantSet,
    disputed: &'e Mutex<Disputed>,
    progress: &'e Progress,
    largest: &'e AtomicUsize,
    endless: &'e Mutex<MutantSet>,
}

impl Drafts<'_> {
    /// The requests of a batch of an item.
    fn requests(&self, batch: Batch<'_>, at: usize) -> (Vec<Request>, Vec<Draft>) {
        let Batch { drafts, mutants, most_steps } = batch;
        let mut all = mutants.clone();
        if !mutants.is_empty() && at.is_multiple_of(COMPARED) {
            all.add_all(self.references);
        }
        let requests = self.requests_for(&drafts, &all, most_steps);
        (requests, drafts)
    }

    /// Those for the right programs that have not run on the drafts on which a mutant differs; `None` if there are none.
    fn of_references(
        &self,
        at: usize,
        drafts: &[Draft],
        answers: &[Answer],
    ) -> Option<Vec<Request>> {
        if at.is_multiple_of(COMPARED) || self.references.is_empty() {
            return None;
        }
        let differing = drafts.iter().zip(answers).filter(|(_, it)| !it.differing.is_empty());
        let differing: Vec<_> = differing.map(|(draft, _)| draft.clone()).collect();
        let requests = self.requests_for(&differing, self.references, u64::MAX);
        (!requests.is_empty()).then_some(requests)
    }

    fn requests_for(&self, drafts: &[Draft], mutants: &MutantSet, most_steps: u64) -> Vec<Request> {
        let most_steps = most_steps.min(self.assignment.run.reference_steps);
        let request = |case| Request {
            case,
            mutants: mutants.clone(),
            detail: Detail::Verdicts,
            steps: Some(most_steps),
        };
        decode::cases_of_drafts(self.assignment, drafts).into_iter().map(request).collect()
    }

    /// Notes which mutants did not end.
    fn note_endless(&self, answer: &Answer) {
        let endless = answer.differing.iter().filter(|it| it.how == How::Timeout);
        let endless: MutantSet = endless.map(|it| it.mutant).collect();
        if !endless.is_empty() {
            self.endless.lock().unwrap_or_else(PoisonError::into_inner).add_all(&endless);
        }
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
            self.note_endless(answer);
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use subject::wire::Difference;
    use subject::{End, Outcome};

    fn answer(end: End, differing: &[usize]) -> Answer {
        let outcome = Outcome { end, stdout: vec![], stderr: vec![], files: BTreeMap::new() };
        let difference = |&mutant| Difference { mutant, how: How::Output, outcome: None };
        Answer { differing: differing.iter().map(difference).collect(), ..Answer::of(outcome) }
    }

    #[test]
    fn a_draft_counts_only_if_all_right_programs_were_compared_on_it() {
        let mutants = [vec![], vec![1], vec![2], vec![1, 2]];
        let mutants = mutants.iter().map(|it| answer(End::Exit(0), it)).collect();
        // On the first one no mutant differs; on the second the checker fails; on the last no time is left.
        let references =
            vec![answer(End::Exit(1), &[]), answer(End::Exit(0), &[7]), answer(End::Timeout, &[])];
        let all = with_references(mutants, references);
        let exposed: Vec<Vec<_>> = all.iter().map(|it| exposed_by(it).iter().collect()).collect();
        assert_eq!(exposed, [vec![], vec![], vec![2, 7], vec![]]);
    }
}
