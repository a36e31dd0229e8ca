//! Confirms by processes what tests are said to expose, before they are written.

use super::engine::Engine;
use super::parallel;
use super::programs::{Programs, answers_of, request};
use super::settle::is_same;
use super::trust::{is_stopped, reason};
use crate::diagnostic::Failure;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use subject::wire::{Detail, MutantSet};
use subject::{Case, End, How, Outcome};

/// A test that is to be written: its case, and the mutants that it is said to expose.
pub struct Claim {
    pub case: Case,
    pub exposes: MutantSet,
    /// How some of them differ by their engines. That such a mutant differs needs no process once processes have confirmed it on a few
    /// cases, as in [`settle`](super::settle).
    pub by_engine: BTreeMap<usize, How>,
}

impl Claim {
    /// A claim of which every part must be confirmed.
    pub fn new(case: Case, exposes: MutantSet) -> Self {
        Self { case, exposes, by_engine: BTreeMap::new() }
    }
}

/// A mutant that a claim names, and what the reference does.
struct Claimed<'a> {
    case: &'a Case,
    reference: &'a Outcome,
    /// The time after which it is slow.
    most: Duration,
    mutant: usize,
    by_engine: Option<How>,
}

/// How a mutant differs in a process, if it does.
type Verdict = Option<How>;

/// How much longer than the reference a run may take before it gets its whole time apart from the others, and the least such time.
const SLOWER: u32 = 5;
const LEAST: Duration = Duration::from_millis(20);

