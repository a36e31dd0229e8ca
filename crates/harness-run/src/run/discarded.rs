//! Counts the cases that a search discards, because the reference or a validator does not accept them.

use super::validators::{Validators, rejected};
use crate::diagnostic::Failure;
use crate::domain::Refusals;
use std::sync::atomic::{AtomicU64, Ordering};
use subject::End;
use subject::wire::{Answer, Request};

/// How many cases a search discarded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Discarded {
    /// The number of cases that the reference was run on, and how many of them it rejects.
    pub tried: u64,
    pub rejected: u64,
    /// The number of cases that the validators were asked about, and how many of them one does not accept.
    pub validated: u64,
    pub refused: u64,
}

/// Counts while searches run.
#[derive(Default)]
pub(super) struct Counter {
    tried: AtomicU64,
    rejected: AtomicU64,
    validated: AtomicU64,
    refused: AtomicU64,
}

impl Counter {
    pub(super) fn so_far(&self) -> Discarded {
        let [tried, rejected, validated, refused] =
            [&self.tried, &self.rejected, &self.validated, &self.refused]
                .map(|number| number.load(Ordering::Relaxed));
        Discarded { tried, rejected, validated, refused }
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
        for (&at, verdict) in asked.iter().zip(validators.verdicts(&inputs)?) {
            self.validated.fetch_add(1, Ordering::Relaxed);
            if let Some(why) = verdict {
                self.refused.fetch_add(1, Ordering::Relaxed);
                answers[at].differing.clear();
                answers[at].reference = rejected(&why);
            }
        }
        Ok(())
    }
}
