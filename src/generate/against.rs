//! Searches for cases on which a program differs from the reference.
//!
//! A process for each case is slow, so there are few cases. Most are large random ones, which show more; the others are small ones in
//! order of size. For each behaviour the smallest case is kept and reduced.
//!
//! Cases come in rounds that depend only on the seed and on what earlier rounds found.

mod reduction;

use super::comparer::{Comparer, Comparison, Discrepancy};
use crate::domain::TestRules;
use crate::domain::{Draft, Generator};
use crate::problem::Failure;
use crate::problem::progress::Progress;
use fastrand::Rng;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use reduction::Counterexample;
use std::collections::{BTreeMap, BTreeSet};
use std::iter::Peekable;
use subject::How;

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The seed of random cases.
    pub seed: u64,
    /// Every case up to this area is tried. Without it, the first [`SMALL`] cases are tried.
    pub area: Option<usize>,
    /// The largest number of finds that are reduced.
    pub max_files: usize,
}

/// Cases of the first round, and of the largest. Each round is twice as large as the one before.
const FIRST_ROUND: usize = 16;
const LARGEST_ROUND: usize = 256;
/// The search ends if a program differs on all of this many cases.
const MANY: u64 = 32;
/// The largest numbers of small cases, if no area is given, and of random cases.
const SMALL: u64 = 5_000;
const LARGE: u64 = 15_000;
/// The largest area of a small case, if no area is given.
const LARGEST_AREA: usize = 16;
/// One of this many cases in a round is small.
const SMALL_SHARE: usize = 4;
/// After a find, the search ends when this many cases, plus as many as the find took, show no other behaviour.
const MORE: u64 = 2_000;
/// The part of the budget after which the finds are reduced.
const SEARCH: f64 = 0.7;

/// One way in which a program differs: the flags of the case, and how the outcomes differ.
pub type Behaviour = (String, How);

/// A case on which the program differs.
#[derive(Clone, Debug)]
pub struct Find {
    /// The case, reduced as far as possible.
    pub draft: Draft,
    /// What both did on it.
    pub difference: Discrepancy,
    /// Whether every case with a smaller area was tried.
    pub certified: bool,
    /// The number of tried cases on which the program differs in this way.
    pub cases: u64,
}

/// The result of a search.
#[derive(Debug, Default)]
pub struct Found {
    /// The smallest find of each behaviour.
    pub finds: BTreeMap<Behaviour, Find>,
    /// Behaviours that have no file, because the largest number of files is reached.
    pub left_out: Vec<Behaviour>,
    /// Behaviours that did not appear when their cases were tried again.
    pub unsteady: Vec<Behaviour>,
    /// The largest area up to which every case was tried.
    pub area: usize,
    /// The number of valid small cases that were tried.
    pub small: u64,
    /// The number of valid random cases that were tried.
    pub large: u64,
    /// The number of these cases on which the program differs.
    pub differing: u64,
    /// The number of these cases on which the program was slow and was stopped.
    pub slow: u64,
    /// Whether the budget was exhausted first.
    pub out_of_time: bool,
}

impl Found {
    /// The number of valid cases that were tried.
    pub fn cases(&self) -> u64 {
        self.small + self.large
    }

    /// Whether the program differs on every case. It may belong to another assignment.
    pub fn on_every_case(&self) -> bool {
        self.differing > 0 && self.differing + self.slow == self.cases()
    }
}

/// Searches for cases on which the program differs from the reference.
///
/// # Errors
/// If one of them cannot be started.
pub fn against(comparer: &mut Comparer<'_>, options: &Options) -> Result<Found, Failure> {
    let progress = Progress::of_cases("looking for a difference");
    let mut search = Search::new(comparer.generator, &comparer.assignment.tests, options);
    while search.goes_on(comparer) {
        let round = search.round();
        let drafts: Vec<_> = round.iter().map(|(draft, _)| draft.clone()).collect();
        let comparisons = comparer.compare(&drafts)?;
        progress.add(comparisons.len() as u64);
        let ways = search.behaviours.len();
        search.learn(round, comparisons);
        if let Some((flags, how)) = search.last.as_ref().filter(|_| search.behaviours.len() > ways)
        {
            progress.say(&format!(
                "differs in {} ways, last {how:?} with the flags {flags}",
                search.behaviours.len()
            ));
        }
    }
    progress.say("reducing");
    search.finish(comparer, options.max_files)
}

