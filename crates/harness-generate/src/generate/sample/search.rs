//! The state of a search that tries random cases: what it has found, which cases are worth a neighbour, and how large its rounds are.

use super::extremes::{Effort, Extremes};
use super::step_budget::StepBudget;
use super::{Broad, Known};
use crate::course::Assignment;
use crate::diagnostic::Failure;
use crate::domain::{Draft, Generator, TestRules};
use crate::generate::evaluator::{
    Batch, Evaluator, count_run, exposed_by, is_valid, ran_out, stopped_by,
};
use crate::generate::fill;
use crate::generate::repeats::{Repeats, digest};
use crate::generate::seeds::mixed;
use fastrand::Rng;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::BTreeMap;
use std::time::Duration;
use subject::wire::{Answer, MutantSet};

/// The part of the budget after which the finds are reduced and selected: usually, if that takes long, and if there are none.
const PART: f64 = 0.9;
const SLOW: f64 = 0.8;
const QUIET: f64 = 0.95;
/// The number of cases in a batch, and of batches in a round.
pub(super) const BATCH: usize = 64;
pub(super) const ROUND: usize = 16;
/// The number of batches in a round that run on all targets, to find cases that expose many. The others run only on the missing mutants.
const BROAD: usize = 4;
/// A search that finds nothing new for so many rounds is stuck.
const PATIENCE: usize = 2;
/// A round that takes longer than this, by the steps of its runs, is too long.
pub(super) const LONG_ROUND: Duration = Duration::from_secs(1);
/// How many times as many batches are in a round of a search that is stuck. All of them run only on the missing mutants.
const WIDER: usize = 4;
/// The number of seeds that are kept for each missing mutant.
const SEEDS: usize = 8;
/// The number of candidates that are kept for the selection.
const CANDIDATES: usize = 400;

/// What a batch found.
pub(super) struct Tried {
    pub(super) level: u32,
    /// The digests of its cases.
    pub(super) digests: Vec<u64>,
    /// The cases that ran out of steps.
    pub(super) cut: Vec<Draft>,
    /// How many cases it tried.
    pub(super) count: usize,
    /// How many of them were run to the end.
    pub(super) run: u64,
    pub(super) nears: Vec<Near>,
    pub(super) broad: Broad,
}

/// A case worth remembering.
pub(super) struct Near {
    pub(super) draft: Draft,
    pub(super) exposed: MutantSet,
    /// Those of them that a limit stopped.
    pub(super) stopped: MutantSet,
    /// The missing mutants that it reached.
    reached: MutantSet,
    /// Those of them that took another path than the reference to the same answer.
    near: MutantSet,
    /// What the reference did, if that is extreme.
    effort: Option<Effort>,
}

/// The state of the search.
pub(super) struct Search {
    targets: MutantSet,
    pub(super) missing: MutantSet,
    pub(super) killers: BTreeMap<usize, Draft>,
    /// Whether something was found before.
    has_finds: bool,
    /// The mutant that was found last.
    pub(super) last: Option<usize>,
    pub(super) candidates: Vec<(Draft, MutantSet)>,
    data: Vec<Draft>,
    /// For each missing mutant, the cases that came nearest to exposing it, and how near they came.
    seeds: BTreeMap<usize, Vec<(u8, Draft)>>,
    extremes: Extremes,
    pub(super) broad: Broad,
    pub(super) repeats: Repeats,
    /// The number of batches of fresh cases so far.
    pub(super) batches: usize,
    /// The number of rounds since a missing mutant was found.
    quiet: usize,
    /// What takes about as long as a round should: so many times half as many batches as usual.
    halved: u32,
    /// Whether validators refuse most cases. Those near valid ones are rather valid.
    pub(super) are_mostly_refused: bool,
}

impl Search {
    /// A search for `targets`, which looks for no case for those that are `settled`.
    pub(super) fn new(
        targets: MutantSet,
        settled: &MutantSet,
        has_finds: bool,
        known: Known,
    ) -> Self {
        let Known { small, data } = known;
        let candidates = small.into_iter().map(|draft| (draft, MutantSet::default())).collect();
        Self {
            data,
            missing: targets.without(settled),
            targets,
            killers: BTreeMap::new(),
            has_finds,
            last: None,
            candidates,
            seeds: BTreeMap::new(),
            extremes: Extremes::default(),
            broad: Broad::default(),
            repeats: Repeats::default(),
            batches: 0,
            quiet: 0,
            halved: 0,
            are_mostly_refused: false,
        }
    }

    /// Whether there is anything to reduce and select.
    pub(super) fn has_found(&self) -> bool {
        self.has_finds || !self.killers.is_empty()
    }

