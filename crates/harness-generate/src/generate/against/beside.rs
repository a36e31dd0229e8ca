//! Finds out that a program has the bugs of two mutants, of which one shows seldom, though both look alike.

use super::deviation::{Known, Seen, alike, does_the_same};
use super::evidence::Evidence;
use super::reduction::Reduced;
use crate::diagnostic::Failure;
use crate::generate::comparer::{Comparer, Comparison, Discrepancy};
use subject::{How, MutantSet};

impl Known {
    /// A mutant that a reduced case exposes, if the program has its bug and that of another mutant: it differs on nearly all cases of
    /// both, and on one that exposes only the one, or only the other, it does the same. Also gives the number of the first mutant's such
    /// case in `open`, unless the reduced case is one.
    pub(super) fn one_of_two(
        &self,
        comparer: &mut Comparer<'_>,
        reduced: &Reduced,
        seen: &[Seen],
        open: &[Seen],
    ) -> Result<Option<(usize, Option<usize>)>, Failure> {
        // To look at cases of a program that does not end would take too long.
        if reduced.difference.how == How::Timeout {
            return Ok(None);
        }
        let seen = seen.iter().filter(|case| case.exposed.is_some()).collect();
        let evidence = Evidence { seen, open, alike: Vec::new(), usual: 0.0 };
        let taken = self.mutants();
        let all = 0..comparer.mutants.len();
        let likely: Vec<_> = all.filter(|&it| !taken.contains(it) && evidence.tells(it)).collect();
        let shown = comparer.differences(&reduced.draft)?;
        let exposed: MutantSet = shown.iter().map(|(mutant, _)| *mutant).collect();
        let is_alike = |mutant: usize| {
            let same = |(it, its): &(usize, Discrepancy)| {
                *it == mutant && does_the_same(&reduced.difference, its)
            };
            shown.iter().any(same)
        };
        for &mutant in likely.iter().filter(|&&it| exposed.contains(it)) {
            for &other in likely.iter().filter(|&&it| it != mutant) {
                let own = if is_alike(mutant) && !exposed.contains(other) {
                    Some(None)
                } else {
                    own_case(comparer, open, mutant, other)?.map(Some)
                };
                if let Some(own) = own
                    && own_case(comparer, open, other, mutant)?.is_some()
                {
                    return Ok(Some((mutant, own)));
                }
            }
        }
        Ok(None)
    }
}

/// The first of a few cases in `open` that expose a mutant and not the `other` one, on which the program does what the mutant does.
fn own_case(
    comparer: &mut Comparer<'_>,
    open: &[Seen],
    mutant: usize,
    other: usize,
) -> Result<Option<usize>, Failure> {
    const FEW: usize = 4;
    let is_own = |at: &usize| open[*at].exposes(mutant) && !open[*at].exposes(other);
    for at in (0..open.len()).filter(is_own).take(FEW) {
        let draft = &open[at].draft;
        if let Comparison::Differ(difference) = comparer.compare_patiently(draft)?
            && alike(comparer, draft, &difference)?.contains(mutant)
        {
            return Ok(Some(at));
        }
    }
    Ok(None)
}
