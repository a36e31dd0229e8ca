//! Tells which deviations are near the cases of another one.
//!
//! A bug shows in several ways, and a small change of a case leads from one of them to another. But where a deviation shows often, a change
//! leads to it from any case. So the cases of a deviation are compared with right ones of about the same size: a deviation is *near* only
//! if a change leads to it from most of the cases, and from hardly any right one. There are three sorts of changes, each compared on its
//! own: other letters for the same input, one step that makes the input smaller, and a random change of it. Their number is fixed, so that
//! a fast program is not told more than a slow one.

use super::deviation::{Known, Seen, letters};
use super::suspects::sample;
use crate::diagnostic::Failure;
use crate::domain::Draft;
use crate::generate::comparer::Comparer;
use fastrand::Rng;
use std::collections::{BTreeMap, BTreeSet};

/// The most cases of a deviation that are tried, the smallest ones, and the most right cases. On large ones, a change does more by chance.
const CASES: usize = 10;
const CONTROLS: usize = 20;
/// The most changes of each sort that are tried on a case.
const CHANGES: usize = 12;
/// A change leads to a deviation that is near from more than this share of the cases, and from at most this share of the right cases.
const MOST: f64 = 2.0 / 3.0;
const HARDLY_ANY: f64 = 0.1;

/// How the cases near another one are made.
#[derive(Clone, Copy)]
enum Change {
    Letters,
    Smaller,
    Random,
}

/// The groups of deviations that are near `cases`. `group_of` has the group of each deviation in `known`, and `seen` the right cases.
///
/// # Errors
/// If the reference or the program cannot be started.
pub(super) fn near(
    comparer: &mut Comparer<'_>,
    known: &Known,
    group_of: &[usize],
    cases: &[Draft],
    seen: &[Seen],
) -> Result<BTreeSet<usize>, Failure> {
    let mut cases = cases.to_vec();
    cases.sort_by_cached_key(|it| (comparer.generator.size(&it.input), it.clone()));
    cases.dedup();
    cases.truncate(CASES);
    let controls = controls(comparer, &cases, seen);
    let mut near = BTreeSet::new();
    for change in [Change::Letters, Change::Smaller, Change::Random] {
        let mut shares = shares(comparer, known, group_of, &cases, change)?;
        shares.retain(|_, share| *share > MOST);
        if shares.is_empty() || controls.is_empty() {
            continue;
        }
        let by_chance = self::shares(comparer, known, group_of, &controls, change)?;
        shares.retain(|group, _| by_chance.get(group).is_none_or(|share| *share <= HARDLY_ANY));
        near.extend(shares.into_keys());
    }
    Ok(near)
}

/// Right cases with the letters of `cases` and the nearest sizes.
fn controls(comparer: &Comparer<'_>, cases: &[Draft], seen: &[Seen]) -> Vec<Draft> {
    let for_each = CONTROLS.div_ceil(cases.len().max(1));
    let mut controls = BTreeSet::new();
    for case in cases {
        let size = comparer.generator.size(&case.input);
        let is_alike = |it: &&Seen| it.kind.is_none() && letters(&it.draft) == letters(case);
        let mut right: Vec<_> = seen.iter().filter(is_alike).collect();
        right.sort_by_key(|it| it.size.abs_diff(size));
        let new = right.into_iter().map(|it| it.draft.clone());
        let new: Vec<_> = new.filter(|draft| !controls.contains(draft)).take(for_each).collect();
        controls.extend(new);
    }
    controls.into_iter().collect()
}

/// The share of `drafts` from which a change leads to each group.
fn shares(
    comparer: &mut Comparer<'_>,
    known: &Known,
    group_of: &[usize],
    drafts: &[Draft],
    change: Change,
) -> Result<BTreeMap<usize, f64>, Failure> {
    let mut shares = BTreeMap::new();
    for draft in drafts {
        let shown = known.shown(comparer, &changed(comparer, draft, change))?;
        for group in shown.into_iter().map(|it| group_of[it]).collect::<BTreeSet<_>>() {
            *shares.entry(group).or_default() += 1.0 / drafts.len() as f64;
        }
    }
    Ok(shares)
}

/// Changes of `draft`, of its letters or of the rest.
fn changed(comparer: &Comparer<'_>, draft: &Draft, change: Change) -> Vec<Draft> {
    let (own, rules) = (letters(draft), &comparer.under_test.tests);
    match change {
        Change::Letters => {
            let tail = &draft.flags[own.len()..];
            let others = rules.flag_combinations().into_iter().filter(|it| it != own);
            let with = |it| Draft { flags: format!("{it}{tail}"), input: draft.input.clone() };
            sample(&others.map(with).collect::<Vec<_>>(), CHANGES)
        }
        Change::Smaller => {
            let mut steps = comparer.smaller(draft);
            steps.retain(|step| letters(step) == own);
            sample(&steps, CHANGES)
        }
        Change::Random => {
            let (generator, mut rng) = (comparer.generator, Rng::with_seed(0));
            let neighbours = (0..CHANGES).map(|_| generator.neighbour(draft, rules, &mut rng));
            let others = neighbours
                .map(|it| {
                    let flags = format!("{own}{}", &it.flags[letters(&it).len()..]);
                    generator.plain(&Draft { flags, input: it.input })
                })
                .filter(|it| comparer.under_test.fit(generator, it).as_ref() == Some(it));
            others.collect::<BTreeSet<_>>().into_iter().collect()
        }
    }
}
