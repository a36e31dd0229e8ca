//! Selects the fewest cases that expose all targets, and proves that no fewer suffice: set cover by branch and bound.
//!
//! If the number of files is too small for that, it selects the cases that are worth the most points. Both searches stop after a fixed
//! number of steps, and then give a bound for the best answer.

use crate::course::Points;
use crate::domain::Draft;
use std::collections::BTreeMap;
use subject::{IndexSet, MutantSet};

/// How good a selection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// It exposes everything, and no selection from these candidates is smaller.
    ProvenFewest,
    /// It exposes everything. A selection needs at least this many files.
    AtLeast(usize),
    /// The allowed number of files does not expose everything. No selection of that size is worth more points.
    ProvenMostPoints,
    /// The allowed number of files does not expose everything. A selection of that size is worth at most this many points.
    AtMostPoints(Points),
}

/// The selected candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Their indices.
    pub chosen: Vec<usize>,
    pub quality: Quality,
}

/// The largest number of steps of a search, and the number of steps between two checks of the time.
const MOST_STEPS: u64 = 2_000_000;
const LOOK: u64 = 256;

/// Whether the budget is used.
type OutOfTime<'a> = &'a dyn Fn() -> bool;

/// Selects at most `max_files` of `candidates` that expose all of `wanted`. If it gets `out_of_time`, it proves less.
pub fn select(
    candidates: &[(Draft, MutantSet)],
    wanted: &MutantSet,
    points: &[Points],
    max_files: usize,
    out_of_time: OutOfTime<'_>,
) -> Selection {
    let sets = useful(candidates, wanted);
    let greedy = greedy(&sets, wanted);
    let (few_sets, few_wanted) = essential(&sets, wanted);
    let coverers = coverers(&few_sets, &few_wanted);
    let hardest_first = hardest_first(&coverers);
    let mut least = 0;
    let mut quality = Quality::ProvenFewest;
    let mut chosen: Option<Vec<usize>> = None;
    for count in 0..=greedy.len().min(max_files) {
        if count == greedy.len() {
            break;
        }
        let steps = Steps::new(out_of_time);
        let mut cover = Cover {
            sets: &few_sets,
            coverers: &coverers,
            hardest_first: &hardest_first,
            steps,
            chosen: Vec::new(),
        };
        match cover.within(&few_wanted, count) {
            Some(true) => {
                chosen = Some(original(&few_sets, &cover.chosen));
                break;
            }
            Some(false) => least = count + 1,
            None => {
                quality = Quality::AtLeast(least);
                break;
            }
        }
    }
    let chosen = chosen.unwrap_or_else(|| original(&sets, &greedy));
    if chosen.len() > max_files {
        return most_points(&sets, points, max_files, out_of_time);
    }
    Selection { chosen, quality }
}

/// A candidate's index, and the targets that it exposes.
type Set = (usize, MutantSet);

/// The candidates whose targets are not a subset of another candidate's, largest first.
fn useful(candidates: &[(Draft, MutantSet)], wanted: &MutantSet) -> Vec<Set> {
    let mut sets: Vec<Set> = candidates
        .iter()
        .enumerate()
        .map(|(at, (_, exposed))| (at, exposed.both(wanted)))
        .collect();
    // Of two candidates that expose the same, the shorter file is better.
    sets.sort_by_key(|(at, exposed)| {
        (std::cmp::Reverse(exposed.len()), candidates[*at].0.input.len(), *at)
    });
    largest(sets)
}

/// The sets that are not subsets of one before them.
fn largest(sets: Vec<Set>) -> Vec<Set> {
    let mut largest: Vec<Set> = Vec::new();
    for set in sets {
        if !set.1.is_empty() && !largest.iter().any(|larger| set.1.is_subset(&larger.1)) {
            largest.push(set);
        }
    }
    largest
}

/// Sets and mutants that are enough to look at: a cover of these mutants by these sets covers all of `wanted`, and no other sets would
/// cover them better.
fn essential(sets: &[Set], wanted: &MutantSet) -> (Vec<Set>, MutantSet) {
    let (mut sets, mut wanted) = (sets.to_vec(), wanted.clone());
    loop {
        let before = (sets.len(), wanted.len());
        wanted = hardest(&coverers(&sets, &wanted));
        sets.iter_mut().for_each(|(_, exposed)| *exposed = exposed.both(&wanted));
        sets.sort_by_key(|(_, exposed)| std::cmp::Reverse(exposed.len()));
        sets = largest(sets);
        if (sets.len(), wanted.len()) == before {
            return (sets, wanted);
        }
    }
}

/// The mutants that are not covered by whatever covers another one.
fn hardest(coverers: &BTreeMap<usize, IndexSet>) -> MutantSet {
    let mut hardest: Vec<(usize, &IndexSet)> = Vec::new();
    for mutant in hardest_first(coverers) {
        let covering = &coverers[&mutant];
        if !hardest.iter().any(|(_, harder)| harder.is_subset(covering)) {
            hardest.push((mutant, covering));
        }
    }
    hardest.into_iter().map(|(mutant, _)| mutant).collect()
}

