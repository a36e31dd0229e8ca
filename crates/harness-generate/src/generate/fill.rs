//! Uses the files that are left: adds cases that expose each mutant again, in different ways, the hardest mutants first.
//!
//! A real bug resembles a mutant, but not on every case that exposes the mutant. Those who test hardware detect each fault several
//! times, by tests that differ, and call it n-detection (Pomeranz and Reddy, "Definitions of the numbers of detections of target
//! faults", IEEE TCAD 2001).

use super::evaluator::{Batch, Evaluator, exposing, in_batches};
use super::sample::Broad;
use super::seeds::mixed;
use crate::diagnostic::Failure;
use crate::domain::{Draft, TestRules};
use fastrand::Rng;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::cmp::Reverse;
use std::collections::binary_heap::PeekMut;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use subject::wire::MutantSet;

/// The number of cases to choose from, including those that expose nothing.
pub(super) const CASES: usize = 96 * BATCH;
/// The number of cases in a batch.
const BATCH: usize = 64;
/// A case on which the reference takes more steps is left out: it takes the time of many others.
const MOST_STEPS: u64 = 1_000;
/// Each mutant is exposed so often first, if possible, before cases are taken for other reasons.
pub(super) const FIRST: usize = 2;
/// Cases that are looked at to exchange them.
const MOST_EXCHANGES: usize = 200;
/// A mutant is easy if one of so many cases exposes it. It is exposed again by whatever is added, so it does not run.
const EASY: usize = 4;

/// A case, and the targets that it exposes.
type Exposing = (Draft, MutantSet);

/// What to fill up.
pub(super) struct Suite<'a> {
    /// The files that there are.
    pub(super) files: &'a [Draft],
    /// Cases that expose targets, whose neighbours are tried.
    pub(super) known: &'a [(Draft, MutantSet)],
    /// Cases that the search tried. Only as many are made as are missing.
    pub(super) tried: Broad,
    /// How many files may be added.
    pub(super) left: usize,
}

/// At most as many cases as are left, which together with the files of `suite` expose each of `targets` in many ways.
///
/// # Errors
/// If a worker cannot be started.
pub(super) fn fill(
    evaluator: &mut Evaluator<'_>,
    suite: Suite<'_>,
    targets: &MutantSet,
    seed: u64,
) -> Result<Vec<Draft>, Failure> {
    if suite.left == 0 || suite.files.is_empty() || evaluator.out_of_time() {
        return Ok(Vec::new());
    }
    let files = in_batches(suite.files);
    let make = |at: usize| Batch::new(files[at].to_vec(), targets);
    let exposing_of = |_, drafts: Vec<_>, answers: Vec<_>| exposing(&drafts, &answers);
    let files = evaluator.sweep(files.len(), make, exposing_of)?;
    let mut of_files = Detections::new(&[]);
    files.iter().flatten().for_each(|file| of_files.add(file));
    if of_files.are_all(targets, &evaluator.assignment.tests) {
        return Ok(Vec::new());
    }
    let hard = hard(&suite.tried, targets);
    let mut candidates = candidates(evaluator, suite.known, suite.tried, &hard, seed)?;
    candidates
        .extend(suite.known.iter().map(|(draft, exposed)| (draft.clone(), exposed.both(targets))));
    let mut seen: BTreeSet<_> = suite.files.iter().cloned().collect();
    candidates.retain(|(draft, _)| seen.insert(draft.clone()));
    let mut detections = Detections::new(&candidates);
    files.iter().flatten().for_each(|file| detections.add(file));
    let mut taken = take(&candidates, suite.left, &mut detections);
    exchange(&candidates, &of_files.counts, &mut taken);
    Ok(taken.into_iter().map(|at| candidates[at].0.clone()).collect())
}

/// Those of `targets` that are not easy, or all if every one is.
fn hard(tried: &Broad, targets: &MutantSet) -> MutantSet {
    let counts = counts(&tried.exposing);
    let is_easy =
        |mutant: &usize| counts.get(mutant).is_some_and(|count| count * EASY > tried.count);
    let hard: MutantSet = targets.iter().filter(|mutant| !is_easy(mutant)).collect();
    if hard.is_empty() { targets.clone() } else { hard }
}

/// How many of the cases expose each mutant.
fn counts(cases: &[Exposing]) -> BTreeMap<usize, usize> {
    let mut counts = BTreeMap::new();
    let exposed = cases.iter().flat_map(|(_, exposed)| exposed.iter());
    exposed.for_each(|mutant| *counts.entry(mutant).or_default() += 1);
    counts
}

