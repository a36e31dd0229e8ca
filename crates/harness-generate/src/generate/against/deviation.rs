//! Decides which deviation accounts for a difference.
//!
//! A deviation accounts for a difference if a mutant tells so: the case exposes the mutant, and the program differs on nearly every
//! tried case that does, more often than chance explains. (A second bug may hide the first on some cases.) If no mutant tells the
//! deviation, it accounts for what looks alike: with the same letters, the outcomes differ first, or in a later line, in the same way as
//! first on the deviation's own input (`look`). If the program is never right with some letters, a mutant tells nothing of another sort
//! of difference with these letters, and all that look alike are one deviation; if no mutant tells why, all of a sort are.

use super::evidence::Evidence;
use super::look::{later_looks, look, own_look};
use super::reduction::Reduced;
use crate::diagnostic::Failure;
use crate::domain::{Draft, Generator};
use crate::generate::comparer::{Comparer, Comparison, Discrepancy};
use std::collections::BTreeSet;
use subject::{How, MutantSet};

/// A sort of difference: the letters of the case, how the outcomes differ, and how that looks at first sight.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DifferenceKind {
    pub letters: String,
    pub how: How,
    look: String,
}

impl DifferenceKind {
    pub(super) fn of(generator: &dyn Generator, draft: &Draft, difference: &Discrepancy) -> Self {
        let (how, look) = (difference.how, own_look(generator, draft, difference));
        Self { letters: letters(draft).to_owned(), how, look }
    }

    fn timeout(draft: &Draft) -> Self {
        Self { letters: letters(draft).to_owned(), how: How::Timeout, look: String::new() }
    }

    pub(super) fn without_look(self) -> Self {
        Self { look: String::new(), ..self }
    }

    pub(super) fn is_timeout(&self) -> bool {
        self.how == How::Timeout
    }
}

/// A valid case that was tried.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) draft: Draft,
    pub(super) size: usize,
    /// `None` if the program is right on it.
    pub(super) kind: Option<DifferenceKind>,
    /// How what is wrong later looks.
    later: Vec<String>,
    /// The mutants that it exposes, if they are known.
    pub(super) exposed: Option<MutantSet>,
}

impl Seen {
    pub(super) fn new(generator: &dyn Generator, draft: Draft, comparison: &Comparison) -> Self {
        let kind = match comparison {
            Comparison::Differ(difference) => {
                Some(DifferenceKind::of(generator, &draft, difference))
            }
            _ => None,
        };
        let later = match comparison {
            Comparison::Differ(difference) => later_looks(generator, &draft, difference),
            _ => Vec::new(),
        };
        let size = generator.size(&draft.input);
        Self { draft, size, kind, later, exposed: None }
    }

    pub(super) fn exposes(&self, mutant: usize) -> bool {
        self.exposed.as_ref().is_some_and(|exposed| exposed.contains(mutant))
    }
}

/// The letters of a case's flags. Parameters after them make no other deviation.
pub(super) fn letters(draft: &Draft) -> &str {
    draft.flags.split('-').next().unwrap_or_default()
}

/// The deviations that were found so far.
pub(super) struct Known {
    /// The letters with which the program was right on no case.
    pub(super) never_right: BTreeSet<String>,
    pub(super) deviations: Vec<Deviation>,
}

/// One way in which the program differs.
pub(super) struct Deviation {
    how: How,
    letters: String,
    /// The mutant that tells it.
    mutant: Option<usize>,
    /// This mutant, if it does the same as the program on the deviation's own input.
    pub(super) resembles: Option<usize>,
    /// What shows on its own input, with any letters.
    kinds: BTreeSet<DifferenceKind>,
}

impl Known {
    /// Which of `drafts` differ in the way `how` and belong to none of these deviations. A program that is stopped early counts as
    /// one that does not end.
    pub(super) fn are_new(
        &self,
        comparer: &mut Comparer<'_>,
        drafts: &[Draft],
        comparisons: &[Comparison],
        how: How,
    ) -> Result<Vec<bool>, Failure> {
        let differing = self.differing(comparer, drafts, comparisons)?;
        let is_new = |it: Option<(DifferenceKind, Option<usize>)>| {
            it.is_some_and(|(kind, deviation)| kind.how == how && deviation.is_none())
        };
        Ok(differing.into_iter().map(is_new).collect())
    }

