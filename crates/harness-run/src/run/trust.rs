//! Compares the other engines with processes, which are the truth.

use super::build::Runnable;
use super::program::BuiltProgram;
use super::programs::{Programs, agree, answers_of, request};
use crate::diagnostic::{Failure, command_line};
use crate::run::engine::Engine;
use crate::run::{parallel, process, processes};
use std::sync::Arc;
use std::time::{Duration, Instant};
use subject::wire::{Detail, MutantSet};
use subject::{Case, End, Outcome};

/// The result of a comparison with processes.
#[derive(Default)]
pub struct Trust {
    /// The number of runs that were compared.
    pub runs: u64,
    /// The first difference of each program and engine.
    pub differences: Vec<Untrue>,
}

/// A run that had another outcome in a process.
#[derive(Clone, Debug)]
pub struct Untrue {
    pub program: String,
    /// The mutant that was selected.
    pub mutant: Option<usize>,
    pub engine: Engine,
    pub case: Case,
    pub by_engine: Outcome,
    pub by_process: Outcome,
}

/// A test that is to be written: its case, and the mutants that it is said to expose.
pub struct Claim {
    pub case: Case,
    pub exposes: MutantSet,
}

/// A mutant that a claim names, and what the reference does.
struct Claimed<'a> {
    case: &'a Case,
    reference: &'a Outcome,
    /// The time after which it is slow.
    most: Duration,
    mutant: usize,
}

/// About how many runs of mutants are compared at most. If there are more, each case is compared with a share of the mutants that it
/// reaches, another one than the next case, so that each mutant is compared on cases of all sorts.
const MOST_RUNS: usize = 5000;

/// How much longer than the reference a run may take before it gets its whole time apart from the others, and the least such time.
const SLOWER: u32 = 5;
const LEAST: Duration = Duration::from_millis(20);