/// The candidates that add the most, one after the other. Of several that add the same, the first is taken.
fn take(candidates: &[Exposing], count: usize, detections: &mut Detections) -> Vec<usize> {
    // What each added when that was last computed.
    let gains = candidates.iter().map(|candidate| detections.worth(candidate));
    let mut best: BinaryHeap<_> = gains.zip((0..candidates.len()).map(Reverse)).collect();
    let mut taken = Vec::new();
    while taken.len() < count
        && let Some(mut first) = best.peek_mut().filter(|first| first.0 > (0, 0))
    {
        let at = first.1.0;
        let candidate = &candidates[at];
        let gain = detections.worth(candidate);
        if gain < first.0 {
            // No gain grows when a candidate is taken, so those below stay below.
            first.0 = gain;
        } else {
            PeekMut::pop(first);
            detections.add(candidate);
            taken.push(at);
        }
    }
    taken
}

/// Exchanges a case that was taken for another one, as long as more mutants are exposed [`FIRST`] times. `of_files` says how often files
/// expose each mutant without these cases.
fn exchange(candidates: &[Exposing], of_files: &BTreeMap<usize, usize>, taken: &mut [usize]) {
    let mut all = MutantSet::default();
    candidates.iter().for_each(|(_, exposed)| all.add_all(exposed));
    let mut unchanged = 0;
    for slot in (0..taken.len()).cycle().take(MOST_EXCHANGES) {
        let others = || taken.iter().enumerate().filter(|(at, _)| *at != slot);
        let count = |mutant: usize| {
            let by_others = others().filter(|(_, it)| candidates[**it].1.contains(mutant)).count();
            of_files.get(&mutant).copied().unwrap_or(0) + by_others
        };
        let rare: MutantSet = all.iter().filter(|&mutant| count(mutant) < FIRST).collect();
        let value = |at: usize| candidates[at].1.count_both(&rare);
        let free = (0..candidates.len()).filter(|at| !taken.contains(at));
        match free.max_by_key(|&at| (value(at), Reverse(at))) {
            Some(best) if value(best) > value(taken[slot]) => {
                taken[slot] = best;
                unchanged = 0;
            }
            _ => unchanged += 1,
        }
        if unchanged == taken.len() {
            break;
        }
    }
}

/// The cases that were tried, and more: random cases and neighbours of `known`, as many of the one as of the other, as far as they
/// expose a target.
fn candidates(
    evaluator: &mut Evaluator<'_>,
    known: &[Exposing],
    tried: Broad,
    targets: &MutantSet,
    seed: u64,
) -> Result<Vec<Exposing>, Failure> {
    let (generator, rules) = (evaluator.generator, &evaluator.rules.clone());
    let most_steps = evaluator.at_least_steps(MOST_STEPS);
    let search = evaluator.programs.work().search.clone();
    let make = |at| {
        // The search began with the same seed.
        let mut rng = Rng::with_seed(mixed(!seed, at as u64));
        let mut bytes = [0; 32];
        rng.fill(&mut bytes);
        let source = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let mut runner = TestRunner::new_with_rng(Config::default(), source);
        let draft = |number: usize| match rng.choice(known).filter(|_| number.is_multiple_of(2)) {
            Some((known, _)) => generator.neighbour(known, rules, &mut rng),
            None => generator.sample(rules, &mut runner),
        };
        let drafts = (0..BATCH).map(draft).take_while(|_| !search.is_over()).collect();
        Batch { most_steps, ..Batch::new(drafts, targets) }
    };
    let batches = CASES.saturating_sub(tried.count).div_ceil(BATCH);
    let found = evaluator.sweep(batches, make, |_, drafts, answers| exposing(&drafts, &answers))?;
    let tried = tried.exposing.into_iter().map(|(draft, exposed)| (draft, exposed.both(targets)));
    let tried = tried.filter(|(_, exposed)| !exposed.is_empty());
    Ok(tried.chain(found.into_iter().flatten()).collect())
}

/// How often each mutant is exposed, and in which ways: with which flags, and together with which other mutants.
struct Detections {
    /// By mutant. A mutant that few candidates expose weighs more.
    weights: BTreeMap<usize, f64>,
    counts: BTreeMap<usize, usize>,
    flags: BTreeMap<usize, BTreeSet<String>>,
    others: BTreeMap<usize, MutantSet>,
}

impl Detections {
    /// None yet.
    fn new(candidates: &[Exposing]) -> Self {
        let weight = |(mutant, count)| (mutant, f64::from(count as u32).sqrt().recip());
        Self {
            weights: counts(candidates).into_iter().map(weight).collect(),
            counts: BTreeMap::new(),
            flags: BTreeMap::new(),
            others: BTreeMap::new(),
        }
    }

