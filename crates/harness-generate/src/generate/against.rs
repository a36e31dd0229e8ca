//! Finds tests on which a program differs from the reference: one for each deviation, or for deviations with the same cause.
//!
//! A *deviation* is one way in which the program differs. First, a search tries plain tests only. Then the differences are
//! grouped: the smallest is reduced, everything that the same deviation accounts for is set aside, and the smallest of the rest
//! is the next. Last come forms of a file that the assignment's document does not promise.
//!
//! The comparer starts the program for each plain case, `against/search` remembers what differs, `against/groups` has the smallest
//! difference reduced and sets aside what its deviation accounts for (`against/deviation`), until none is left; `against/formatting`
//! comes last. Which differences have the same cause is told by the mutants that a case exposes (`against/evidence`), by what repairs a
//! case (`against/repair`), by what is drawn wrongly (`against/drawing`) and by what a change of a case leads to (`against/nearness`).
//! `against/causes` puts these signs together. `against/look` says which differences look alike, and `against/crash` reads error messages.
//! `against/suspects` says where the program is wrong. If that is at two places, `against/apart` makes two deviations of one.

mod apart;
mod beside;
mod causes;
mod crash;
mod deviation;
mod drawing;
mod evidence;
mod formatting;
mod groups;
mod look;
mod nearness;
mod reduction;
mod repair;
mod search;
mod suspects;

pub use deviation::DifferenceKind;
pub use formatting::Formatting;
pub use suspects::{Runs, Suspect, locate};

use super::comparer::{Comparer, Discrepancy};
use crate::diagnostic::Failure;
use crate::diagnostic::progress::Progress;
use crate::domain::Draft;
use deviation::Seen;
use groups::Groups;
use search::Search;
use std::mem;
use std::time::Duration;
use subject::How;

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The seed of random cases.
    pub seed: u64,
    /// Every plain case up to this size is tried. Without it, the first few thousand are tried.
    pub size: Option<usize>,
    /// The largest number of deviations to look for.
    pub max_files: usize,
}

/// How far a case was reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Every smaller plain case was tried.
    Certified,
    /// Every single step was tried.
    Complete,
    /// Time ran out after some steps.
    Partial,
    /// Time ran out before the first step worked.
    OutOfTime,
    /// The program was stopped early on a smaller case, but ended when it got more time.
    Unconfirmed,
}

/// The smallest known case of a deviation.
#[derive(Clone, Debug)]
pub struct Find {
    pub draft: Draft,
    /// What both did on it.
    pub difference: Discrepancy,
    /// Whether a process of the program exceeds its limit, whatever it does later.
    pub exceeds_limit: bool,
    /// Every set of letters with which the program differs like this on the same input.
    pub letters: Vec<String>,
    pub reduction: Reduction,
    /// The index of a mutant such that the program differs on nearly every tried case that exposes it, and does the same on this one.
    pub resembles: Option<usize>,
    /// Other cases on which it shows, the smallest first.
    pub cases: Vec<Draft>,
    /// Where the program is wrong, the most suspicious lines first. Only [`locate`] finds out.
    pub suspects: Vec<Suspect>,
}

/// A case on which the program is right, but takes more than its time.
#[derive(Clone, Debug)]
pub struct Slow {
    pub draft: Draft,
    /// The time within which it ended.
    pub within: Duration,
}

/// The result of a search.
#[derive(Debug, Default)]
pub struct Found {
    /// A find for each cause, in the order in which they were found: the smallest first.
    pub finds: Vec<Find>,
    /// Differences that were not looked into, because there was no file or no time left.
    pub left_out: Vec<DifferenceKind>,
    /// Differences that did not show when their cases were tried again.
    pub unsteady: Vec<DifferenceKind>,
    pub slow: Vec<Slow>,
    /// Differences in forms that the document does not promise.
    pub formatting: Vec<Formatting>,
    /// Cases on which the program is right, the smallest first.
    pub right: Vec<Draft>,
    /// How many cases that differ were told apart.
    pub told_apart: usize,
    /// The largest size up to which every plain case was tried; `None` if there is none.
    pub size: Option<usize>,
    pub counts: Counts,
    /// Whether the budget was exhausted first.
    pub out_of_time: bool,
}

/// The numbers of valid cases that were tried.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub small: u64,
    pub random: u64,
    /// Those beside these that are not valid.
    pub invalid: u64,
    /// Those on which the program differs.
    pub differing: u64,
    /// Those on which the program used up its time.
    pub timeouts: u64,
    /// Those on which the program was stopped early, so that its answer is unknown.
    pub stopped: u64,
}

impl Counts {
    pub fn all(&self) -> u64 {
        self.small + self.random
    }

    /// Whether the program was right on none of them. It may belong to another assignment.
    pub fn none_is_right(&self) -> bool {
        self.all() > 0 && self.differing + self.timeouts + self.stopped == self.all()
    }
}

