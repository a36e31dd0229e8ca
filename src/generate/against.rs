//! Looking for cases on which any program differs from the reference.
//!
//! A process for each case is costly, so the cases are chosen: from the first round on most are large random ones, which tell more, and
//! the others are the small ones in order of size. Of finds that look alike the smallest is kept, and reduced.
//!
//! Cases come in rounds whose make-up depends on the seed and on what earlier rounds found, and on nothing else.

mod reduction;

use super::duel::{Difference, Duel, Meeting};
use crate::domain::TestRules;
use crate::domain::{Draft, Generator};
use crate::problem::Failure;
use crate::problem::progress::Progress;
use fastrand::Rng;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use reduction::Sighting;
use std::collections::{BTreeMap, BTreeSet};
use std::iter::Peekable;
use subject::How;

/// How far to look.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What random cases are drawn from.
    pub seed: u64,
    /// Up to which area every case is tried, however many they are. Without it, as far as [`SMALL`] cases go.
    pub area: Option<usize>,
    /// How many finds to reduce.
    pub max_files: usize,
}

/// Cases of the first round, and of the largest: each is twice as large as the one before.
const FIRST_ROUND: usize = 16;
const LARGEST_ROUND: usize = 256;
/// Cases on all of which a program must differ before the search is given up.
const MANY: u64 = 32;
/// Small cases at the most, where no area is given, and random ones.
const SMALL: u64 = 5_000;
const LARGE: u64 = 15_000;
/// Where no area is given, no larger case is called small.
const LARGEST_AREA: usize = 16;
/// One case of a round in so many is a small one.
const SMALL_SHARE: usize = 4;
/// Once something was found, the search ends when so many more cases, and as many as it took, showed nothing of another kind.
const MORE: u64 = 2_000;
/// The part of the time after which what was found is reduced.
const SEARCH: f64 = 0.7;

/// Finds that look alike: same flags, same sort of difference.
pub type Kind = (String, How);

/// A case on which the program differs.
#[derive(Clone, Debug)]
pub struct Find {
    /// The case, as small as it could be made.
    pub draft: Draft,
    /// What both did on it.
    pub difference: Difference,
    /// Whether every case with a smaller area was tried.
    pub certified: bool,
    /// On how many cases of those tried the program differs like this.
    pub cases: u64,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// The smallest find of each kind.
    pub finds: BTreeMap<Kind, Find>,
    /// Kinds of which no file may be written any more.
    pub left_out: Vec<Kind>,
    /// Kinds that did not show when their cases were tried again.
    pub unsteady: Vec<Kind>,
    /// The largest area up to which every case was tried.
    pub area: usize,
    /// How many valid small cases were tried, in order of size.
    pub small: u64,
    /// How many random ones.
    pub large: u64,
    /// On how many of them the program differs.
    pub differing: u64,
    /// On how many of them it took long, and was not waited for.
    pub slow: u64,
    /// Whether time ran out first.
    pub out_of_time: bool,
}

impl Found {
    /// How many valid cases were tried.
    pub fn cases(&self) -> u64 {
        self.small + self.large
    }

    /// Whether the program differs on every case: it may not be this assignment's at all.
    pub fn on_every_case(&self) -> bool {
        self.differing > 0 && self.differing + self.slow == self.cases()
    }
}

/// Looks for cases on which the program differs from the reference.
///
/// # Errors
/// Where one of them can't be started.
pub fn against(duel: &mut Duel<'_>, options: &Options) -> Result<Found, Failure> {
    let progress = Progress::of_cases("looking for a difference");
    let mut search = Search::new(duel.generator, &duel.assignment.tests, options);
    while search.goes_on(duel) {
        let round = search.round();
        let drafts: Vec<_> = round.iter().map(|(draft, _)| draft.clone()).collect();
        let meetings = duel.meet(&drafts)?;
        progress.add(meetings.len() as u64);
        let ways = search.kinds.len();
        search.learn(round, meetings);
        if let Some((flags, how)) = search.last.as_ref().filter(|_| search.kinds.len() > ways) {
            progress.say(&format!(
                "differs in {} ways, last {how:?} with the flags {flags}",
                search.kinds.len()
            ));
        }
    }
    progress.say("reducing");
    search.finish(duel, options.max_files)
}

/// Where a case comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Small { area: usize },
    Large,
}

/// What is known so far.
struct Search<'a> {
    generator: &'a dyn Generator,
    rules: &'a TestRules,
    small: Peekable<Box<dyn Iterator<Item = (usize, Draft)> + 'a>>,
    /// The area of the first of them, and of the last.
    smallest: usize,
    bound: usize,
    small_left: u64,
    large_left: u64,
    runner: TestRunner,
    round: usize,
    kinds: BTreeMap<Kind, Smallest>,
    /// The kind that was found last, and after how many cases.
    last: Option<Kind>,
    last_at: u64,
    /// The area below which a small case was not tried after all.
    gap: Option<usize>,
    found: Found,
}

