//! Tries random cases: fresh ones, neighbours of cases that reach a missing mutant, and neighbours of cases that expose many mutants.

use super::arena::{Arena, Batch, exposed_by, is_valid};
use crate::domain::TestRules;
use crate::domain::{Draft, Generator};
use crate::problem::Failure;
use fastrand::Rng;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::BTreeMap;
use subject::wire::{Answer, MutantSet};

/// The number of cases in a batch, and of batches in a round.
const BATCH: usize = 64;
const ROUND: usize = 16;
/// The number of batches in a round that run on all targets, to find cases that expose many. The others run only on the missing mutants.
const BROAD: usize = 4;
/// The part of the budget after which the finds are reduced and selected.
const PART: f64 = 0.8;
/// The number of seeds that are kept for each missing mutant.
const SEEDS: usize = 8;
/// The number of candidates that are kept for the selection.
const CANDIDATES: usize = 400;
/// The most steps of the reference on a case of the first round. Each round that finds nothing raises it by a quarter, so that a few slow
/// cases do not take the time of many fast ones.
const FIRST_STEPS: u64 = 4000;
/// The number of cases with the most steps that are kept.
const LONGEST: usize = 16;

/// How many rounds to sample.
#[derive(Clone, Copy, Debug)]
pub struct Rounds {
    pub most: usize,
    /// The number of rounds after every mutant is found, which run on all targets.
    pub more: usize,
}

impl Rounds {
    /// For a selection that shall be small.
    pub const MANY: Self = Self { most: 400, more: 4 };
    /// For any other selection.
    pub const FEW: Self = Self { more: 1, ..Self::MANY };
}

/// The result of sampling.
pub struct Sampled {
    /// The smallest case seen that exposes each mutant.
    pub killers: BTreeMap<usize, Draft>,
    /// The cases that expose the most, with what they expose.
    pub candidates: Vec<(Draft, MutantSet)>,
    /// The number of cases that were tried.
    pub cases: u64,
}

/// Samples until all of `targets` are exposed and for some rounds more, for at most so many rounds, or until the budget is used. `known`
/// are cases to begin with.
///
/// # Errors
/// If a worker cannot be started.
pub fn sample(
    arena: &mut Arena<'_>,
    targets: &MutantSet,
    known: &[Draft],
    rounds: Rounds,
    seed: u64,
) -> Result<Sampled, Failure> {
    let mut search = Search::new(targets.clone(), known);
    let mut rounds_left = rounds.more;
    let (mut cases, mut most_steps) = (0, FIRST_STEPS);
    for round in 0..rounds.most {
        if arena.has_spent(PART) || targets.is_empty() {
            break;
        }
        let (generator, rules) = (arena.generator, &arena.assignment.tests);
        let digests = arena.sweep(
            ROUND,
            |at| {
                let mutants = if at < BROAD || search.missing.is_empty() {
                    &search.targets
                } else {
                    &search.missing
                };
                let drafts = search.drafts(
                    generator,
                    rules,
                    at < BROAD,
                    mixed(seed, (round * ROUND + at) as u64),
                );
                Batch { most_steps, ..Batch::new(drafts, mutants) }
            },
            |_, drafts, answers| search.digest(drafts, &answers),
        )?;
        cases += (ROUND * BATCH) as u64;
        let mut nears: Vec<_> = digests.into_iter().flatten().collect();
        // A case that exposes a missing mutant may expose others too.
        let killers: Vec<_> = nears
            .iter()
            .filter(|near| !near.exposed.is_empty())
            .map(|near| near.draft.clone())
            .collect();
        for (near, exposed) in nears
            .iter_mut()
            .filter(|near| !near.exposed.is_empty())
            .zip(arena.exposed(&killers, targets)?)
        {
            near.exposed = exposed;
        }
        let missing = search.missing.len();
        nears.into_iter().for_each(|near| search.learn(near));
        if search.missing.len() == missing {
            most_steps = most_steps.saturating_add(most_steps / 4);
        }
        search.trim();
        arena.say_missing(
            "random cases",
            &search.missing,
            search.last.and_then(|last| Some((last, search.killers.get(&last)?))),
        );
        if search.missing.is_empty() {
            rounds_left -= 1;
            // There is no better case than one that exposes everything.
            let exposes_all = |(_, exposed): &(Draft, MutantSet)| targets.is_subset(exposed);
            if rounds_left == 0 || search.candidates.iter().any(exposes_all) {
                break;
            }
        }
    }
    Ok(Sampled { killers: search.killers, candidates: search.candidates, cases })
}

/// A case worth remembering.
struct Near {
    draft: Draft,
    exposed: MutantSet,
    /// The missing mutants that it reached.
    reached: MutantSet,
    /// Those of them that took another path than the reference to the same answer.
    near: MutantSet,
    /// The steps of the reference.
    steps: u64,
}

/// The state of the search.
struct Search {
    targets: MutantSet,
    missing: MutantSet,
    killers: BTreeMap<usize, Draft>,
    /// The mutant that was found last.
    last: Option<usize>,
    candidates: Vec<(Draft, MutantSet)>,
    /// For each missing mutant, the cases that came nearest to exposing it, and how near they came.
    seeds: BTreeMap<usize, Vec<(u8, Draft)>>,
    /// The cases on which the reference took the most steps, with their number. They reach what others do not.
    longest: Vec<(u64, Draft)>,
}