/// Where a case comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Small { area: usize },
    Large,
}

/// The state of the search.
struct Search<'a> {
    generator: &'a dyn Generator,
    rules: &'a TestRules,
    small: Peekable<Box<dyn Iterator<Item = (usize, Draft)> + 'a>>,
    /// The smallest area of these cases, and the largest.
    smallest: usize,
    bound: usize,
    small_left: u64,
    large_left: u64,
    runner: TestRunner,
    round: usize,
    behaviours: BTreeMap<Behaviour, Smallest>,
    /// The behaviour that was found last, and after how many cases.
    last: Option<Behaviour>,
    last_at: u64,
    /// The smallest area of a small case that was skipped or stopped.
    gap: Option<usize>,
    found: Found,
}

/// The smallest case of a behaviour, and how many there are.
struct Smallest {
    counterexample: Counterexample,
    area: usize,
    cases: u64,
}

impl<'a> Search<'a> {
    fn new(generator: &'a dyn Generator, rules: &'a TestRules, options: &Options) -> Self {
        let mut seed = [0; 32];
        Rng::with_seed(options.seed).fill(&mut seed);
        let (bound, small_left) =
            options.area.map_or((LARGEST_AREA, SMALL), |area| (area, u64::MAX));
        let mut small = small_cases(generator, rules, bound).peekable();
        Self {
            generator,
            rules,
            smallest: small.peek().map_or(bound, |(area, _)| *area),
            small,
            bound,
            small_left,
            large_left: LARGE,
            runner: TestRunner::new_with_rng(
                Config::default(),
                TestRng::from_seed(RngAlgorithm::ChaCha, &seed),
            ),
            round: FIRST_ROUND,
            behaviours: BTreeMap::new(),
            last: None,
            last_at: 0,
            gap: None,
            found: Found::default(),
        }
    }

    fn goes_on(&mut self, comparer: &Comparer<'_>) -> bool {
        let found = &self.found;
        let small_are_done = self.small_left == 0 || self.small.peek().is_none();
        let all_small_are_wanted = self.small_left > SMALL;
        let is_done = self.large_left == 0 && small_are_done;
        let is_enough = !self.behaviours.is_empty() && found.cases() >= 2 * self.last_at + MORE;
        let is_hopeless =
            found.on_every_case() && (found.cases() >= MANY || !comparer.is_patient());
        if is_done || is_enough && (small_are_done || !all_small_are_wanted) || is_hopeless {
            return false;
        }
        // If there are finds, some time is kept for their reduction.
        self.found.out_of_time =
            comparer.has_spent(if self.behaviours.is_empty() { 1.0 } else { SEARCH });
        !self.found.out_of_time
    }

    /// The next cases: some small ones, the others random.
    fn round(&mut self) -> Vec<(Draft, Source)> {
        let size = self.round;
        self.round = (size * 2).min(LARGEST_ROUND);
        let mut round = Vec::with_capacity(size);
        let small = if self.large_left == 0 { size } else { size / SMALL_SHARE };
        let small = usize::try_from(self.small_left).map_or(small, |left| left.min(small));
        round.extend(
            self.small.by_ref().take(small).map(|(area, draft)| (draft, Source::Small { area })),
        );
        self.small_left -= round.len() as u64;
        let large =
            usize::try_from(self.large_left).map_or(size, |left| left.min(size - round.len()));
        round.extend(
            (0..large)
                .map(|_| (self.generator.sample(self.rules, &mut self.runner), Source::Large)),
        );
        self.large_left -= large as u64;
        round
    }

