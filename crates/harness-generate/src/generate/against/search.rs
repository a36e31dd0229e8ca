//! Tries plain cases and remembers those that tell something.
//!
//! Most cases are large random ones, which show more; the others are small ones in order of size. Cases come in rounds that depend only
//! on the seed and on what earlier rounds found.

use super::deviation::{DifferenceKind, Seen, letters};
use super::{Counts, Find, Options, smallest};
use crate::diagnostic::Failure;
use crate::diagnostic::progress::Progress;
use crate::domain::{Draft, Generator};
use crate::generate::comparer::{Comparer, Comparison, UnderTest};
use crate::generate::repeats::digest;
use fastrand::Rng;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::iter::Peekable;

/// Cases of the first round, and of the largest. Each round is twice as large as the one before.
const FIRST_ROUND: usize = 16;
const LARGEST_ROUND: usize = 64;
/// The search ends if a program is right on none of this many cases.
const MANY: u64 = 32;
/// The largest numbers of small cases, if no size is given, and of random cases.
const SMALL: u64 = 5_000;
const LARGE: u64 = 15_000;
/// How many of the largest cases are tried after these, one at a time, if the program differs on none.
const LARGEST: usize = 64;
/// The part of the budget after which none of these is tried. It takes long to make one smaller.
const LARGEST_PART: f64 = 0.6;
/// No more random cases are drawn after this many in a row that were tried before.
const REPEATED: usize = 1_000;
/// The largest size of a small case, if no size is given.
const LARGEST_SIZE: usize = 16;
/// One of this many random cases is near a test of the course, if it has any.
const NEAR: u8 = 4;
/// One of this many cases in a round is small.
const SMALL_SHARE: usize = 4;
/// After a difference of any sort with new letters, the search ends when this many cases, plus as many as that took, show no other.
const MORE: u64 = 2_000;
/// The part of the budget after which differences are grouped and reduced, and the part if there are none.
const SEARCH: f64 = 0.6;
const QUIET: f64 = 0.95;
/// Cases with an equal and with a different outcome that are remembered, and their largest size in bytes.
const KEPT: usize = 4_000;
const KEPT_BYTES: usize = 4096;

/// What the search found.
pub(super) struct Searched {
    /// Cases that tell something: each kind of difference has its smallest case here.
    pub(super) seen: Vec<Seen>,
    /// A difference that a process confirmed when the search first saw one.
    pub(super) first: Option<Find>,
    /// The letters with which the program was right on no case.
    pub(super) never_right: BTreeSet<String>,
    /// The largest size up to which every plain case was tried; `None` if there is none.
    pub(super) size: Option<usize>,
    /// A find with at most this size is the smallest there is.
    pub(super) certified_size: Option<usize>,
    pub(super) counts: Counts,
    pub(super) out_of_time: bool,
}

/// Where a case comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Small { size: usize },
    Large,
}

/// The state of the search.
pub(super) struct Search<'a> {
    generator: &'a dyn Generator,
    under_test: &'a UnderTest,
    small: Peekable<Box<dyn Iterator<Item = (usize, Draft)> + 'a>>,
    /// The smallest size of these cases, and the largest.
    smallest: usize,
    bound: usize,
    small_left: u64,
    large_left: u64,
    runner: TestRunner,
    /// The digests of the cases that were tried.
    tried: HashSet<u64>,
    round: usize,
    seed: u64,
    /// The smallest case of each kind of difference.
    kinds: BTreeMap<DifferenceKind, Seen>,
    /// The number of cases after which a new sort of difference, or one with other letters, was found last.
    last_at: u64,
    seen: Vec<Seen>,
    first: Option<Find>,
    /// How many of the cases that were seen are different, and how many are not.
    kept: [usize; 2],
    /// Whether a small case that differs was not remembered.
    has_forgotten: bool,
    /// For each set of letters, whether the program was right on a case.
    right: BTreeMap<String, bool>,
    /// The tests of the course near which to look for others.
    corpus: Vec<Draft>,
    rng: Rng,
    /// The smallest size of a small case that was skipped or stopped.
    gap: Option<usize>,
    counts: Counts,
    out_of_time: bool,
}