impl Search {
    fn new(targets: MutantSet, known: &[Draft]) -> Self {
        let candidates = known.iter().map(|draft| (draft.clone(), MutantSet::default())).collect();
        Self {
            missing: targets.clone(),
            targets,
            killers: BTreeMap::new(),
            last: None,
            candidates,
            seeds: BTreeMap::new(),
            longest: Vec::new(),
        }
    }

    fn drafts(
        &self,
        generator: &dyn Generator,
        rules: &TestRules,
        broad: bool,
        seed: u64,
    ) -> Vec<Draft> {
        let mut rng = Rng::with_seed(seed);
        let mut bytes = [0; 32];
        rng.fill(&mut bytes);
        let mut runner = TestRunner::new_with_rng(
            Config::default(),
            TestRng::from_seed(RngAlgorithm::ChaCha, &bytes),
        );
        let draft = |_| match self.seed(broad, &mut rng) {
            Some(seed) => generator.neighbour(seed, rules, &mut rng),
            None => generator.sample(rules, &mut runner),
        };
        (0..BATCH).map(draft).collect()
    }

    /// A case whose neighbour to try. `None` for a fresh case.
    fn seed(&self, broad: bool, rng: &mut Rng) -> Option<&Draft> {
        if rng.u8(..10) < 4 {
            return None;
        }
        if !broad && rng.u8(..3) == 0 {
            return rng.choice(&self.longest).map(|(_, draft)| draft);
        }
        if !broad && !self.seeds.is_empty() {
            let seeds = self.seeds.values().nth(rng.usize(..self.seeds.len()))?;
            return rng.choice(seeds).map(|(_, draft)| draft);
        }
        // The first candidates expose the most.
        let best = self.candidates.len().min(1 + rng.usize(..CANDIDATES));
        rng.choice(&self.candidates[..best]).map(|(draft, _)| draft)
    }

    fn digest(&self, drafts: Vec<Draft>, answers: &[Answer]) -> Vec<Near> {
        let mut nears = Vec::new();
        for (draft, answer) in
            drafts.into_iter().zip(answers).filter(|(_, answer)| is_valid(answer))
        {
            let exposed = exposed_by(answer);
            let (reached, near) =
                (answer.reached.both(&self.missing), answer.near.both(&self.missing));
            let is_candidate = !exposed.is_empty()
                && !self.candidates.iter().any(|(_, larger)| exposed.is_subset(larger));
            let steps = answer.steps;
            let is_long = self.longest.len() < LONGEST || steps > self.longest[LONGEST - 1].0;
            if is_candidate || is_long || !reached.without(&exposed).is_empty() {
                nears.push(Near { draft, exposed, reached, near, steps });
            }
        }
        nears
    }

    fn learn(&mut self, case: Near) {
        for mutant in case.exposed.iter() {
            if self.missing.contains(mutant) {
                self.last = Some(mutant);
            }
            self.missing.remove(mutant);
            self.seeds.remove(&mutant);
            let killer = self.killers.entry(mutant).or_insert_with(|| case.draft.clone());
            if case.draft.input.len() < killer.input.len() {
                killer.clone_from(&case.draft);
            }
        }
        for mutant in case.reached.iter().filter(|&mutant| self.missing.contains(mutant)) {
            let nearness = u8::from(case.near.contains(mutant));
            let seeds = self.seeds.entry(mutant).or_default();
            if seeds.len() < SEEDS {
                seeds.push((nearness, case.draft.clone()));
            } else if let Some(farthest) = seeds.iter_mut().min_by_key(|(nearness, _)| *nearness)
                && farthest.0 <= nearness
            {
                *farthest = (nearness, case.draft.clone());
            }
        }
        let at = self.longest.partition_point(|(steps, _)| *steps >= case.steps);
        if at < LONGEST && self.longest.iter().all(|(_, draft)| *draft != case.draft) {
            self.longest.insert(at, (case.steps, case.draft.clone()));
            self.longest.truncate(LONGEST);
        }
        if !case.exposed.is_empty()
            && !self.candidates.iter().any(|(_, larger)| case.exposed.is_subset(larger))
        {
            self.candidates.retain(|(_, smaller)| !smaller.is_subset(&case.exposed));
            self.candidates.push((case.draft, case.exposed));
        }
    }

    /// Keeps the candidates that expose the most, and at least one for each mutant.
    fn trim(&mut self) {
        self.candidates.sort_by_key(|(_, exposed)| std::cmp::Reverse(exposed.len()));
        let mut needed = MutantSet::default();
        let mut at = 0;
        self.candidates.retain(|(_, exposed)| {
            let is_new = !exposed.is_subset(&needed);
            needed.add_all(exposed);
            at += 1;
            at <= CANDIDATES || is_new
        });
    }
}

/// Mixes two numbers as `SplitMix64` does, so that consecutive batches are not similar.
pub fn mixed(seed: u64, number: u64) -> u64 {
    let mut z = seed.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
