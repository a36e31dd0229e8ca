//! The cases that a search discards, because the reference or a validator does not accept them, or a checker fails on them.
//!
//! A search asks validators about the cases on which a mutant differs. Where they refuse most of those, it asks them first, so that no
//! mutant runs in vain, and what the search learns, it learns from valid cases.

use super::validators::{Validators, Verdict, rejected};
use crate::diagnostic::{Failure, FailureKind};
use crate::domain::Refusals;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use subject::wire::{Answer, Request};
use subject::{Case, End, Outcome};

/// How many cases a search discarded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Discarded {
    /// The number of cases that the reference was run on, and how many of them it rejects.
    pub tried: u64,
    pub rejected: u64,
    /// The number of cases that the validators were asked about, and how many of them one does not accept.
    pub validated: u64,
    pub refused: u64,
    /// The cases on which the checker fails, if there are any.
    pub unjudged: Option<Unjudged>,
}

/// Cases on which the checker fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unjudged {
    pub count: u64,
    /// How it fails on the smallest of them.
    pub failure: String,
}

/// Counts while searches run.
#[derive(Default)]
pub(super) struct Counter {
    tried: AtomicU64,
    rejected: AtomicU64,
    validated: AtomicU64,
    refused: AtomicU64,
    judged: Mutex<Judged>,
}

/// What became of cases that were judged.
#[derive(Default)]
struct Judged {
    is_any_judged: bool,
    unjudged: u64,
    /// The failure with the smallest case.
    smallest: Option<Box<(Vec<u8>, Failure)>>,
}

impl Counter {
    pub(super) fn so_far(&self) -> Discarded {
        let [tried, rejected, validated, refused] =
            [&self.tried, &self.rejected, &self.validated, &self.refused]
                .map(|number| number.load(Ordering::Relaxed));
        let judged = self.judged();
        let problem = judged.smallest.as_ref().and_then(|it| it.1.problems.first());
        let unjudged = problem
            .map(|problem| Unjudged { count: judged.unjudged, failure: problem.message.clone() });
        Discarded { tried, rejected, validated, refused, unjudged }
    }

    /// Counts the answers of a search. A case that was stopped says nothing.
    pub(super) fn count(&self, refusals: &Refusals, answers: &[Answer]) {
        let ends = || answers.iter().map(|answer| &answer.reference.end);
        let tried = ends().filter(|end| **end != End::Timeout).count();
        let is_valid = |answer: &&Answer| refusals.kind(&answer.reference).is_some();
        let valid = answers.iter().filter(is_valid).count();
        self.tried.fetch_add(tried as u64, Ordering::Relaxed);
        self.rejected.fetch_add((tried - valid) as u64, Ordering::Relaxed);
    }

    fn judged(&self) -> MutexGuard<'_, Judged> {
        self.judged.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Judges a case of a search. One on which the checker fails is no test: the checker, or the reference, is wrong there.
    pub(super) fn judge(
        &self,
        case: &[u8],
        judge: impl FnOnce(&mut Answer) -> Result<(), Failure>,
        answer: &mut Answer,
    ) -> Result<(), Failure> {
        let is_asked = !answer.differing.is_empty();
        let failure = match judge(answer) {
            Err(failure) if failure.kind == FailureKind::Course => failure,
            other => {
                self.judged().is_any_judged |= is_asked;
                return other;
            }
        };
        answer.differing.clear();
        answer.reference = rejected("the checker fails");
        let mut judged = self.judged();
        judged.unjudged += 1;
        let size = |case: &[u8]| (case.len(), case.to_vec());
        if judged.smallest.as_ref().is_none_or(|smallest| size(case) < size(&smallest.0)) {
            judged.smallest = Some(Box::new((case.to_vec(), failure)));
        }
        Ok(())
    }

    /// The failure of a checker that fails on all cases.
    pub(super) fn failure(&self) -> Result<(), Failure> {
        const MANY: u64 = 16;
        let mut judged = self.judged();
        if judged.is_any_judged || judged.unjudged < MANY {
            return Ok(());
        }
        judged.smallest.take().map_or(Ok(()), |smallest| Err(smallest.1))
    }

    /// Whether validators refuse most cases.
    pub(super) fn are_mostly_refused(&self) -> bool {
        const FEW: u64 = 64;
        let Discarded { validated, refused, .. } = self.so_far();
        validated >= FEW && refused * 2 > validated
    }

    /// Asks the validators about all cases of `requests`, and leaves only those that they accept.
    pub(super) fn screen(
        &self,
        validators: &Validators,
        requests: &mut Vec<Request>,
    ) -> Result<Screened, Failure> {
        let cases: Vec<_> = requests.iter().map(|request| &request.case).collect();
        let verdicts = self.verdicts(validators, &cases)?;
        let mut valid = verdicts.iter().map(Option::is_none);
        requests.retain(|_| valid.next().unwrap_or(true));
        let refused = |why: &String| refused(validators, why);
        Ok(Screened(verdicts.iter().map(|verdict| verdict.as_ref().map(refused)).collect()))
    }

    /// Asks the validators about the cases on which a mutant differs. No mutant differs on a case that they do not accept.
    pub(super) fn validate(
        &self,
        validators: &Validators,
        requests: &[Request],
        answers: &mut [Answer],
    ) -> Result<(), Failure> {
        if validators.is_empty() {
            return Ok(());
        }
        let differs = |at: &usize| !answers[*at].differing.is_empty();
        let asked: Vec<_> = (0..answers.len()).filter(differs).collect();
        let inputs: Vec<_> = asked.iter().map(|&at| &requests[at].case).collect();
        for (&at, verdict) in asked.iter().zip(self.verdicts(validators, &inputs)?) {
            if let Some(why) = verdict {
                answers[at].differing.clear();
                answers[at].reference = refused(validators, &why);
            }
        }
        Ok(())
    }

    fn verdicts(&self, validators: &Validators, cases: &[&Case]) -> Result<Vec<Verdict>, Failure> {
        let verdicts = validators.verdicts(cases)?;
        self.validated.fetch_add(verdicts.len() as u64, Ordering::Relaxed);
        let refused = verdicts.iter().flatten().count();
        self.refused.fetch_add(refused as u64, Ordering::Relaxed);
        Ok(verdicts)
    }
}

/// The outcome of a case that a validator does not accept. Once the search is over, the case counts as one that was not run.
fn refused(validators: &Validators, why: &str) -> Outcome {
    let end = if validators.are_over() { End::Timeout } else { End::Exit(1) };
    Outcome { end, ..rejected(why) }
}

/// The outcome of each case of a batch that validators did not accept before it ran.
pub(super) struct Screened(Vec<Option<Outcome>>);

impl Screened {
    /// The answers to all cases of the batch, from those to the valid ones. The reference rejects the others.
    pub(super) fn complete(self, answers: Vec<Answer>) -> Vec<Answer> {
        let mut answers = answers.into_iter();
        let answer = |refused: Option<Outcome>| refused.map(Answer::of).or_else(|| answers.next());
        self.0.into_iter().filter_map(answer).collect()
    }
}
