//! Tells two bugs apart that look alike, such as two wrong numbers, by the lines that runs reach.
//!
//! A line that wrong runs reach and no right one, a *wrong line*, is that of a bug, or of what a bug leads to. Where every case of a
//! deviation reaches a wrong line, those that share none with the deviation's own case show another bug. Where some case reaches no wrong
//! line, a bug is in lines that right runs reach too. Then wrong lines do not account for what happens, and tell nothing apart.

use super::deviation::letters;
use super::suspects::{Runs, each, near, sample, wrong};
use super::{Find, Reduction};
use crate::diagnostic::Failure;
use crate::domain::Draft;
use crate::generate::comparer::{Comparer, Comparison};
use crate::run::coverage::Lines;
use std::collections::BTreeSet;
use subject::How;

/// Cases that run before the clock is looked at, and steps that are tried at the same time.
const CHUNK: usize = 64;
const FEW: usize = 8;
/// The most cases of a deviation that are looked at.
const MOST: usize = 400;

/// The lines of one deviation.
struct WrongLines {
    /// Those that right runs reach, which are none.
    right: BTreeSet<(String, usize)>,
    /// The wrong lines that the deviation's own case reaches.
    own: BTreeSet<(String, usize)>,
}

/// Tells the cases of one deviation apart.
struct Apart<'a> {
    runs: &'a Runs<'a>,
    lines: WrongLines,
}

/// What a wrong case shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shows {
    /// The bug of the deviation's own case, among others. So does a run that tells no lines, for want of another sign.
    Own,
    Other,
    /// It reaches no wrong line.
    Unknown,
}

/// Lets each find have the cases of one bug, as long as there are no more than `most`. `right` are lines that right runs reach.
///
/// # Errors
/// If one of the programs cannot be started.
pub(super) fn tell_apart(
    comparer: &mut Comparer<'_>,
    finds: &mut Vec<Find>,
    runs: &Runs<'_>,
    right: &[Lines],
    most: usize,
) -> Result<(), Failure> {
    let mut at = 0;
    while at < finds.len() && finds.len() < most {
        let find = &mut finds[at];
        at += 1;
        // A mutant that does the same tells of one bug. To look for smaller cases of a program that does not end would take too long.
        if find.difference.how != How::Timeout && find.resembles.is_none() {
            let other = other_bug(comparer, find, runs, right)?;
            finds.splice(at..at, other);
        }
    }
    Ok(())
}

/// A find for the cases of `find` that show another bug, which are then none of its own.
fn other_bug(
    comparer: &mut Comparer<'_>,
    find: &mut Find,
    runs: &Runs<'_>,
    right: &[Lines],
) -> Result<Option<Find>, Failure> {
    let wrong_lines = runs.lines(comparer, &wrong(find))?;
    let Some(mut lines) = WrongLines::of_two(right, &wrong_lines) else { return Ok(None) };
    // The cases that differ least from the deviation's own are the most alike.
    let near = near(comparer, &find.draft)?;
    lines.add_right(&runs.lines(comparer, &near)?);
    let apart = Apart { runs, lines };
    let Some(others) = apart.others(comparer, &find.cases)? else { return Ok(None) };
    let Some((first, how)) = apart.first_other(comparer, &others, None)? else { return Ok(None) };
    let (draft, reduction) = apart.reduced(comparer, first, how)?;
    let Some(difference) = comparer.confirmed(&draft, how)? else { return Ok(None) };
    let letters = apart.letters(comparer, &draft, how)?;
    let mut other = Find {
        draft,
        difference,
        letters,
        reduction,
        cases: others.clone(),
        suspects: Vec::new(),
        ..find.clone()
    };
    super::comment(comparer, &mut other)?;
    find.cases.retain(|case| !others.contains(case));
    Ok(Some(other))
}

impl WrongLines {
    /// `None` if the cases with the lines `wrong`, that of the deviation first, do not show two bugs.
    fn of_two(right: &[Lines], wrong: &[Lines]) -> Option<Self> {
        let own = places(wrong.first()?).collect();
        let mut all = Self { right: BTreeSet::new(), own };
        all.add_right(right);
        let shows: Vec<_> = wrong.iter().map(|lines| all.shows(lines)).collect();
        let are_two = !shows.contains(&Shows::Unknown) && shows.contains(&Shows::Other);
        (are_two && !all.own.is_empty()).then_some(all)
    }

    fn add_right(&mut self, right: &[Lines]) {
        self.right.extend(right.iter().flat_map(places));
        self.own = &self.own - &self.right;
    }

    fn shows(&self, lines: &Lines) -> Shows {
        let reached: BTreeSet<_> = places(lines).collect();
        let wrong = &reached - &self.right;
        if reached.is_empty() || !wrong.is_disjoint(&self.own) {
            Shows::Own
        } else if wrong.is_empty() {
            Shows::Unknown
        } else {
            Shows::Other
        }
    }
}