    /// The part of the budget after which the search ends.
    pub(super) fn part(&self, evaluator: &Evaluator<'_>) -> f64 {
        match (self.has_found(), evaluator.is_slow()) {
            (false, _) => QUIET,
            (true, false) => PART,
            (true, true) => SLOW,
        }
    }

    fn is_stuck(&self) -> bool {
        !self.missing.is_empty() && self.quiet > PATIENCE
    }

    /// The number of new batches in the next round.
    pub(super) fn round(&self) -> usize {
        let round = if self.is_stuck() { ROUND * WIDER } else { ROUND };
        (round >> self.halved).max(1)
    }

    /// Begins with rounds that do not take too long if each case takes the reference and each target so many `steps` at least, of which a
    /// round may take `most`.
    pub(super) fn begin(&mut self, steps: u64, most: u64) {
        let each = steps.saturating_mul(1 + self.targets.len() as u64);
        while self.round() > 1 && (self.round() * BATCH) as u64 > most / each.max(1) {
            self.halved += 1;
        }
    }

    /// Takes fewer batches in the next round if this one took too long, and more if it did not. A round of few batches soon uses what it
    /// finds.
    pub(super) fn pace(&mut self, spent: Duration) {
        if spent > LONG_ROUND && self.round() > 1 {
            self.halved += 1;
        } else if spent < LONG_ROUND / 4 {
            self.halved = self.halved.saturating_sub(1);
        }
    }

    /// Tries new cases, and `slow` ones, each batch of which comes with its level.
    pub(super) fn try_round(
        &self,
        evaluator: &mut Evaluator<'_>,
        step_budget: &StepBudget,
        slow: &[(u32, Vec<Draft>)],
        seed: u64,
    ) -> Result<Vec<Tried>, Failure> {
        let (generator, rules) = (evaluator.generator, &evaluator.rules.clone());
        let assignment = evaluator.assignment;
        let search = evaluator.programs.work().search.clone();
        let broad = if self.is_stuck() { 0 } else { BROAD >> self.halved };
        // While nothing is found, the missing mutants are all targets.
        let are_all_broad = self.missing.is_empty() || self.missing == self.targets;
        let is_broad = |at: usize| are_all_broad || at < broad;
        let new = |at: usize| {
            let mutants = if is_broad(at) { &self.targets } else { &self.missing };
            let seed = mixed(seed, (self.batches + at) as u64);
            let drafts = self.drafts(generator, rules, at < broad, seed);
            // A shape may need long to make a case.
            Batch::new(drafts.take_while(|_| !search.is_over()).collect(), mutants)
        };
        let level = |at: usize| slow.get(at).map_or(0, |(level, _)| *level);
        let keeps = |at: usize| {
            self.broad.count < fill::CASES && at.checked_sub(slow.len()).is_some_and(is_broad)
        };
        let part = self.part(evaluator);
        evaluator.sweep_quickly(
            part,
            slow.len() + self.round(),
            |at| {
                let batch = match slow.get(at) {
                    Some((_, drafts)) => Batch::new(drafts.clone(), &self.missing),
                    None => new(at - slow.len()),
                };
                Batch { most_steps: step_budget.steps(level(at)), ..batch }
            },
            |at, drafts, answers| {
                let cut = ran_out(&drafts, &answers, step_budget.steps(level(at)));
                Tried {
                    level: level(at),
                    digests: drafts.iter().map(digest).collect(),
                    count: answers.len(),
                    run: count_run(&answers).saturating_sub(cut.len() as u64),
                    cut,
                    broad: if keeps(at) { Broad::of(&drafts, &answers) } else { Broad::default() },
                    nears: self.digest(generator, assignment, drafts, &answers),
                }
            },
        )
    }

    /// Tries one of the largest cases in every other round of a search that is stuck. They come last, and one at a time, because programs
    /// may be slow on them.
    pub(super) fn try_largest(
        &self,
        evaluator: &mut Evaluator<'_>,
        seed: u64,
    ) -> Result<Vec<Near>, Failure> {
        if !self.is_stuck() || !self.quiet.is_multiple_of(2) {
            return Ok(Vec::new());
        }
        let (generator, assignment) = (evaluator.generator, evaluator.assignment);
        let mut rng = Rng::with_seed(mixed(!seed, self.batches as u64));
        let Some(draft) = generator.largest(&evaluator.rules, &mut rng) else {
            return Ok(Vec::new());
        };
        let tried = evaluator.sweep(
            1,
            |_| Batch::new(vec![draft.clone()], &self.missing),
            |_, drafts, answers| self.digest(generator, assignment, drafts, &answers),
        )?;
        // No other case is looked for near a slow one.
        let finds = tried.into_iter().flatten().filter(|near| !near.exposed.is_empty());
        let without_seeds = |near| Near {
            reached: MutantSet::default(),
            near: MutantSet::default(),
            effort: None,
            ..near
        };
        Ok(finds.map(without_seeds).collect())
    }