    /// The deviation that a reduced case turns into by one step that leaves its letters: the first that accounts for what the program
    /// then does. One that shows on most of the cases that were `seen` with these letters shows after a step by chance, too.
    pub(super) fn turns_into(
        &self,
        comparer: &mut Comparer<'_>,
        Reduced { draft, difference, .. }: &Reduced,
        seen: &[Seen],
    ) -> Result<Option<usize>, Failure> {
        // Steps on which it does not end either would take too long.
        if difference.how == How::Timeout {
            return Ok(None);
        }
        let own = letters(draft);
        let alike: Vec<_> = seen.iter().filter(|case| letters(&case.draft) == own).collect();
        let is_seldom = |deviation: &usize| {
            let accounts = |case: &&&Seen| self.accounts(&self.deviations[*deviation], case);
            2 * alike.iter().filter(accounts).count() < alike.len()
        };
        let mut steps = comparer.smaller(draft);
        steps.retain(|step| letters(step) == own);
        let comparisons = comparer.compare_quickly(&steps)?;
        let differing = self.differing(comparer, &steps, &comparisons)?;
        Ok(differing.into_iter().flatten().filter_map(|(_, deviation)| deviation).find(is_seldom))
    }

    /// The deviations that show on `drafts`: for each on which the program differs, the first that accounts for it.
    pub(super) fn shown(
        &self,
        comparer: &mut Comparer<'_>,
        drafts: &[Draft],
    ) -> Result<BTreeSet<usize>, Failure> {
        let comparisons = comparer.compare_quickly(drafts)?;
        let differing = self.differing(comparer, drafts, &comparisons)?;
        Ok(differing.into_iter().flatten().filter_map(|(_, deviation)| deviation).collect())
    }

    /// For each draft on which the program differs, in which way, and the first deviation that accounts for it.
    fn differing(
        &self,
        comparer: &mut Comparer<'_>,
        drafts: &[Draft],
        comparisons: &[Comparison],
    ) -> Result<Vec<Option<(DifferenceKind, Option<usize>)>>, Failure> {
        let mutants = self.deviations.iter().filter_map(|deviation| deviation.mutant).collect();
        let exposed = comparer.exposed(drafts, &mutants, 1.0)?;
        let generator = comparer.generator;
        let differing =
            |((draft, comparison), exposed): ((&Draft, &Comparison), Option<MutantSet>)| {
                let mut case = Seen::new(generator, draft.clone(), comparison);
                if matches!(comparison, Comparison::Slow) {
                    case.kind = Some(DifferenceKind::timeout(draft));
                }
                case.exposed = exposed;
                let kind = case.kind.clone()?;
                let accounts = |deviation: &Deviation| self.accounts(deviation, &case);
                Some((kind, self.deviations.iter().position(accounts)))
            };
        Ok(drafts.iter().zip(comparisons).zip(exposed).map(differing).collect())
    }

    /// The deviation of a reduced case, and every set of letters with which its input shows it. `open` are the differences that no
    /// other deviation accounts for. It is `told` by a mutant, if that was found out before.
    pub(super) fn deviation(
        &self,
        comparer: &mut Comparer<'_>,
        reduced: &Reduced,
        told: Option<usize>,
        seen: &[Seen],
        open: &[Seen],
    ) -> Result<(Deviation, Vec<String>), Failure> {
        let (draft, how, generator) = (&reduced.draft, reduced.difference.how, comparer.generator);
        let own = letters(draft);
        let tail = &draft.flags[own.len()..];
        let with = |letters| Draft { flags: format!("{letters}{tail}"), ..draft.clone() };
        let drafts: Vec<_> =
            comparer.under_test.tests.flag_combinations().into_iter().map(with).collect();
        let comparisons = comparer.compare_quickly(&drafts)?;
        let are_new = self.are_new(comparer, &drafts, &comparisons, how)?;
        let mut kinds = BTreeSet::from([DifferenceKind::of(generator, draft, &reduced.difference)]);
        for ((draft, comparison), _) in
            drafts.iter().zip(&comparisons).zip(are_new).filter(|it| it.1)
        {
            kinds.insert(match comparison {
                Comparison::Differ(difference) => DifferenceKind::of(generator, draft, difference),
                _ => DifferenceKind::timeout(draft),
            });
        }
        let (mutant, does_the_same) = match told {
            Some(mutant) => (Some(mutant), true),
            None => self.mutant(comparer, reduced, &kinds, seen, open)?,
        };
        let resembles = mutant.filter(|_| does_the_same);
        let letters: BTreeSet<_> = kinds.iter().map(|kind| kind.letters.clone()).collect();
        let deviation = Deviation { how, letters: own.to_owned(), mutant, resembles, kinds };
        Ok((deviation, letters.into_iter().collect()))
    }

