//! Groups differences by deviation, and deviations by their cause.
//!
//! Two deviations have one cause if the same change of the file, which leaves its meaning as it is, repairs both (`repair`). They also
//! have one if the program draws the same thing wrongly in both (`drawing`), or if one step makes the smallest case of one that shows
//! seldom a case of the other, unless each resembles another mutant.

use super::deviation::{Deviation, DifferenceKind, Known, Seen};
use super::drawing::{self, Drawing};
use super::reduction::{self, Reduced};
use super::repair::{self, Repair};
use super::search::Searched;
use super::{Find, Reduction, Slow};
use crate::diagnostic::Failure;
use crate::domain::Draft;
use crate::generate::comparer::{Comparer, Later};
use std::collections::BTreeSet;
use std::mem;
use subject::{How, MutantSet};

/// That one step leads from a deviation to another is a sign of a common cause only if the other shows on at least this many times as
/// many cases.
const SELDOM: usize = 3;

/// The part of the budget until which the mutants that cases expose are learned.
const LEARNING: f64 = 0.75;

/// Differences, grouped by deviation.
#[derive(Default)]
pub(super) struct Groups {
    pub(super) finds: Vec<Find>,
    /// What is known about the cause of each of them.
    causes: Vec<Cause>,
    /// For each of them, what a process does that has exceeded its limit.
    later: Vec<Option<Later>>,
    /// By deviation, the number of the find that has its cause.
    find_of: Vec<usize>,
    pub(super) slow: Vec<Slow>,
    pub(super) left_out: Vec<DifferenceKind>,
    pub(super) unsteady: Vec<DifferenceKind>,
}

impl Groups {
    /// Finds and reduces the smallest case of each deviation, at most `most`.
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
        let mut open: Vec<_> = seen.iter().filter(|case| case.kind.is_some()).cloned().collect();
        // The first is reported even if there is no time to reduce it.
        let mut is_first = true;
        while groups.finds.len() < most && !open.is_empty() && (is_first || !comparer.out_of_time())
        {
            is_first = false;
            let first = open.remove(0);
            let Some(kind) = &first.kind else { continue };
            let Some(mut reduced) = reduction::reduce(comparer, &first.draft, kind.how, &known)?
            else {
                if comparer.has_ended() {
                    open.push(first);
                    break;
                }
                open.retain(|case| case.kind.as_ref() != Some(kind));
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
            let cause = Cause::of(comparer, &reduced, &deviation)?;
            let smaller = known.turns_into(comparer, &reduced, &seen)?;
            let shown = [first].into_iter().chain(shown).map(|case| case.draft).collect();
            groups.add(reduced, letters, cause, smaller, shown);
            known.deviations.push(deviation);
        }
        groups.tell_slow();
        groups.left_out = kinds(open.into_iter().filter_map(|case| case.kind));
        groups.unsteady = kinds(mem::take(&mut groups.unsteady));
        Ok(groups)
    }

    /// Adds a deviation that shows on `cases` and turns into the deviation `smaller`, unless another one has the same cause. Then that
    /// shows on these cases as well.
    fn add(
        &mut self,
        reduced: Reduced,
        letters: Vec<String>,
        cause: Cause,
        smaller: Option<usize>,
        cases: Vec<Draft>,
    ) {
        let turns_into = smaller.map(|deviation| self.find_of[deviation]);
        let turns_into = turns_into.filter(|&at| {
            let is_seldom = SELDOM * cases.len() <= self.finds[at].cases.len();
            is_seldom && !self.causes[at].is_told_apart(&cause)
        });
        let is_shared = || self.causes.iter().position(|known| known.is_shared(&cause));
        let same = turns_into.or_else(is_shared);
        self.find_of.push(same.unwrap_or(self.finds.len()));
        if let Some(at) = same {
            self.finds[at].cases.extend(cases);
            return;
        }
        let Reduced { draft, difference, reduction, later } = reduced;
        self.finds.push(Find {
            draft,
            difference,
            exceeds_limit: false,
            letters,
            reduction,
            resembles: cause.resembles,
            cases,
            suspects: Vec::new(),
        });
        self.later.push(later);
        self.causes.push(cause);
    }

    /// Sets aside the finds on which the program is only slow.
    fn tell_slow(&mut self) {
        for (mut find, later) in
            mem::take(&mut self.finds).into_iter().zip(mem::take(&mut self.later))
        {
            find.exceeds_limit = later.is_some();
            match later {
                Some(Later::Right(within)) => {
                    self.slow.push(Slow { draft: find.draft, within });
                    continue;
                }
                Some(Later::Wrong(later)) => find.difference = *later,
                Some(Later::Nothing) | None => {}
            }
            self.finds.push(find);
        }
    }
}

/// What is known about why a program differs on a reduced case.
struct Cause {
    repairs: BTreeSet<Repair>,
    drawing: Option<Drawing>,
    /// The mutant that does the same.
    resembles: Option<usize>,
}

impl Cause {
    fn of(
        comparer: &mut Comparer<'_>,
        reduced: &Reduced,
        deviation: &Deviation,
    ) -> Result<Self, Failure> {
        let is_timeout = reduced.difference.how == How::Timeout;
        // Changes on which it does not end either would take too long.
        let repairs =
            if is_timeout { BTreeSet::new() } else { repair::of(comparer, &reduced.draft)? };
        Ok(Self {
            repairs,
            drawing: drawing::of(&reduced.draft, &reduced.difference),
            resembles: deviation.resembles,
        })
    }

    /// Whether it is the same as another one.
    fn is_shared(&self, other: &Self) -> bool {
        let draws_alike = self.drawing.is_some() && self.drawing == other.drawing;
        !self.repairs.is_disjoint(&other.repairs) || draws_alike && !self.is_told_apart(other)
    }

    /// Whether each resembles a mutant of its own.
    fn is_told_apart(&self, other: &Self) -> bool {
        self.resembles.is_some() && other.resembles.is_some()
    }
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