fn original(sets: &[Set], chosen: &[usize]) -> Vec<usize> {
    chosen.iter().map(|&at| sets[at].0).collect()
}

/// Takes the set that covers the most of the rest, until nothing is left.
fn greedy(sets: &[Set], wanted: &MutantSet) -> Vec<usize> {
    let mut left = wanted.clone();
    let mut chosen = Vec::new();
    while !left.is_empty() {
        // `max_by_key` takes the last of several maxima; reversed, that is the first.
        let best = (0..sets.len()).rev().max_by_key(|&at| sets[at].1.count_both(&left));
        let Some(best) = best.filter(|&at| sets[at].1.count_both(&left) > 0) else { break };
        left = left.without(&sets[best].1);
        chosen.push(best);
    }
    chosen
}

/// By mutant of `wanted`, the sets that cover it.
fn coverers(sets: &[Set], wanted: &MutantSet) -> BTreeMap<usize, IndexSet> {
    let covers = |mutant| (0..sets.len()).filter(move |&at| sets[at].1.contains(mutant));
    wanted.iter().map(|mutant| (mutant, covers(mutant).collect())).collect()
}

/// The mutants, those that the fewest sets cover first.
fn hardest_first(coverers: &BTreeMap<usize, IndexSet>) -> Vec<usize> {
    let mut mutants: Vec<_> = coverers.keys().copied().collect();
    mutants.sort_by_key(|mutant| coverers[mutant].len());
    mutants
}

/// The steps of a search.
struct Steps<'a> {
    count: u64,
    out_of_time: OutOfTime<'a>,
}

impl<'a> Steps<'a> {
    fn new(out_of_time: OutOfTime<'a>) -> Self {
        Self { count: 0, out_of_time }
    }

    /// Counts a step, and says whether there are too many now.
    fn are_over(&mut self) -> bool {
        self.count += 1;
        if self.count.is_multiple_of(LOOK) && (self.out_of_time)() {
            self.count = MOST_STEPS + 1;
        }
        self.count > MOST_STEPS
    }
}

/// The search for a cover of a given size.
struct Cover<'a> {
    sets: &'a [Set],
    /// By mutant, the sets that cover it.
    coverers: &'a BTreeMap<usize, IndexSet>,
    hardest_first: &'a [usize],
    steps: Steps<'a>,
    chosen: Vec<usize>,
}

impl Cover<'_> {
    /// Whether `count` sets cover `left`. They are left in `chosen`. `None` if the search took too many steps.
    fn within(&mut self, left: &MutantSet, count: usize) -> Option<bool> {
        if left.is_empty() {
            return Some(true);
        }
        if self.steps.are_over() {
            return None;
        }
        if self.least(left) > count {
            return Some(false);
        }
        let most = self.sets.iter().map(|(_, set)| set.count_both(left)).max().unwrap_or(0);
        if most == 0 || left.len() > count * most {
            return Some(false);
        }
        // Branch on the mutant that the fewest sets cover.
        let mutant = self.hardest_first.iter().find(|&&mutant| left.contains(mutant))?;
        let mut branches: Vec<_> = self.coverers[mutant].iter().collect();
        branches.sort_by_cached_key(|&at| std::cmp::Reverse(self.sets[at].1.count_both(left)));
        for at in branches {
            self.chosen.push(at);
            if self.within(&left.without(&self.sets[at].1), count - 1)? {
                return Some(true);
            }
            self.chosen.pop();
        }
        Some(false)
    }

    /// A lower bound of the number of sets that cover `left`: so many of its mutants need a set each, because no set covers two of them.
    fn least(&self, left: &MutantSet) -> usize {
        let mut used = IndexSet::default();
        let mut count = 0;
        for mutant in self.hardest_first.iter().filter(|&&mutant| left.contains(mutant)) {
            let covering = &self.coverers[mutant];
            if covering.count_both(&used) == 0 {
                used.add_all(covering);
                count += 1;
            }
        }
        count
    }
}

/// The `max_files` candidates that are worth the most points.
fn most_points(
    sets: &[Set],
    points: &[Points],
    max_files: usize,
    out_of_time: OutOfTime<'_>,
) -> Selection {
    let worth = |set: &MutantSet| set.iter().map(|mutant| points[mutant].hundredths()).sum::<u64>();
    let mut search = MostPoints {
        sets,
        worth: &worth,
        steps: Steps::new(out_of_time),
        chosen: Vec::new(),
        best: (0, Vec::new()),
        cut_bound: 0,
    };
    search.extend(&MutantSet::default(), 0, max_files);
    let quality = if search.cut_bound > search.best.0 {
        Quality::AtMostPoints(Points::of_hundredths(search.cut_bound))
    } else {
        Quality::ProvenMostPoints
    };
    Selection { chosen: original(sets, &search.best.1), quality }
}

