//! From outcomes to verdicts. Pure.

use crate::domain::Domain;
use subject::Case;
use subject::wire::{Answer, Detail};

/// How much a worker must answer so that `domain` can judge.
pub(super) fn detail(domain: &dyn Domain, wanted: Detail) -> Detail {
    if domain.has_many_answers() { Detail::Outcomes } else { wanted }
}

/// The answer without the mutants whose answer differs but is right.
pub(super) fn judged(domain: &dyn Domain, case: &Case, mut answer: Answer) -> Answer {
    if domain.has_many_answers() {
        let reference = &answer.reference;
        answer.differing.retain_mut(|difference| {
            let Some(outcome) = &difference.outcome else { return true };
            let fault = domain.judge(case, reference, outcome);
            difference.how = fault.as_ref().map_or(difference.how, |fault| fault.how);
            fault.is_some()
        });
    }
    answer
}