impl Programs {
    /// The mutants among those that each claim names which processes confirm, or which are believed. One that does not end has used up its
    /// whole time. A program that did something else steps down, unless a limit stopped it: a process has other limits. `None` if the
    /// reference or a validator rejects the case in a process.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn confirm(&mut self, claims: &[Claim]) -> Result<Vec<Option<MutantSet>>, Failure> {
        let jobs = self.slots.len();
        let references = parallel::map(claims.len(), jobs, |at| {
            let case = &claims[at].case;
            let start = Instant::now();
            if self.work.search.has_ended() {
                return Ok(None);
            }
            let reference = Self::by_process(&self.reference, None, case, None)?;
            let verdict = self.validators.verdict_by_process(case);
            // What was stopped has not failed.
            if self.work.search.has_ended() {
                return Ok(None);
            }
            let is_valid = self.kind(&reference).is_some() && verdict?.is_none();
            Ok(is_valid.then(|| (reference, (start.elapsed() * SLOWER).max(LEAST))))
        })?;
        let valid = claims.iter().zip(&references).enumerate();
        let valid = valid.filter_map(|(at, (claim, valid))| Some((at, claim, valid.as_ref()?)));
        let runs = valid.flat_map(|(at, claim, (reference, most))| {
            claim.exposes.iter().map(move |mutant| {
                let by_engine = claim.by_engine.get(&mutant).copied();
                (at, Claimed { case: &claim.case, reference, most: *most, mutant, by_engine })
            })
        });
        let (places, runs): (Vec<_>, Vec<_>) = runs.unzip();
        let mut confirmed: Vec<_> =
            references.iter().map(|valid| valid.as_ref().map(|_| MutantSet::default())).collect();
        for ((at, run), differs) in places.iter().zip(&runs).zip(self.differ(&runs)?) {
            if differs && let Some(confirmed) = &mut confirmed[*at] {
                confirmed.insert(run.mutant);
            }
        }
        for (claim, confirmed) in claims.iter().zip(&confirmed) {
            if let Some(confirmed) = confirmed.as_ref().filter(|_| !self.work.search.has_ended()) {
                self.doubt(&claim.case, &claim.exposes.without(confirmed))?;
            }
        }
        Ok(confirmed)
    }

    /// Whether the mutant of each run differs in a process, or is believed to. No run of a mutant is believed if another one was not
    /// confirmed.
    fn differ(&mut self, runs: &[Claimed<'_>]) -> Result<Vec<bool>, Failure> {
        let is_believed = self.are_believed(runs);
        let (believed, asked): (Vec<_>, Vec<_>) = (0..runs.len()).partition(|&at| is_believed[at]);
        let mut differ = is_believed;
        let mut doubtful = MutantSet::default();
        for (&at, verdict) in asked.iter().zip(self.verdicts(runs, &asked)?) {
            let Claimed { case, mutant, by_engine, .. } = &runs[at];
            differ[at] = verdict.is_some();
            let Some(one) = *by_engine else { continue };
            if !verdict.is_some_and(|other| is_same(one, other)) {
                doubtful.insert(*mutant);
            } else if !one.is_limit() {
                let (program, name) = self.named(*mutant);
                program.add_exposed(&name, case);
            }
        }
        let again = believed.into_iter().filter(|&at| doubtful.contains(runs[at].mutant));
        let again: Vec<_> = again.collect();
        for (&at, verdict) in again.iter().zip(self.verdicts(runs, &again)?) {
            differ[at] = verdict.is_some();
        }
        self.base.write_confirmed();
        Ok(differ)
    }

    /// Which runs need no process, because processes have confirmed enough others of the same mutant, or will confirm the first of these.
    fn are_believed(&self, runs: &[Claimed<'_>]) -> Vec<bool> {
        let mut left = BTreeMap::new();
        let is_believed = |run: &Claimed<'_>| {
            let (program, name) = self.named(run.mutant);
            let may_be_believed = run.by_engine.is_some_and(|how| !how.is_limit());
            if !may_be_believed || program.engine() == Engine::Process {
                return false;
            }
            let (most, is_confirmed) = program.left_to_confirm(&name, run.case);
            let left: &mut usize = left.entry(run.mutant).or_insert(most);
            let is_enough = *left == 0;
            *left = left.saturating_sub(usize::from(!is_confirmed));
            is_confirmed || is_enough
        };
        runs.iter().map(is_believed).collect()
    }

    /// What processes say of those of `runs` that are `asked`. A mutant that takes much longer than the reference is looked at again, with
    /// all of its time, after the others.
    fn verdicts(&mut self, runs: &[Claimed<'_>], asked: &[usize]) -> Result<Vec<Verdict>, Failure> {
        let jobs = self.slots.len();
        // A run can take long, so the cores share the runs of a case too.
        let mut verdicts =
            parallel::map(asked.len(), jobs, |of| self.verdict(&runs[asked[of]], true))?;
        let slow: Vec<_> = (0..asked.len()).filter(|&of| verdicts[of].is_none()).collect();
        let request = |&of: &usize| {
            let Claimed { case, mutant, .. } = &runs[asked[of]];
            request(case, MutantSet::from_iter([*mutant]), Detail::Verdicts)
        };
        let answers =
            answers_of(&mut self.slots, &slow.iter().map(request).collect::<Vec<_>>(), 1)?;
        let settled = parallel::map(slow.len(), jobs, |at| {
            let run = &runs[asked[slow[at]]];
            let (program, name) = self.named(run.mutant);
            let is_endless =
                answers[at].endless.contains(run.mutant) || program.is_endless(&name, run.case);
            if is_endless { Ok(Some(Some(How::Timeout))) } else { self.verdict(run, false) }
        })?;
        for (of, verdict) in slow.into_iter().zip(settled) {
            verdicts[of] = verdict;
        }
        Ok(verdicts.into_iter().map(Option::flatten).collect())
    }

    /// What a process says. `None` if it takes long and must be `quick`.
    fn verdict(&self, run: &Claimed<'_>, quick: bool) -> Result<Option<Verdict>, Failure> {
        if self.work.search.has_ended() {
            return Ok(Some(None));
        }
        let (program, selected) = self.program_of(run.mutant);
        let most = Some(run.most).filter(|&most| quick && most < program.limits.time);
        let outcome = Self::by_process(program, selected, run.case, most)?;
        let fault = self.judge.fault(run.case, run.reference, &outcome);
        // What was stopped proves nothing.
        if self.work.search.has_ended() {
            return Ok(Some(None));
        }
        if outcome.end == End::Timeout {
            if most.is_some() {
                return Ok(None);
            }
            let (program, name) = self.named(run.mutant);
            program.add_endless(&name, run.case);
        }
        Ok(Some(fault?.map(|fault| fault.how)))
    }

    /// The programs of `mutants` step down, which the case exposes only by their engines, except where a limit stopped the run.
    fn doubt(&mut self, case: &Case, mutants: &MutantSet) -> Result<(), Failure> {
        if mutants.is_empty() {
            return Ok(());
        }
        let request = request(case, mutants.clone(), Detail::Outcomes);
        let answers = answers_of(&mut self.slots, &[request], 1)?;
        for difference in answers.iter().flat_map(|answer| &answer.differing) {
            let (program, id) = self.named(difference.mutant);
            let engine = program.engine();
            let by_limit = difference.outcome.as_ref().is_some_and(is_stopped);
            if engine != Engine::Process && !by_limit {
                program.step_down(engine, &reason(&case.args, Some(&id)));
            }
        }
        Ok(())
    }
}
