//! Groups differences by deviation, and deviations by their cause (`causes`).

use super::causes::{Cause, Causes, Part};
use super::deviation::{DifferenceKind, Known, Seen};
use super::reduction;
use super::search::Searched;
use super::{Find, Reduction, Slow};
use crate::diagnostic::Failure;
use crate::generate::comparer::Comparer;
use std::collections::BTreeSet;
use std::mem;
use subject::{How, MutantSet};

/// The part of the budget until which the mutants that cases expose are learned.
const LEARNING: f64 = 0.75;

/// Differences, grouped by deviation.
#[derive(Default)]
pub(super) struct Groups {
    pub(super) finds: Vec<Find>,
    pub(super) slow: Vec<Slow>,
    pub(super) left_out: Vec<DifferenceKind>,
    pub(super) unsteady: Vec<DifferenceKind>,
}

impl Groups {
    /// Finds and reduces the smallest case of each deviation, for at most `most` causes.
    pub(super) fn find(
        comparer: &mut Comparer<'_>,
        searched: Searched,
        most: usize,
    ) -> Result<Self, Failure> {
        let Searched { mut seen, never_right, certified_size, .. } = searched;
        let mut groups = Self::default();
        if seen.iter().all(|case| case.kind.is_none()) {
            return Ok(groups);
        }
        learn_exposed(comparer, &mut seen)?;
        let mut known = Known { never_right, deviations: Vec::new() };
        let mut causes = Causes::default();
        let mut open: Vec<_> = seen.iter().filter(|case| case.kind.is_some()).cloned().collect();
        let mut late = BTreeSet::new();
        while let Some(next) = next(comparer, &open, &mut late).filter(|_| causes.count() < most) {
            let first = open.remove(next);
            let Some(kind) = &first.kind else { continue };
            let Some(mut reduced) = reduction::reduce(comparer, &first.draft, kind.how, &known)?
            else {
                if comparer.has_ended() {
                    open.push(first);
                    break;
                }
                open.retain(|case| case.kind.as_ref() != Some(kind));
                late.remove(&kind.how);
                groups.unsteady.push(kind.clone());
                continue;
            };
            if Some(comparer.generator.size(&reduced.draft.input)) <= certified_size {
                reduced.reduction = Reduction::Certified;
            }
            let (deviation, letters) = known.deviation(comparer, &reduced, &seen, &open)?;
            let (shown, rest): (Vec<_>, Vec<_>) =
                open.into_iter().partition(|case| known.accounts(&deviation, case));
            open = rest;
            let cases = [first].into_iter().chain(shown).map(|case| case.draft).collect();
            let cause = Cause::of(comparer, &reduced, &deviation)?;
            let part = Part { reduced, letters, cases, cause };
            let mut near = causes.near(comparer, &known, &part.all_cases(), &seen)?;
            let smaller = known.turns_into(comparer, &part.reduced, &seen)?;
            near.extend(smaller.and_then(|it| causes.far_more_often(it, part.cases.len())));
            causes.add(part, &near);
            known.deviations.push(deviation);
        }
        causes.join_near(comparer, &known, &seen)?;
        (groups.finds, groups.slow) = causes.tell();
        groups.left_out = kinds(open.into_iter().filter_map(|case| case.kind));
        groups.unsteady = kinds(mem::take(&mut groups.unsteady));
        Ok(groups)
    }
}

/// The case to reduce next, the first of `open`. If there is no time for it, the first one of each sort is reported as it is; `late` has
/// those that were.
fn next(comparer: &Comparer<'_>, open: &[Seen], late: &mut BTreeSet<How>) -> Option<usize> {
    if !comparer.out_of_time() {
        return (!open.is_empty()).then_some(0);
    }
    open.iter().position(|case| case.kind.as_ref().is_some_and(|kind| late.insert(kind.how)))
}

/// Each kind of difference once, whatever it looks like.
fn kinds(all: impl IntoIterator<Item = DifferenceKind>) -> Vec<DifferenceKind> {
    all.into_iter().map(DifferenceKind::without_look).collect::<BTreeSet<_>>().into_iter().collect()
}

fn learn_exposed(comparer: &mut Comparer<'_>, seen: &mut [Seen]) -> Result<(), Failure> {
    let drafts: Vec<_> = seen.iter().map(|case| case.draft.clone()).collect();
    let all = MutantSet::all(comparer.mutants.len());
    for (case, exposed) in seen.iter_mut().zip(comparer.exposed(&drafts, &all, LEARNING)?) {
        case.exposed = exposed;
    }
    Ok(())
}