impl Programs {
    /// Runs cases by the programs' engines, and then a share of the runs by processes, as long as there is `time`. A program that
    /// differs steps down to its next engine, and is compared again.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn check(&mut self, cases: &[Case], time: Duration) -> Result<Trust, Failure> {
        let mut trust = Trust::default();
        let mut cases = cases.to_vec();
        while self.all().any(|program| program.engine() != Engine::Process) {
            let (runs, differences) = self.compare(&cases, time)?;
            trust.runs += runs;
            cases.clear();
            for (program, untrue) in differences {
                // The first difference has moved the program already.
                if program.engine() != untrue.engine {
                    continue;
                }
                program.step_down(untrue.engine, &reason(&untrue.case));
                cases.push(untrue.case.clone());
                trust.differences.push(untrue);
            }
            if cases.is_empty() {
                break;
            }
        }
        Ok(trust)
    }

    /// What a process of the reference does on each case.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn reference_outcomes(&self, cases: &[Case]) -> Result<Vec<Outcome>, Failure> {
        parallel::map(cases.len(), self.slots.len(), |at| {
            Self::by_process(&self.reference, None, &cases[at], None)
        })
    }

    /// The mutants among those that each claim names which processes confirm. One that does not end has used up its whole time. A program
    /// that did something else steps down, unless a limit stopped it: a process has other limits. `None` if the reference or a validator
    /// rejects the case in a process.
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
        let runs = claims.iter().zip(&references).enumerate();
        let runs = runs.filter_map(|(at, (claim, valid))| Some((at, claim, valid.as_ref()?)));
        let runs = runs.flat_map(|(at, claim, valid)| {
            claim.exposes.iter().map(move |mutant| (at, claim, valid, mutant))
        });
        let runs = runs.map(|(at, claim, (reference, most), mutant)| {
            (at, Claimed { case: &claim.case, reference, most: *most, mutant })
        });
        let runs: Vec<_> = runs.collect();
        let are_wrong = self.are_wrong(&runs)?;
        let mut confirmed: Vec<_> =
            references.iter().map(|valid| valid.as_ref().map(|_| MutantSet::default())).collect();
        for ((at, run), is_wrong) in runs.iter().zip(are_wrong) {
            if is_wrong && let Some(confirmed) = &mut confirmed[*at] {
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

    /// Whether the mutant of each run is wrong in a process. One that takes much longer than the reference is looked at again, with all of
    /// its time, after the others.
    fn are_wrong(&mut self, runs: &[(usize, Claimed<'_>)]) -> Result<Vec<bool>, Failure> {
        let jobs = self.slots.len();
        // A run can take long, so the cores share the runs of a case too.
        let mut verdicts = parallel::map(runs.len(), jobs, |of| self.is_wrong(&runs[of].1, true))?;
        let slow: Vec<_> = (0..runs.len()).filter(|&of| verdicts[of].is_none()).collect();
        let request = |&of: &usize| {
            let Claimed { case, mutant, .. } = &runs[of].1;
            request(case, MutantSet::from_iter([*mutant]), Detail::Verdicts)
        };
        let answers =
            answers_of(&mut self.slots, &slow.iter().map(request).collect::<Vec<_>>(), 1)?;
        let settled = parallel::map(slow.len(), jobs, |at| {
            let run = &runs[slow[at]].1;
            let (program, name) = self.named(run.mutant);
            let is_endless =
                answers[at].endless.contains(run.mutant) || program.is_endless(&name, run.case);
            if is_endless { Ok(Some(true)) } else { self.is_wrong(run, false) }
        })?;
        for (of, verdict) in slow.into_iter().zip(settled) {
            verdicts[of] = verdict;
        }
        self.base.write_confirmed();
        Ok(verdicts.into_iter().map(|verdict| verdict == Some(true)).collect())
    }

    /// Whether a mutant is wrong in a process. `None` if it takes long and must be `quick`.
    fn is_wrong(&self, run: &Claimed<'_>, quick: bool) -> Result<Option<bool>, Failure> {
        if self.work.search.has_ended() {
            return Ok(Some(false));
        }
        let (program, selected) = self.program_of(run.mutant);
        let most = Some(run.most).filter(|&most| quick && most < program.limits.time);
        let outcome = Self::by_process(program, selected, run.case, most)?;
        let fault = self.judge.fault(run.case, run.reference, &outcome);
        // What was stopped proves nothing.
        if self.work.search.has_ended() {
            return Ok(Some(false));
        }
        if outcome.end == End::Timeout {
            if most.is_some() {
                return Ok(None);
            }
            let (program, name) = self.named(run.mutant);
            program.add_endless(&name, run.case);
        }
        Ok(Some(fault?.is_some()))
    }

    /// The programs of `mutants` step down, which the case exposes only by their engines, except where a limit stopped the run.
    fn doubt(&mut self, case: &Case, mutants: &MutantSet) -> Result<(), Failure> {
        if mutants.is_empty() {
            return Ok(());
        }
        let request = request(case, mutants.clone(), Detail::Outcomes);
        let answers = answers_of(&mut self.slots, &[request], 1)?;
        for difference in answers.iter().flat_map(|answer| &answer.differing) {
            let (program, _) = self.program_of(difference.mutant);
            let engine = program.engine();
            let by_limit = difference.outcome.as_ref().is_some_and(is_stopped);
            if engine != Engine::Process && !by_limit {
                program.step_down(engine, &reason(case));
            }
        }
        Ok(())
    }

    /// The number of runs that were compared, and those that differ.
    fn compare(
        &mut self,
        cases: &[Case],
        time: Duration,
    ) -> Result<(u64, Vec<(Arc<BuiltProgram>, Untrue)>), Failure> {
        const BATCH: usize = 16;
        let all = MutantSet::all(self.base.hello.ids.len()).both(&self.selected);
        let requests = |mutants: &MutantSet| {
            let requests =
                cases.iter().map(|case| request(case, mutants.clone(), Detail::Outcomes));
            requests.collect::<Vec<_>>()
        };
        let answers = answers_of(&mut self.slots, &requests(&all), BATCH)?;
        let clean = match self.clean.as_mut_slice() {
            [] => Vec::new(),
            clean => answers_of(clean, &requests(&MutantSet::default()), BATCH)?,
        };
        let pairs: usize = answers.iter().map(|answer| answer.reached.len()).sum();
        let share = pairs.div_ceil(MOST_RUNS).max(1);
        let (jobs, until) = (self.slots.len(), Instant::now() + time);
        let compared = parallel::map(cases.len(), jobs, |at| {
            let mut comparison = Comparison { case: &cases[at], until, runs: 0, found: Vec::new() };
            if let Some(clean) = clean.get(at) {
                comparison.add(&self.reference, None, &clean.reference)?;
            }
            let answer = &answers[at];
            comparison.add(&self.base, None, &answer.reference)?;
            if self.base.hello.runs_mutants_after(&answer.reference.end) {
                for mutant in answer.reached.iter().filter(|it| (at + it) % share == 0) {
                    let difference =
                        answer.differing.iter().find(|difference| difference.mutant == mutant);
                    let outcome = difference.and_then(|difference| difference.outcome.as_ref());
                    let (program, selected) = self.program_of(mutant);
                    comparison.add(program, selected, outcome.unwrap_or(&answer.reference))?;
                }
            }
            Ok((comparison.runs, comparison.found))
        })?;
        let runs = compared.iter().map(|(runs, _)| runs).sum();
        Ok((runs, compared.into_iter().flat_map(|(_, found)| found).collect()))
    }

    /// The program that runs `mutant`, and the mutant that it must select.
    pub(super) fn program_of(&self, mutant: usize) -> (&Arc<BuiltProgram>, Option<usize>) {
        match self.own.get(&mutant) {
            Some(own) => (own, None),
            None => (&self.base, Some(mutant)),
        }
    }

    /// What to start to run `mutant` as a process.
    pub(super) fn runnable_of(&self, mutant: usize) -> Runnable {
        let (program, selected) = self.program_of(mutant);
        selected.map_or_else(
            || program.runnable.clone(),
            |mutant| processes::with_mutant(program, mutant),
        )
    }

    /// What a process does. It may be stopped after `most`. Only a time-out at its own limit is confirmed.
    fn by_process(
        program: &BuiltProgram,
        mutant: Option<usize>,
        case: &Case,
        most: Option<Duration>,
    ) -> Result<Outcome, Failure> {
        let runnable = match mutant {
            Some(mutant) => processes::with_mutant(program, mutant),
            None => program.runnable.clone(),
        };
        let limits = program.limits;
        let outcome = match most.filter(|&most| most < limits.time) {
            None => process::run(&program.work, &runnable, case, &limits),
            Some(time) => {
                let limits = process::ProcessLimits { time, ..limits };
                process::run_among_others(&program.work, &runnable, case, &limits)
            }
        };
        outcome
            .map(|(outcome, _)| outcome)
            .map_err(|error| process::failure(format!("run {}", runnable.words.join(" ")), &error))
    }
}

/// Whether a limit stopped a run.
fn is_stopped(outcome: &Outcome) -> bool {
    matches!(outcome.end, End::Timeout | End::Memory | End::OutputLimit)
}

/// Why a program steps down.
pub(super) fn reason(case: &Case) -> String {
    format!("it did something else than a process on `{}`", command_line(&case.args))
}

/// The comparison of one case.
struct Comparison<'a> {
    case: &'a Case,
    until: Instant,
    runs: u64,
    found: Vec<(Arc<BuiltProgram>, Untrue)>,
}

impl Comparison<'_> {
    /// Compares a run of `program` with a process. A run that was stopped by a limit is left out, because a process has other limits.
    fn add(
        &mut self,
        program: &Arc<BuiltProgram>,
        mutant: Option<usize>,
        by_engine: &Outcome,
    ) -> Result<(), Failure> {
        let engine = program.engine();
        if engine == Engine::Process || is_stopped(by_engine) || Instant::now() >= self.until {
            return Ok(());
        }
        let by_process = Programs::by_process(program, mutant, self.case, None)?;
        self.runs += 1;
        if !agree(by_engine, &by_process) {
            let untrue = Untrue {
                program: program.name.clone(),
                mutant,
                engine,
                case: self.case.clone(),
                by_engine: by_engine.clone(),
                by_process,
            };
            self.found.push((program.clone(), untrue));
        }
        Ok(())
    }
}
