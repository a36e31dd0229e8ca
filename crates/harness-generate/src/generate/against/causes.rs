//! Tells which deviations have the same cause.
//!
//! Two deviations have one cause if the same change of the file, which leaves its meaning as it is, repairs both (`repair`). They also
//! have one in three other cases, unless each resembles another mutant: the program draws the same thing wrongly in both (`drawing`), one
//! is near the cases of the other (`nearness`), or one step makes the smallest case of one that shows seldom a case of the other.

use super::deviation::{Deviation, Known, Seen};
use super::drawing::{self, Drawing};
use super::nearness;
use super::reduction::Reduced;
use super::repair::{self, Repair};
use super::{Find, Slow};
use crate::diagnostic::Failure;
use crate::domain::Draft;
use crate::generate::comparer::{Comparer, Later};
use std::collections::{BTreeMap, BTreeSet};
use subject::How;

/// That one step leads from a deviation to another is a sign of a common cause only if the other shows on at least this many times as
/// many cases.
const SELDOM: usize = 3;

/// A deviation, and what is known about it.
pub(super) struct Part {
    pub(super) reduced: Reduced,
    pub(super) letters: Vec<String>,
    /// The cases on which it shows.
    pub(super) cases: Vec<Draft>,
    pub(super) cause: Cause,
}

impl Part {
    /// The smallest case, and the others. None if the program does not end, because changed cases would take too long.
    pub(super) fn all_cases(&self) -> Vec<Draft> {
        if self.reduced.difference.how == How::Timeout {
            return Vec::new();
        }
        [std::slice::from_ref(&self.reduced.draft), self.cases.as_slice()].concat()
    }
}

/// The deviations that were found, grouped by their cause.
#[derive(Default)]
pub(super) struct Causes {
    parts: Vec<Part>,
    /// For each deviation, the first one that has its cause.
    first_of: Vec<usize>,
}

impl Causes {
    pub(super) fn count(&self) -> usize {
        self.first_of.iter().collect::<BTreeSet<_>>().len()
    }

    /// Adds a deviation. The causes in `near` may be its own.
    ///
    /// If it seems to have several causes, it often shows on cases with several bugs. Those are fewer than the cases with one of them. So
    /// it is taken for a sign that two causes are one only if it shows as often as one of them.
    pub(super) fn add(&mut self, part: Part, near: &BTreeSet<usize>) {
        let new = self.parts.len();
        let often = part.cases.len();
        self.parts.push(part);
        self.first_of.push(new);
        for other in 0..new {
            let is_alone = self.first_of[new] == new;
            if self.is_same(other, new, near) && (is_alone || self.shows_on(other) <= often) {
                self.join(other, new);
            }
        }
    }

    /// Whether two deviations seem to have one cause.
    fn is_same(&self, one: usize, other: usize, near: &BTreeSet<usize>) -> bool {
        let (known, cause) = (&self.parts[one].cause, &self.parts[other].cause);
        let is_likely = near.contains(&self.first_of[one]) || known.draws_alike(cause);
        known.is_repaired_alike(cause) || is_likely && !self.are_told_apart(one, other)
    }

    /// Whether each of two deviations has a cause that resembles a mutant.
    fn are_told_apart(&self, one: usize, other: usize) -> bool {
        self.resembles(one) && self.resembles(other)
    }

    /// The cause of a deviation, if far more than `cases` show it.
    pub(super) fn far_more_often(&self, deviation: usize, cases: usize) -> Option<usize> {
        let is_seldom = SELDOM * cases <= self.shows_on(deviation);
        is_seldom.then(|| self.first_of[deviation])
    }

    /// How many cases show the cause of a deviation.
    fn shows_on(&self, deviation: usize) -> usize {
        let parts = self.parts.iter().zip(&self.first_of);
        let same = parts.filter(|(_, first)| **first == self.first_of[deviation]);
        same.map(|(part, _)| part.cases.len()).sum()
    }

    /// The causes that are near `cases`, each by its first deviation.
    pub(super) fn near(
        &self,
        comparer: &mut Comparer<'_>,
        known: &Known,
        cases: &[Draft],
        seen: &[Seen],
    ) -> Result<BTreeSet<usize>, Failure> {
        nearness::near(comparer, known, &self.first_of, cases, seen)
    }

    /// Joins the causes of which one is near all the cases of the other, until there are none.
    pub(super) fn join_near(
        &mut self,
        comparer: &mut Comparer<'_>,
        known: &Known,
        seen: &[Seen],
    ) -> Result<(), Failure> {
        let mut open: BTreeSet<usize> = self.first_of.iter().copied().collect();
        while let Some(cause) = open.pop_last() {
            let parts = (0..self.parts.len()).filter(|&it| self.first_of[it] == cause);
            let cases: Vec<_> = parts.flat_map(|it| self.parts[it].all_cases()).collect();
            for other in self.near(comparer, known, &cases, seen)? {
                if other != cause && !self.are_told_apart(other, cause) {
                    self.join(other, cause);
                    open.remove(&cause.max(other));
                    open.insert(cause.min(other));
                }
            }
        }
        Ok(())
    }