    fn add(&mut self, (draft, exposed): &Exposing) {
        for mutant in exposed.iter() {
            *self.counts.entry(mutant).or_default() += 1;
            self.flags.entry(mutant).or_default().insert(draft.flags.clone());
            self.others.entry(mutant).or_default().add_all(exposed);
        }
    }

    /// Whether each of `targets` is exposed in every way.
    fn are_all(&self, targets: &MutantSet, rules: &TestRules) -> bool {
        let flags: BTreeSet<_> = rules.flag_combinations().into_iter().collect();
        let has_all = |mutant| {
            let (with, along) = (self.flags.get(&mutant), self.others.get(&mutant));
            with.is_some_and(|with| flags.is_subset(with))
                && along.is_some_and(|along| targets.is_subset(along))
        };
        rules.parameters.is_empty() && targets.iter().all(has_all)
    }

    /// What a case adds: first to the mutants that are exposed less than [`FIRST`] times, and then in all. A mutant that it exposes in a
    /// new way counts twice. Positive numbers have the order of their bits.
    fn worth(&self, candidate: &Exposing) -> (usize, u64) {
        let is_rare = |mutant: &usize| self.counts.get(mutant).is_none_or(|count| *count < FIRST);
        let rare = candidate.1.iter().filter(is_rare);
        let rare = rare.map(|mutant| if self.new_ways(mutant, candidate) > 0 { 2 } else { 1 });
        (rare.sum(), self.gain(candidate).to_bits())
    }

    /// What a case adds to the ways in which mutants are exposed. Each time that a mutant is exposed is worth half of the time before, as
    /// far as the way is new.
    fn gain(&self, candidate: &Exposing) -> f64 {
        let exposed = &candidate.1;
        let gain = |mutant| {
            let count = self.counts.get(&mutant).copied().unwrap_or(0);
            let weight = self.weights.get(&mutant).copied().unwrap_or(0.0);
            let new = self.new_ways(mutant, candidate) as f64;
            weight * 0.5_f64.powi(count as i32) * new / (exposed.len() + 1) as f64
        };
        exposed.iter().map(gain).sum()
    }

    /// The number of ways that are new in which a case exposes a mutant: its flags, and each mutant that it exposes together with it.
    fn new_ways(&self, mutant: usize, (draft, exposed): &Exposing) -> usize {
        let has_flags = self.flags.get(&mutant).is_some_and(|flags| flags.contains(&draft.flags));
        let known = self.others.get(&mutant).map_or(0, |others| exposed.count_both(others));
        exposed.len() - known + usize::from(!has_flags)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutant_that_hangs_on_one_file_is_exposed_again_before_the_others() {
        let case = |number: u8, exposed: &[usize]| {
            let draft = Draft { flags: String::new(), input: vec![number] };
            (draft, exposed.iter().copied().collect::<MutantSet>())
        };
        // Mutant 3 hangs on one file. The others are exposed twice, and a case exposes them in a new way.
        let files =
            [case(0, &[0, 1, 2, 3]), case(1, &[0, 1, 2, 4]), case(2, &[4, 5]), case(3, &[5])];
        let candidates = [case(4, &[0, 1, 2, 4, 5]), case(5, &[3])];
        let mut detections = Detections::new(&candidates);
        files.iter().for_each(|file| detections.add(file));
        assert_eq!(take(&candidates, 1, &mut detections), [1]);
    }

    #[test]
    fn a_case_that_was_taken_first_is_exchanged_if_others_expose_more_together() {
        let case = |number: u8, exposed: &[usize]| {
            let draft = Draft { flags: String::new(), input: vec![number] };
            (draft, exposed.iter().copied().collect::<MutantSet>())
        };
        // The first is the largest, but the other two expose everything.
        let candidates = [case(0, &[0, 1, 3, 4]), case(1, &[0, 1, 2]), case(2, &[3, 4, 5])];
        let of_files = (0..6).map(|mutant| (mutant, 1)).collect();
        let mut taken = [0, 1];
        exchange(&candidates, &of_files, &mut taken);
        assert_eq!(taken, [2, 1]);
    }

    #[test]
    fn a_mutant_that_a_quarter_of_the_cases_expose_is_easy() {
        let case = |exposed: &[usize]| {
            let draft = Draft { flags: String::new(), input: Vec::new() };
            (draft, exposed.iter().copied().collect())
        };
        let exposing = vec![case(&[0, 1]), case(&[0]), case(&[0])];
        let tried = Broad { exposing, count: 8 };
        let set = |mutants: &[usize]| mutants.iter().copied().collect::<MutantSet>();
        assert_eq!(hard(&tried, &set(&[0, 1, 2])), set(&[1, 2]));
        assert_eq!(hard(&tried, &set(&[0])), set(&[0]), "all are easy");
    }
}