    /// The mutant that tells the deviation of a reduced case, and whether it does on that case what the program does. Only such a mutant
    /// tells anything, unless the program is never right with these letters.
    fn mutant(
        &self,
        comparer: &mut Comparer<'_>,
        reduced: &Reduced,
        kinds: &BTreeSet<DifferenceKind>,
        seen: &[Seen],
        open: &[Seen],
    ) -> Result<(Option<usize>, bool), Failure> {
        let Reduced { draft, difference, .. } = reduced;
        let is_never_right = self.never_right.contains(letters(draft));
        let taken = self.mutants();
        let (mut alike, mut candidates) = (MutantSet::default(), MutantSet::default());
        for (mutant, its) in comparer.differences(draft)? {
            if does_the_same(difference, &its) {
                alike.insert(mutant);
            }
            if (is_never_right || alike.contains(mutant)) && !taken.contains(mutant) {
                candidates.insert(mutant);
            }
        }
        let looks_alike =
            |case: &&Seen| case.kind.as_ref().is_some_and(|kind| kinds.contains(kind));
        // If the program is never right with these letters, only a mutant for nearly all of that says more than the letters.
        let evidence = Evidence {
            seen: seen.iter().filter(|case| case.exposed.is_some()).collect(),
            open,
            alike: open.iter().filter(looks_alike).collect(),
            usual: if is_never_right { 0.9 } else { 0.5 },
        };
        let mutant = evidence.mutant(&candidates);
        Ok((mutant, mutant.is_some_and(|mutant| alike.contains(mutant))))
    }

    /// The mutants that tell these deviations.
    pub(super) fn mutants(&self) -> MutantSet {
        self.deviations.iter().filter_map(|deviation| deviation.mutant).collect()
    }

    /// Whether a deviation accounts for a difference.
    pub(super) fn accounts(&self, deviation: &Deviation, case: &Seen) -> bool {
        let Some(kind) = &case.kind else { return false };
        let is_never_right = |letters| self.never_right.contains(letters);
        let is_general = deviation.mutant.is_none()
            && kind.how == deviation.how
            && is_never_right(&kind.letters)
            && is_never_right(&deviation.letters);
        let later = |look: &String| DifferenceKind { look: look.clone(), ..kind.clone() };
        let looks_alike = deviation.kinds.contains(kind)
            || case.later.iter().any(|look| deviation.kinds.contains(&later(look)));
        // That the program differs on a case that exposes the mutant says nothing if it differs on all of them.
        let is_told = match (deviation.mutant, &case.exposed) {
            (Some(_), Some(_)) if looks_alike && is_never_right(&kind.letters) => true,
            (Some(mutant), Some(exposed)) => {
                exposed.contains(mutant)
                    && (kind.how == deviation.how || !is_never_right(&kind.letters))
            }
            _ => looks_alike,
        };
        is_general || is_told
    }
}

/// The mutants that do on a case what the program does there.
pub(super) fn alike(
    comparer: &mut Comparer<'_>,
    draft: &Draft,
    difference: &Discrepancy,
) -> Result<MutantSet, Failure> {
    let differences = comparer.differences(draft)?.into_iter();
    Ok(differences.filter(|(_, its)| does_the_same(difference, its)).map(|(it, _)| it).collect())
}

/// Whether two programs do the same wrong thing on one case. Where several answers are right, two that are wrong alike may differ.
pub(super) fn does_the_same(one: &Discrepancy, other: &Discrepancy) -> bool {
    let (a, b) = (&one.program, &other.program);
    (one.how, look(one)) == (other.how, look(other))
        && (one.how != How::Output
            || one.why.is_some()
            || (&a.stdout, &a.files) == (&b.stdout, &b.files))
}