    fn drafts(
        &self,
        generator: &dyn Generator,
        rules: &TestRules,
        broad: bool,
        seed: u64,
    ) -> impl Iterator<Item = Draft> {
        let mut rng = Rng::with_seed(seed);
        let mut bytes = [0; 32];
        rng.fill(&mut bytes);
        let mut runner = TestRunner::new_with_rng(
            Config::default(),
            TestRng::from_seed(RngAlgorithm::ChaCha, &bytes),
        );
        let draft = move |_| match self.seed(broad, &mut rng) {
            Some(seed) if self.is_stuck() && rng.bool() => {
                generator.with_text_changed(seed, rules, &mut rng)
            }
            Some(seed) => generator.neighbour(seed, rules, &mut rng),
            None => generator.sample(rules, &mut runner),
        };
        (0..BATCH).map(draft)
    }

    /// A case whose neighbour to try. `None` for a fresh case.
    fn seed(&self, broad: bool, rng: &mut Rng) -> Option<&Draft> {
        // Of 10 cases, so many are fresh. Of 3 others, so many are near an extreme one.
        let (fresh, extreme) = match (self.are_mostly_refused, self.is_stuck()) {
            (true, _) => (1, 2),
            (false, true) => (2, 2),
            (false, false) => (4, 1),
        };
        if rng.u8(..10) < fresh {
            return None;
        }
        if !broad && !self.data.is_empty() && rng.u8(..3) == 0 {
            return rng.choice(&self.data);
        }
        if !broad && rng.u8(..3) < extreme {
            return self.extremes.any(rng);
        }
        if !broad && !self.seeds.is_empty() {
            let seeds = self.seeds.values().nth(rng.usize(..self.seeds.len()))?;
            return rng.choice(seeds).map(|(_, draft)| draft);
        }
        // The first candidates expose the most.
        let best = self.candidates.len().min(1 + rng.usize(..CANDIDATES));
        rng.choice(&self.candidates[..best]).map(|(draft, _)| draft)
    }

    /// What is worth remembering of the valid ones of these cases, and their answers.
    fn digest(
        &self,
        generator: &dyn Generator,
        assignment: &Assignment,
        drafts: Vec<Draft>,
        answers: &[Answer],
    ) -> Vec<Near> {
        let answered = drafts.into_iter().zip(answers);
        let mut nears = Vec::new();
        for (draft, answer) in
            answered.filter(|(draft, answer)| is_valid(assignment, draft, answer))
        {
            let exposed = exposed_by(answer);
            let (reached, near) =
                (answer.reached.both(&self.missing), answer.near.both(&self.missing));
            let is_candidate = !exposed.is_empty()
                && !self.candidates.iter().any(|(_, larger)| exposed.is_subset(larger));
            let effort = Effort { steps: answer.steps, written: answer.written };
            let is_extreme = self.extremes.want(&draft, effort) && generator.is_usual(&draft);
            let effort = is_extreme.then_some(effort);
            if is_candidate || is_extreme || !reached.without(&exposed).is_empty() {
                let stopped = stopped_by(answer);
                nears.push(Near { draft, exposed, stopped, reached, near, effort });
            }
        }
        nears
    }

    /// Learns from the cases of a round.
    pub(super) fn learn(&mut self, nears: Vec<Near>) {
        let missing = self.missing.len();
        nears.into_iter().for_each(|near| self.remember(near));
        self.quiet = if self.missing.len() < missing { 0 } else { self.quiet + 1 };
        self.trim();
    }

    fn remember(&mut self, case: Near) {
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
        if let Some(effort) = case.effort {
            self.extremes.add(&case.draft, effort);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_round_has_fewer_cases_the_longer_each_takes() {
        // So many steps are a second.
        const MOST: u64 = 1_000_000;
        let cases = |steps| {
            let known = Known { small: Vec::new(), data: Vec::new() };
            let targets = MutantSet::from_iter([0, 1, 2]);
            let mut search = Search::new(targets, &MutantSet::default(), false, known);
            search.begin(steps, MOST);
            search.round() * BATCH
        };
        assert_eq!(cases(0), ROUND * BATCH);
        assert_eq!(cases(MOST / (4 * 2 * BATCH as u64)), 2 * BATCH);
        assert_eq!(cases(MOST), BATCH);
    }
}
