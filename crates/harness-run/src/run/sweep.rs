//! Runs batches of requests on slots: those of one item after the other, and those of several items at the same time.

use super::discarded::Screened;
use super::judge::input;
use super::parallel;
use super::programs::Programs;
use super::slot::Slot;
use crate::diagnostic::Failure;
use std::collections::VecDeque;
use subject::wire::{Answer, Request};

/// The most batches that a slot has at the same time: one is made and one is run while the answers to a third are read.
const MOST: usize = 2;

/// What an item needs next.
pub enum Next<K, T> {
    /// The answers to a batch. What is known of its requests is passed on with them.
    Answers(Vec<Request>, K),
    /// The answers of other programs to valid cases that were run before. These cases are not counted again, nor given to validators.
    More(Vec<Request>, K),
    /// Nothing: this is its result.
    Nothing(T),
}

impl Programs {
    /// Runs `count` batches, each made by `make`, without the clean build, and gives what `digest` makes of the answers, in order. What
    /// `make` knows of its requests is passed on to `digest`. Other batches are made and digested while one runs.
    ///
    /// # Errors
    /// If the machine or a checker fails.
    pub fn sweep<K, T: Send>(
        &mut self,
        count: usize,
        make: impl Fn(usize) -> (Vec<Request>, K) + Sync,
        digest: impl Fn(usize, K, Vec<Answer>) -> T + Sync,
    ) -> Result<Vec<T>, Failure> {
        let start = |at| {
            let (requests, known) = make(at);
            Next::Answers(requests, known)
        };
        self.pursue(count, start, |at, known, answers| Next::Nothing(digest(at, known, answers)))
    }

    /// As [`sweep`](Self::sweep), for items of which each needs one batch after the other. `start` makes its first batch, and `go_on` the
    /// next one.
    ///
    /// # Errors
    /// As [`sweep`](Self::sweep).
    pub fn pursue<K, T: Send>(
        &mut self,
        count: usize,
        start: impl Fn(usize) -> Next<K, T> + Sync,
        go_on: impl Fn(usize, K, Vec<Answer>) -> Next<K, T> + Sync,
    ) -> Result<Vec<T>, Failure> {
        let (judge, validators, discarded) = (&self.judge, &self.validators, &self.discarded);
        let refusals = &self.refusals;
        let is_search = self.work.search.is_on();
        let screens = is_search && discarded.are_mostly_refused();
        let in_detail = |mut requests: Vec<Request>| {
            for request in &mut requests {
                request.detail = judge.detail(request.detail);
            }
            requests
        };
        let prepared = |next| {
            Ok(match next {
                Next::Answers(mut requests, known) => {
                    let screened = screens.then(|| discarded.screen(validators, &mut requests));
                    let cases = Cases::New(screened.transpose()?);
                    Next::Answers(in_detail(requests), (known, cases))
                }
                Next::More(requests, known) => {
                    Next::More(in_detail(requests), (known, Cases::Known))
                }
                Next::Nothing(result) => Next::Nothing(result),
            })
        };
        let results = sweep(
            &mut self.slots,
            count,
            |at| prepared(start(at)),
            |at, (known, cases), requests, mut answers| {
                if is_search && matches!(cases, Cases::New(_)) {
                    discarded.count(refusals, &answers);
                }
                if matches!(cases, Cases::New(None)) {
                    discarded.validate(validators, requests, &mut answers)?;
                }
                for (request, answer) in requests.iter().zip(&mut answers) {
                    let judge = |answer: &mut Answer| judge.judge(&request.case, answer);
                    if is_search {
                        discarded.judge(input(&request.case), judge, answer)?;
                    } else {
                        judge(answer)?;
                    }
                }
                if let Cases::New(Some(screened)) = cases {
                    answers = screened.complete(answers);
                }
                prepared(go_on(at, known, answers))
            },
        )?;
        discarded.failure()?;
        Ok(results)
    }
}

/// What is known of the cases of a batch.
enum Cases {
    /// They are new. Validators may have screened them.
    New(Option<Screened>),
    /// They were run before.
    Known,
}

/// Runs the batches of `count` items on `slots`, and gives the results of the items in order. `start` makes an item's first batch, and
/// `go_on` makes the next one from the answers. No item waits for another one.
///
/// # Errors
/// If the machine, `start` or `go_on` fails.
pub(super) fn sweep<K, T: Send>(
    slots: &mut [Slot],
    count: usize,
    start: impl Fn(usize) -> Result<Next<K, T>, Failure> + Sync,
    go_on: impl Fn(usize, K, &[Request], Vec<Answer>) -> Result<Next<K, T>, Failure> + Sync,
) -> Result<Vec<T>, Failure> {
    slots.iter().take(1).for_each(Slot::begin_sweep);
    // Where there are few items, none waits for another one while a slot has nothing to do.
    let most = (count / slots.len().max(1)).clamp(1, MOST);
    parallel::share(slots, count, |slot, queue| {
        let mut submitted = VecDeque::new();
        let mut following = None;
        loop {
            while submitted.len() < most {
                let first = || queue.take().map(|at| start(at).map(|next| (at, next)));
                let Some(item) = following.take().map(Ok).or_else(first) else { break };
                let (at, next) = item?;
                match next {
                    Next::Answers(requests, known) | Next::More(requests, known) => {
                        slot.submit(requests.into(), at == 0)?;
                        submitted.push_back((at, known));
                    }
                    Next::Nothing(result) => queue.put(at, result),
                }
            }
            let (Some((at, known)), Some((requests, answers))) =
                (submitted.pop_front(), slot.collect()?)
            else {
                return Ok(());
            };
            following = Some((at, go_on(at, known, &requests, answers)?));
        }
    })
}
