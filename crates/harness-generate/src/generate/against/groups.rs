//! Groups differences by deviation, and deviations by their cause (`causes`).

use super::causes::{Cause, Causes, Part};
use super::deviation::{DifferenceKind, Known, Seen};
use super::reduction::{self, Kept, Reduced};
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
            let mut first = open.remove(next);
            let Some(kind) = &first.kind else { continue };
            let kept = Kept { how: kind.how, known: &known, alike: None };
            let Some(mut reduced) = reduction::reduce(comparer, &first.draft, kept)? else {
                if comparer.has_ended() {
                    open.push(first);
                    break;
                }
                open.retain(|case| case.kind.as_ref() != Some(kind));
                late.remove(&kind.how);
                groups.unsteady.push(kind.clone());
                continue;
            };
            let Told { mutant, own } = Told::of(comparer, &known, &reduced, &seen, &open)?;
            if let Some((at, own)) = own {
                reduced = own;
                mem::swap(&mut first, &mut open[at]);
            } else if Some(comparer.generator.size(&reduced.draft.input)) <= certified_size {
                reduced.reduction = Reduction::Certified;
            }
            let (deviation, letters) = known.deviation(comparer, &reduced, mutant, &seen, &open)?;
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

/// What is known of a deviation before its cases are counted.
struct Told {
    /// The mutant that tells it beside another one, if the program has the bugs of both.
    mutant: Option<usize>,
    /// A case on which only this mutant shows, by its number among those that are open, and reduced. `None` if that was so before.
    own: Option<(usize, Reduced)>,
}

impl Told {
    fn of(
        comparer: &mut Comparer<'_>,
        known: &Known,
        reduced: &Reduced,
        seen: &[Seen],
        open: &[Seen],
    ) -> Result<Self, Failure> {
        let nothing = Self { mutant: None, own: None };
        let Some((mutant, own)) = known.one_of_two(comparer, reduced, seen, open)? else {
            return Ok(nothing);
        };
        let Some(at) = own else { return Ok(Self { mutant: Some(mutant), own: None }) };
        let Some(kind) = &open[at].kind else { return Ok(nothing) };
        let kept = Kept { how: kind.how, known, alike: Some(mutant) };
        let own = reduction::reduce(comparer, &open[at].draft, kept)?;
        Ok(own.map_or(nothing, |own| Self { mutant: Some(mutant), own: Some((at, own)) }))
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