/// The search for the most points.
struct MostPoints<'a> {
    sets: &'a [Set],
    worth: &'a dyn Fn(&MutantSet) -> u64,
    steps: Steps<'a>,
    chosen: Vec<usize>,
    best: (u64, Vec<usize>),
    /// The most points that a skipped selection could be worth.
    cut_bound: u64,
}

impl MostPoints<'_> {
    fn extend(&mut self, covered: &MutantSet, first: usize, left: usize) {
        let value = (self.worth)(covered);
        if value > self.best.0 {
            self.best = (value, self.chosen.clone());
        }
        let mut gains: Vec<_> = (first..self.sets.len())
            .map(|at| ((self.worth)(&self.sets[at].1.without(covered)), at))
            .collect();
        gains.sort_by_key(|&(gain, at)| (std::cmp::Reverse(gain), at));
        let bound = value + gains.iter().take(left).map(|(gain, _)| gain).sum::<u64>();
        if left == 0 || bound <= self.best.0 {
            return;
        }
        if self.steps.are_over() {
            self.cut_bound = self.cut_bound.max(bound);
            return;
        }
        // In order of the sets, so that every selection is tried once.
        let mut order: Vec<usize> =
            gains.into_iter().filter(|(gain, _)| *gain > 0).map(|(_, at)| at).collect();
        order.sort_unstable();
        for at in order {
            let mut more = covered.clone();
            more.add_all(&self.sets[at].1);
            self.chosen.push(at);
            self.extend(&more, at + 1, left - 1);
            self.chosen.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn candidates(sets: &[&[usize]]) -> Vec<(Draft, MutantSet)> {
        let draft = |at: usize| Draft { flags: String::new(), input: vec![b'x'; at] };
        sets.iter()
            .enumerate()
            .map(|(at, set)| (draft(at), set.iter().copied().collect()))
            .collect()
    }

    #[test]
    fn the_fewest_are_found_where_the_greedy_choice_is_not_optimal() {
        let sets = candidates(&[&[0, 1, 2, 3], &[0, 1, 4], &[2, 3, 5]]);
        let selection = select(&sets, &MutantSet::all(6), &[Points::ONE; 6], 15, &|| false);
        assert_eq!((selection.chosen, selection.quality), (vec![1, 2], Quality::ProvenFewest));
    }

    #[test]
    fn with_too_few_files_the_most_points_are_selected() {
        let sets = candidates(&[&[0, 1, 2], &[3], &[4]]);
        let selection =
            select(&sets, &MutantSet::all(5), &[1, 1, 1, 5, 1].map(Points::whole), 2, &|| false);
        assert_eq!((selection.chosen, selection.quality), (vec![0, 1], Quality::ProvenMostPoints));
    }

    #[test]
    fn without_time_a_bound_is_given_and_no_proof() {
        // Each pair of 24 mutants: no pair is worth more than another, so no bound cuts the search.
        let pairs: Vec<[usize; 2]> = (0..24).flat_map(|a| (0..a).map(move |b| [a, b])).collect();
        let sets = candidates(&pairs.iter().map(|pair| &pair[..]).collect::<Vec<_>>());
        let selection = select(&sets, &MutantSet::all(24), &[Points::ONE; 24], 8, &|| true);
        assert_eq!(selection.chosen.len(), 8);
        assert!(
            [Quality::ProvenMostPoints, Quality::AtMostPoints(Points::whole(16))]
                .contains(&selection.quality),
            "{selection:?}"
        );
    }

    #[test]
    fn nothing_wanted_needs_no_file() {
        assert_eq!(
            select(&[], &MutantSet::default(), &[], 15, &|| false).chosen,
            Vec::<usize>::new()
        );
    }

    proptest! {
        #[test]
        fn a_selection_is_as_small_as_the_smallest_of_all_subsets(sets in prop::collection::vec(prop::collection::vec(0_usize..8, 0..4), 1..9)) {
            let sets = candidates(&sets.iter().map(Vec::as_slice).collect::<Vec<_>>());
            let mut wanted = MutantSet::default();
            sets.iter().for_each(|(_, set)| wanted.add_all(set));
            let covers = |subset: u32| {
                let mut covered = MutantSet::default();
                (0..sets.len()).filter(|at| subset >> at & 1 == 1).for_each(|at| covered.add_all(&sets[at].1));
                wanted.is_subset(&covered)
            };
            let fewest = (0..1_u32 << sets.len()).filter(|&subset| covers(subset)).map(u32::count_ones).min().unwrap();
            let selection = select(&sets, &wanted, &[Points::ONE; 8], 15, &|| false);
            prop_assert_eq!(selection.chosen.len(), fewest as usize);
            prop_assert_eq!(selection.quality, Quality::ProvenFewest);
        }
    }
}