impl Apart<'_> {
    /// Those of `cases` that show another bug, the smallest first, if there is one. `None` if a case reaches no wrong line. Cases that
    /// are not looked at count as the deviation's own.
    fn others(
        &self,
        comparer: &Comparer<'_>,
        cases: &[Draft],
    ) -> Result<Option<Vec<Draft>>, Failure> {
        let mut others = Vec::new();
        for cases in sample(cases, MOST).chunks(CHUNK) {
            if comparer.out_of_time() {
                break;
            }
            for (case, lines) in cases.iter().zip(self.runs.lines(comparer, cases)?) {
                match self.lines.shows(&lines) {
                    Shows::Unknown => return Ok(None),
                    Shows::Other => others.push(case.clone()),
                    Shows::Own => {}
                }
            }
        }
        others.sort_by_cached_key(|case| (comparer.generator.size(&case.input), case.clone()));
        Ok(Some(others).filter(|others| !self.lines.own.is_empty() && !others.is_empty()))
    }

    /// Makes a case smaller while it shows another bug, and the program differs in the way `how`.
    fn reduced(
        &self,
        comparer: &mut Comparer<'_>,
        case: Draft,
        how: How,
    ) -> Result<(Draft, Reduction), Failure> {
        let (mut smallest, mut reduction) = (case, Reduction::OutOfTime);
        loop {
            let steps = comparer.smaller(&smallest);
            let step = self.first_other(comparer, &steps, Some(how))?;
            if comparer.out_of_time() {
                return Ok((smallest, reduction));
            }
            match step {
                Some((step, _)) => (smallest, reduction) = (step, Reduction::Partial),
                None => return Ok((smallest, Reduction::Complete)),
            }
        }
    }

    fn first_other(
        &self,
        comparer: &mut Comparer<'_>,
        drafts: &[Draft],
        how: Option<How>,
    ) -> Result<Option<(Draft, How)>, Failure> {
        for drafts in drafts.chunks(FEW) {
            if let Some(other) = self.others_among(comparer, drafts, how)?.into_iter().next() {
                return Ok(Some(other));
            }
        }
        Ok(None)
    }

    /// Those of `drafts` that show another bug, and how the program differs on them: in the way `how`, or in any but that it does not end.
    fn others_among(
        &self,
        comparer: &mut Comparer<'_>,
        drafts: &[Draft],
        how: Option<How>,
    ) -> Result<Vec<(Draft, How)>, Failure> {
        let differs = |(draft, comparison): (&Draft, Comparison)| match comparison {
            Comparison::Differ(it) if how.map_or(it.how != How::Timeout, |how| it.how == how) => {
                Some((draft.clone(), it.how))
            }
            _ => None,
        };
        let compared = comparer.compare_quickly(drafts)?;
        let wrong: Vec<_> = drafts.iter().zip(compared).filter_map(differs).collect();
        let drafts: Vec<_> = wrong.iter().map(|(draft, _)| draft.clone()).collect();
        let lines = self.runs.lines(comparer, &drafts)?;
        let tried = wrong.into_iter().zip(lines);
        let others = tried.filter(|(_, lines)| self.lines.shows(lines) == Shows::Other);
        Ok(others.map(|(case, _)| case).collect())
    }

    /// Every set of letters with which the input of `draft` shows another bug in the way `how`.
    fn letters(
        &self,
        comparer: &mut Comparer<'_>,
        draft: &Draft,
        how: How,
    ) -> Result<Vec<String>, Failure> {
        let tail = &draft.flags[letters(draft).len()..];
        let with = |letters| Draft { flags: format!("{letters}{tail}"), ..draft.clone() };
        let all = comparer.under_test.tests.flag_combinations().into_iter().map(with);
        let others = self.others_among(comparer, &all.collect::<Vec<_>>(), Some(how))?;
        let all = others.iter().map(|(draft, _)| draft).chain([draft]);
        let all: BTreeSet<_> = all.map(letters).collect();
        Ok(all.into_iter().map(str::to_owned).collect())
    }
}

fn places(lines: &Lines) -> impl Iterator<Item = (String, usize)> {
    each(lines).map(|(file, line)| (file.to_owned(), line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(lines: &[usize]) -> Lines {
        Lines::from([("a.c".to_owned(), lines.iter().copied().collect())])
    }

    /// Whether the cases with these lines seem to show two bugs, beside right cases that reach 1, 2 and 3.
    fn are_two(wrong: &[&[usize]]) -> bool {
        let wrong: Vec<_> = wrong.iter().map(|lines| run(lines)).collect();
        WrongLines::of_two(&[run(&[1, 2]), run(&[1, 3])], &wrong).is_some()
    }

    #[test]
    fn two_cases_show_two_bugs_if_they_share_no_wrong_line() {
        assert!(are_two(&[&[1, 7], &[1, 8]]));
        assert!(are_two(&[&[1, 7], &[1, 7, 8], &[1, 8]]), "the second shows both");
        assert!(!are_two(&[&[1, 7], &[1, 7, 8]]));
        assert!(!are_two(&[&[1, 2, 7, 9], &[1, 3, 8, 9]]), "9 may be the reason of both");
    }

    #[test]
    fn a_wrong_case_that_reaches_no_wrong_line_keeps_all_together() {
        assert!(!are_two(&[&[1, 7], &[1, 8], &[1, 2]]));
        assert!(!are_two(&[&[1], &[1, 8]]));
    }

    #[test]
    fn a_run_that_tells_no_lines_does_not_count() {
        assert!(are_two(&[&[1, 7], &[], &[1, 8]]));
        assert!(!are_two(&[&[], &[1, 8]]));
    }
}