    /// Whether a deviation with this one's cause does the same as a mutant.
    fn resembles(&self, deviation: usize) -> bool {
        let mut parts = self.parts.iter().zip(&self.first_of);
        parts.any(|(part, first)| {
            *first == self.first_of[deviation] && part.cause.resembles.is_some()
        })
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first_of[one], self.first_of[other]);
        for first in &mut self.first_of {
            if *first == one.max(other) {
                *first = one.min(other);
            }
        }
    }

    /// A find for each cause: its first deviation, with the cases of all of them. Those on which the program is only slow come apart.
    pub(super) fn tell(self) -> (Vec<Find>, Vec<Slow>) {
        let mut by_first: BTreeMap<usize, Vec<Part>> = BTreeMap::new();
        for (part, first) in self.parts.into_iter().zip(self.first_of) {
            by_first.entry(first).or_default().push(part);
        }
        let (mut finds, mut slow) = (Vec::new(), Vec::new());
        for mut parts in by_first.into_values() {
            let others = parts.split_off(1);
            let Some(Part { reduced, letters, mut cases, cause }) = parts.pop() else { continue };
            cases.extend(others.into_iter().flat_map(|part| part.cases));
            let Reduced { draft, mut difference, reduction, later } = reduced;
            let exceeds_limit = later.is_some();
            match later {
                Some(Later::Right(within)) => {
                    slow.push(Slow { draft, within });
                    continue;
                }
                Some(Later::Wrong(later)) => difference = *later,
                Some(Later::Nothing) | None => {}
            }
            finds.push(Find {
                draft,
                difference,
                exceeds_limit,
                letters,
                reduction,
                resembles: cause.resembles,
                cases,
                suspects: Vec::new(),
            });
        }
        (finds, slow)
    }
}

/// What is known about why a program differs on a reduced case.
#[derive(Default)]
pub(super) struct Cause {
    repairs: BTreeSet<Repair>,
    drawing: Option<Drawing>,
    /// The mutant that does the same.
    resembles: Option<usize>,
}

impl Cause {
    pub(super) fn of(
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

    /// Whether one change repairs both.
    fn is_repaired_alike(&self, other: &Self) -> bool {
        !self.repairs.is_disjoint(&other.repairs)
    }

    fn draws_alike(&self, other: &Self) -> bool {
        self.drawing.is_some() && self.drawing == other.drawing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::against::Reduction;
    use crate::generate::comparer::Discrepancy;
    use subject::{End, Outcome};

    /// A deviation that shows on so many cases, with the index of a mutant that does the same.
    fn part(cases: usize, resembles: Option<usize>) -> Part {
        let draft = Draft { flags: String::new(), input: Vec::new() };
        let outcome = Outcome {
            end: End::Exit(0),
            stdout: Vec::new(),
            stderr: Vec::new(),
            files: BTreeMap::new(),
        };
        let difference =
            Discrepancy { how: How::Exit, why: None, reference: outcome.clone(), program: outcome };
        let reduction = Reduction::Complete;
        Part {
            cases: vec![draft.clone(); cases],
            reduced: Reduced { draft, difference, reduction, later: None },
            letters: Vec::new(),
            cause: Cause { resembles, ..Cause::default() },
        }
    }

    /// How often each cause shows, if each deviation is near those that are given with it.
    fn causes(deviations: &[(usize, Option<usize>, &[usize])]) -> Vec<usize> {
        let mut causes = Causes::default();
        for (cases, resembles, near) in deviations {
            causes.add(part(*cases, *resembles), &near.iter().copied().collect());
        }
        causes.tell().0.iter().map(|find| find.cases.len()).collect()
    }

    #[test]
    fn a_deviation_that_seems_to_have_two_causes_joins_them_only_if_it_shows_often() {
        assert_eq!(causes(&[(9, None, &[]), (8, None, &[]), (2, None, &[0, 1])]), [11, 8]);
        assert_eq!(causes(&[(9, None, &[]), (3, None, &[]), (4, None, &[0, 1])]), [16]);
    }

    #[test]
    fn deviations_that_each_resemble_a_mutant_have_two_causes() {
        assert_eq!(causes(&[(9, Some(1), &[]), (2, Some(2), &[0])]), [9, 2]);
        assert_eq!(causes(&[(9, Some(1), &[]), (2, None, &[0]), (1, Some(2), &[0])]), [11, 1]);
    }
}