    fn learn(&mut self, round: Vec<(Draft, Source)>, comparisons: Vec<Comparison>) {
        for ((draft, source), comparison) in round.into_iter().zip(comparisons) {
            if matches!(comparison, Comparison::Untried | Comparison::Slow)
                && let Source::Small { area } = source
            {
                self.gap.get_or_insert(area);
            }
            if matches!(comparison, Comparison::Untried | Comparison::Invalid) {
                continue;
            }
            match source {
                Source::Small { .. } => self.found.small += 1,
                Source::Large => self.found.large += 1,
            }
            match comparison {
                Comparison::Slow => self.found.slow += 1,
                Comparison::Differ(difference) => self.keep(draft, *difference),
                _ => {}
            }
        }
    }

    fn keep(&mut self, draft: Draft, difference: Discrepancy) {
        self.found.differing += 1;
        // Parameters after the letters do not make another behaviour.
        let letters = draft.flags.split('-').next().unwrap_or_default();
        let behaviour = (letters.to_owned(), difference.how);
        let area = self.generator.area(&draft.input);
        let counterexample = Counterexample { draft, difference };
        match self.behaviours.get_mut(&behaviour) {
            None => {
                self.last = Some(behaviour.clone());
                self.last_at = self.found.cases();
                self.behaviours.insert(behaviour, Smallest { counterexample, area, cases: 1 });
            }
            Some(smallest) => {
                smallest.cases += 1;
                if area < smallest.area {
                    *smallest = Smallest { counterexample, area, cases: smallest.cases };
                }
            }
        }
    }

    /// The largest area up to which every case was tried.
    fn tried_area(&mut self) -> usize {
        let next = self
            .small
            .peek()
            .map_or(self.bound + 1, |(area, _)| *area)
            .min(self.gap.unwrap_or(usize::MAX));
        // There is no case below the smallest one.
        if next > self.smallest { next - 1 } else { 0 }
    }

    fn finish(mut self, comparer: &mut Comparer<'_>, max_files: usize) -> Result<Found, Failure> {
        self.found.area = self.tried_area();
        let mut behaviours: Vec<_> = self.behaviours.into_iter().collect();
        behaviours.sort_by_key(|(_, smallest)| smallest.area);
        if self.found.on_every_case() {
            // The flags do not matter, so one file for each way of differing is enough.
            let mut hows = BTreeSet::new();
            behaviours.retain(|((_, how), _)| hows.insert(*how));
        }
        let rest = behaviours.split_off(behaviours.len().min(max_files));
        self.found.left_out = rest.into_iter().map(|(behaviour, _)| behaviour).collect();
        let counterexamples: Vec<_> = behaviours
            .iter()
            .map(|(behaviour, smallest)| (behaviour.clone(), smallest.counterexample.clone()))
            .collect();
        let certified_area = self.found.area.max(self.smallest.saturating_sub(1)) + 1;
        let mut reduced = reduction::reduce_all(comparer, &counterexamples, certified_area)?;
        for (behaviour, Smallest { cases, .. }) in behaviours {
            let Some(Counterexample { draft, difference }) = reduced.remove(&behaviour) else {
                self.found.unsteady.push(behaviour);
                continue;
            };
            let certified = self.generator.area(&draft.input) <= certified_area;
            self.found.finds.insert(behaviour, Find { draft, difference, certified, cases });
        }
        self.found.out_of_time |= comparer.out_of_time();
        Ok(self.found)
    }
}

/// Every case in order of size, with its area.
fn small_cases<'a>(
    generator: &'a dyn Generator,
    rules: &'a TestRules,
    bound: usize,
) -> Box<dyn Iterator<Item = (usize, Draft)> + 'a> {
    Box::new((1..=bound).flat_map(move |area| {
        generator
            .families(area, rules)
            .into_iter()
            .flat_map(move |family| (0..family.count).map(move |at| (area, (family.make)(at))))
    }))
}