/// Searches for cases on which the program differs from the reference. Processes confirm each find. If one does not, the engine of the
/// program has misled the whole search, so that it is repeated by processes. Each find has a comment, which says what it tests.
///
/// # Errors
/// If one of them cannot be started.
pub fn against(comparer: &mut Comparer<'_>, options: &Options) -> Result<Found, Failure> {
    loop {
        let is_by_process = comparer.is_by_process();
        let (found, smallest) = found(comparer, options)?;
        let (mut found, is_confirmed) = confirmed(comparer, found)?;
        if found.finds.is_empty() && comparer.has_ended() {
            found.finds.extend(smallest);
        }
        if is_confirmed || is_by_process || comparer.out_of_time() {
            for find in &mut found.finds {
                comment(comparer, find)?;
            }
            return Ok(found);
        }
    }
}

/// What processes confirm, as they do it, and whether that is all. What they do not confirm is not steady.
fn confirmed(comparer: &mut Comparer<'_>, mut found: Found) -> Result<(Found, bool), Failure> {
    let (finds, formatting) = (mem::take(&mut found.finds), mem::take(&mut found.formatting));
    let all = finds.len() + formatting.len();
    for find in finds {
        if find.exceeds_limit {
            found.finds.push(find);
            continue;
        }
        if let Some(difference) = comparer.confirmed(&find.draft, find.difference.how)? {
            found.finds.push(Find { difference, ..find });
            continue;
        }
        // What no time was left for may well recur.
        let kinds = if comparer.has_ended() { &mut found.left_out } else { &mut found.unsteady };
        kinds.push(DifferenceKind::of(comparer.generator, &find.draft, &find.difference));
    }
    for form in formatting {
        if let Some(difference) = comparer.confirmed(&form.draft, form.difference.how)? {
            found.formatting.push(Formatting { difference, ..form });
        }
    }
    let is_confirmed = found.finds.len() + found.formatting.len() == all;
    Ok((found, is_confirmed))
}

/// Adds a comment that says what the find tests, unless the program then differs in another way.
fn comment(comparer: &mut Comparer<'_>, find: &mut Find) -> Result<(), Failure> {
    let comment = comparer.generator.describe(&find.draft, &find.difference.reference.stdout);
    // A comment is not worth another run of a program that does not finish. If the program is right on it, the comment is why, and not the
    // engine, which never ran this case.
    if !find.exceeds_limit
        && let Some(draft) = comparer.generator.commented(&find.draft, &comment)
        && let Some(difference) = comparer.difference_of_process(&draft, find.difference.how)?
    {
        (find.draft, find.difference) = (draft, difference);
    }
    Ok(())
}

/// What is found, and the smallest difference before it is reduced.
fn found(comparer: &mut Comparer<'_>, options: &Options) -> Result<(Found, Option<Find>), Failure> {
    let progress = Progress::of_cases("looking for a difference");
    let searched = Search::new(comparer, options).run(comparer, &progress)?;
    let smallest = smallest(comparer, searched.seen.iter())?.or(searched.first.clone());
    let formatting = formatting::differences(comparer, &searched.seen)?;
    progress.say("reducing");
    let (size, counts) = (searched.size, searched.counts);
    let mut out_of_time = searched.out_of_time;
    let is_right = |case: &&Seen| case.kind.is_none();
    let right = searched.seen.iter().filter(is_right).map(|case| case.draft.clone()).collect();
    let told_apart = searched.seen.iter().filter(|case| case.kind.is_some()).count();
    let groups = Groups::find(comparer, searched, options.max_files)?;
    out_of_time |= comparer.out_of_time();
    let mut found = Found {
        finds: groups.finds,
        left_out: groups.left_out,
        unsteady: groups.unsteady,
        slow: groups.slow,
        formatting,
        right,
        told_apart,
        size,
        counts,
        out_of_time,
    };
    if found.slow.is_empty() || found.finds.iter().any(|find| find.difference.how == How::Timeout) {
        found.counts.differing += found.counts.timeouts;
    } else {
        found.counts.stopped += found.counts.timeouts;
    }
    found.counts.timeouts = 0;
    Ok((found, smallest))
}

/// The smallest case on which a process of the program differs and ends. It is known before anything else is done, so that a search
/// that finds a difference has a test for it, however little time is left.
fn smallest<'a>(
    comparer: &mut Comparer<'_>,
    seen: impl Iterator<Item = &'a Seen>,
) -> Result<Option<Find>, Failure> {
    let ends = |case: &&Seen| case.kind.as_ref().is_some_and(|kind| !kind.is_timeout());
    let smallest = seen.filter(ends).min_by_key(|case| (case.size, &case.draft));
    let Some(Seen { draft, kind: Some(kind), .. }) = smallest else {
        return Ok(None);
    };
    let difference = comparer.difference_of_process(draft, kind.how)?;
    Ok(difference.map(|difference| Find {
        draft: draft.clone(),
        difference,
        exceeds_limit: false,
        letters: vec![kind.letters.clone()],
        reduction: Reduction::OutOfTime,
        resembles: None,
        cases: vec![draft.clone()],
        suspects: Vec::new(),
    }))
}