/// The smallest case of a kind, and how many there are.
struct Smallest {
    sighting: Sighting,
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
            kinds: BTreeMap::new(),
            last: None,
            last_at: 0,
            gap: None,
            found: Found::default(),
        }
    }

    fn goes_on(&mut self, duel: &Duel<'_>) -> bool {
        let found = &self.found;
        let small_are_done = self.small_left == 0 || self.small.peek().is_none();
        let all_small_are_wanted = self.small_left > SMALL;
        let is_done = self.large_left == 0 && small_are_done;
        let is_enough = !self.kinds.is_empty() && found.cases() >= 2 * self.last_at + MORE;
        let is_hopeless = found.on_every_case() && (found.cases() >= MANY || !duel.is_patient());
        if is_done || is_enough && (small_are_done || !all_small_are_wanted) || is_hopeless {
            return false;
        }
        // Where there are finds, time is left for their reduction.
        self.found.out_of_time = duel.has_spent(if self.kinds.is_empty() { 1.0 } else { SEARCH });
        !self.found.out_of_time
    }

    /// The next cases: some small ones, and else random ones.
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

    fn learn(&mut self, round: Vec<(Draft, Source)>, meetings: Vec<Meeting>) {
        for ((draft, source), meeting) in round.into_iter().zip(meetings) {
            if matches!(meeting, Meeting::Untried | Meeting::Slow)
                && let Source::Small { area } = source
            {
                self.gap.get_or_insert(area);
            }
            if matches!(meeting, Meeting::Untried | Meeting::Invalid) {
                continue;
            }
            match source {
                Source::Small { .. } => self.found.small += 1,
                Source::Large => self.found.large += 1,
            }
            match meeting {
                Meeting::Slow => self.found.slow += 1,
                Meeting::Differ(difference) => self.keep(draft, *difference),
                _ => {}
            }
        }
    }

    fn keep(&mut self, draft: Draft, difference: Difference) {
        self.found.differing += 1;
        // Parameters behind the letters are part of what is tried, not of what sort it is.
        let letters = draft.flags.split('-').next().unwrap_or_default();
        let kind = (letters.to_owned(), difference.how);
        let area = self.generator.area(&draft.input);
        let sighting = Sighting { draft, difference };
        match self.kinds.get_mut(&kind) {
            None => {
                self.last = Some(kind.clone());
                self.last_at = self.found.cases();
                self.kinds.insert(kind, Smallest { sighting, area, cases: 1 });
            }
            Some(smallest) => {
                smallest.cases += 1;
                if area < smallest.area {
                    *smallest = Smallest { sighting, area, cases: smallest.cases };
                }
            }
        }
    }

    /// The largest area of which every case was tried.
    fn tried_area(&mut self) -> usize {
        let next = self
            .small
            .peek()
            .map_or(self.bound + 1, |(area, _)| *area)
            .min(self.gap.unwrap_or(usize::MAX));
        // Below the smallest case there is nothing that could have been tried.
        if next > self.smallest { next - 1 } else { 0 }
    }

    fn finish(mut self, duel: &mut Duel<'_>, max_files: usize) -> Result<Found, Failure> {
        self.found.area = self.tried_area();
        let mut kinds: Vec<_> = self.kinds.into_iter().collect();
        kinds.sort_by_key(|(_, smallest)| smallest.area);
        if self.found.on_every_case() {
            // Its options are not what is wrong with it: one file of each sort is enough.
            let mut hows = BTreeSet::new();
            kinds.retain(|((_, how), _)| hows.insert(*how));
        }
        let rest = kinds.split_off(kinds.len().min(max_files));
        self.found.left_out = rest.into_iter().map(|(kind, _)| kind).collect();
        let sightings: Vec<_> = kinds
            .iter()
            .map(|(kind, smallest)| (kind.clone(), smallest.sighting.clone()))
            .collect();
        let certified_area = self.found.area.max(self.smallest.saturating_sub(1)) + 1;
        let mut reduced = reduction::reduce_all(duel, &sightings, certified_area)?;
        for (kind, Smallest { cases, .. }) in kinds {
            let Some(Sighting { draft, difference }) = reduced.remove(&kind) else {
                self.found.unsteady.push(kind);
                continue;
            };
            let certified = self.generator.area(&draft.input) <= certified_area;
            self.found.finds.insert(kind, Find { draft, difference, certified, cases });
        }
        self.found.out_of_time |= duel.out_of_time();
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