impl<'a> Search<'a> {
    pub(super) fn new(comparer: &Comparer<'a>, options: &Options) -> Self {
        let (generator, under_test): (&'a dyn Generator, _) =
            (comparer.generator, comparer.under_test);
        let mut seed = [0; 32];
        Rng::with_seed(options.seed).fill(&mut seed);
        let (bound, small_left) =
            options.size.map_or((LARGEST_SIZE, SMALL), |size| (size, u64::MAX));
        let mut small = small_cases(generator, under_test, bound).peekable();
        Self {
            generator,
            under_test,
            smallest: small.peek().map_or(bound, |(size, _)| *size),
            small,
            bound,
            small_left,
            large_left: LARGE,
            runner: TestRunner::new_with_rng(
                Config::default(),
                TestRng::from_seed(RngAlgorithm::ChaCha, &seed),
            ),
            tried: HashSet::new(),
            round: FIRST_ROUND,
            seed: options.seed,
            kinds: BTreeMap::new(),
            last_at: 0,
            seen: Vec::new(),
            first: None,
            kept: [0; 2],
            has_forgotten: false,
            right: BTreeMap::new(),
            corpus: comparer.corpus.clone(),
            rng: Rng::with_seed(options.seed),
            gap: None,
            counts: Counts::default(),
            out_of_time: false,
        }
    }

    /// Tries cases until nothing new shows, or until a part of the budget is spent.
    pub(super) fn run(
        mut self,
        comparer: &mut Comparer<'_>,
        progress: &Progress,
    ) -> Result<Searched, Failure> {
        while self.goes_on(comparer) {
            let round = self.round();
            let drafts: Vec<_> = round.iter().map(|(draft, _)| draft.clone()).collect();
            let comparisons = comparer.compare(&drafts)?;
            progress.add(comparisons.len() as u64);
            self.learn(round, comparisons);
            if !self.kinds.is_empty() {
                comparer.note_find();
            }
            self.note_first(comparer)?;
            if self.counts.differing > 0 {
                progress.say(&format!("differs on {}", self.counts.differing));
            }
        }
        self.try_largest(comparer, progress)?;
        Ok(self.finish())
    }

    fn note_first(&mut self, comparer: &mut Comparer<'_>) -> Result<(), Failure> {
        if self.first.is_none() {
            self.first = smallest(comparer, self.kinds.values())?;
        }
        Ok(())
    }

    /// Tries some of the largest cases if the program is right on all others and time is left. They take long.
    fn try_largest(
        &mut self,
        comparer: &mut Comparer<'_>,
        progress: &Progress,
    ) -> Result<(), Failure> {
        let mut rng = Rng::with_seed(!self.seed);
        for _ in 0..LARGEST {
            let is_late = comparer.has_spent(LARGEST_PART);
            if is_late || !self.kinds.is_empty() || self.counts.none_is_right() {
                break;
            }
            let Some(draft) = self.generator.largest(&self.under_test.tests, &mut rng) else {
                break;
            };
            let draft = self.generator.plain(&draft);
            let Some(draft) = self.under_test.fit(self.generator, &draft) else { continue };
            if !self.tried.insert(digest(&draft)) {
                continue;
            }
            let comparisons = comparer.compare(std::slice::from_ref(&draft))?;
            progress.add(1);
            self.learn(vec![(draft, Source::Large)], comparisons);
            if !self.kinds.is_empty() {
                comparer.note_find();
                self.note_first(comparer)?;
            }
        }
        Ok(())
    }

    fn goes_on(&mut self, comparer: &Comparer<'_>) -> bool {
        let cases = self.counts.all();
        let small_are_done = self.small_left == 0 || self.small.peek().is_none();
        let all_small_are_wanted = self.small_left > SMALL;
        let is_done = self.large_left == 0 && small_are_done;
        let is_enough = !self.kinds.is_empty() && cases >= 2 * self.last_at + MORE;
        let is_hopeless = self.counts.none_is_right() && (cases >= MANY || !comparer.is_patient());
        if is_done || is_enough && (small_are_done || !all_small_are_wanted) || is_hopeless {
            return false;
        }
        // Some time is kept to look into differences, and for other forms of a file.
        self.out_of_time = comparer.has_spent(if self.kinds.is_empty() { QUIET } else { SEARCH });
        !self.out_of_time
    }

    /// The next cases: some small ones, the others random.
    fn round(&mut self) -> Vec<(Draft, Source)> {
        let size = self.round;
        self.round = (size * 2).min(LARGEST_ROUND);
        let mut round = Vec::with_capacity(size);
        let small = if self.large_left == 0 { size } else { size / SMALL_SHARE };
        let small = usize::try_from(self.small_left).map_or(small, |left| left.min(small));
        round.extend(
            self.small.by_ref().take(small).map(|(size, draft)| (draft, Source::Small { size })),
        );
        self.small_left -= round.len() as u64;
        let large =
            usize::try_from(self.large_left).map_or(size, |left| left.min(size - round.len()));
        self.large_left -= large as u64;
        self.tried.extend(round.iter().map(|(draft, _)| digest(draft)));
        for _ in 0..large {
            let Some(draft) = self.sample() else {
                self.large_left = 0;
                break;
            };
            round.push((draft, Source::Large));
        }
        round
    }

    /// A plain random case that was not tried; `None` if there are hardly any left.
    fn sample(&mut self) -> Option<Draft> {
        let mut repeated = 0;
        while repeated < REPEATED {
            let near = self.rng.choice(&self.corpus).filter(|_| self.rng.u8(..NEAR) == 0);
            let draft = match near {
                Some(near) => self.generator.neighbour(near, &self.under_test.tests, &mut self.rng),
                None => self.generator.sample(&self.under_test.tests, &mut self.runner),
            };
            let draft = self.generator.plain(&draft);
            let Some(draft) = self.under_test.fit(self.generator, &draft) else { continue };
            if self.tried.insert(digest(&draft)) {
                return Some(draft);
            }
            repeated += 1;
        }
        None
    }

    fn learn(&mut self, round: Vec<(Draft, Source)>, comparisons: Vec<Comparison>) {
        for ((draft, source), comparison) in round.into_iter().zip(comparisons) {
            if matches!(comparison, Comparison::Untried | Comparison::Slow)
                && let Source::Small { size } = source
            {
                self.gap.get_or_insert(size);
            }
            match comparison {
                Comparison::Untried => continue,
                Comparison::Invalid => {
                    self.counts.invalid += 1;
                    continue;
                }
                _ => {}
            }
            match source {
                Source::Small { .. } => self.counts.small += 1,
                Source::Large => self.counts.random += 1,
            }
            let right = self.right.entry(letters(&draft).to_owned()).or_default();
            *right |= matches!(comparison, Comparison::Same);
            match comparison {
                Comparison::Slow => self.counts.stopped += 1,
                comparison => self.keep(Seen::new(self.generator, draft, &comparison), source),
            }
        }
    }

    /// Remembers a case.
    fn keep(&mut self, case: Seen, source: Source) {
        let is_short = case.draft.input.len() <= KEPT_BYTES;
        let kept = &mut self.kept[usize::from(case.kind.is_some())];
        let is_kept = is_short && *kept < KEPT;
        if is_kept {
            *kept += 1;
            self.seen.push(case.clone());
        }
        let Some(kind) = &case.kind else { return };
        self.has_forgotten |= !is_kept && source != Source::Large;
        let count =
            if kind.is_timeout() { &mut self.counts.timeouts } else { &mut self.counts.differing };
        *count += 1;
        let is_alike =
            |known: &DifferenceKind| (&known.letters, known.how) == (&kind.letters, kind.how);
        if !self.kinds.keys().any(is_alike) {
            self.last_at = self.counts.all();
        }
        let smallest = self.kinds.entry(kind.clone()).or_insert_with(|| case.clone());
        if case.size < smallest.size {
            *smallest = case;
        }
    }

    /// The largest size up to which every plain case was tried; `None` if there is none.
    fn tried_size(&mut self) -> Option<usize> {
        let next = self.small.peek().map(|(size, _)| *size);
        let next = next.unwrap_or_else(|| {
            let is_whole = |size: &usize| self.generator.has_all(*size, &self.under_test.tests);
            (0..=self.bound).take_while(is_whole).count()
        });
        let next = next.min(self.gap.unwrap_or(usize::MAX));
        // There is no case below the smallest one.
        (next > self.smallest).then(|| next - 1)
    }

    fn finish(mut self) -> Searched {
        let size = if self.under_test.fixed_size.is_some() { None } else { self.tried_size() };
        let can_certify = self.under_test.fixed_size.is_none() && !self.has_forgotten;
        let certified_size = can_certify.then(|| size.map_or(self.smallest, |size| size + 1));
        let mut seen = self.seen;
        seen.extend(self.kinds.into_values());
        seen.sort_by(|a, b| (a.size, &a.draft).cmp(&(b.size, &b.draft)));
        seen.dedup_by(|a, b| a.draft == b.draft);
        let never_right = self.right.into_iter().filter(|(_, right)| !right);
        Searched {
            seen,
            first: self.first,
            never_right: never_right.map(|(letters, _)| letters).collect(),
            size,
            certified_size,
            counts: self.counts,
            out_of_time: self.out_of_time,
        }
    }
}

/// Every plain case with its size, the smallest first. None if the program has a fixed size.
fn small_cases<'a>(
    generator: &'a dyn Generator,
    under_test: &'a UnderTest,
    bound: usize,
) -> Box<dyn Iterator<Item = (usize, Draft)> + 'a> {
    if under_test.fixed_size.is_some() {
        return Box::new(std::iter::empty());
    }
    let is_whole = |size: &usize| generator.has_all(*size, &under_test.tests);
    let cases = (0..=bound).take_while(is_whole).flat_map(move |size| {
        generator.families(size, &under_test.tests).into_iter().flat_map(move |family| {
            (0..family.count).filter_map(move |at| Some((size, (family.make)(at)?)))
        })
    });
    Box::new(cases.filter(|(_, draft)| generator.plain(draft) == *draft))
}
