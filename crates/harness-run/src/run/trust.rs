//! Compares the other engines with processes, which are the truth.

use super::build::Runnable;
use super::program::BuiltProgram;
use super::programs::{Programs, agree, answers_of, request};
use crate::diagnostic::{Failure, command_line};
use crate::run::engine::Engine;
use crate::run::{parallel, process, processes};
use std::collections::BTreeMap;
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

/// The most runs of mutants that are compared, of one mutant, and of the reference. More say hardly anything, and take long where a
/// process starts slowly. They are spread over the cases, so that each mutant is compared on cases of all sorts.
const MOST_RUNS: usize = 5000;
const MOST_OF_ONE: usize = 64;
const MOST_OF_REFERENCE: usize = 128;

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
                let id = untrue.mutant.map(|mutant| self.base.hello.ids[mutant].as_str());
                program.step_down(untrue.engine, &reason(&untrue.case.args, id));
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
        let reached: Vec<_> = answers.iter().map(|answer| &answer.reached).collect();
        let chosen = chosen(&reached);
        let of_reference = cases.len().div_ceil(MOST_OF_REFERENCE).max(1);
        let (jobs, until) = (self.slots.len(), Instant::now() + time);
        let compared = parallel::map(cases.len(), jobs, |at| {
            let mut comparison = Comparison { case: &cases[at], until, runs: 0, found: Vec::new() };
            let answer = &answers[at];
            if at.is_multiple_of(of_reference) {
                if let Some(clean) = clean.get(at) {
                    comparison.add(&self.reference, None, &clean.reference)?;
                }
                comparison.add(&self.base, None, &answer.reference)?;
            }
            if self.base.hello.runs_mutants_after(&answer.reference.end) {
                for mutant in chosen[at].iter() {
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
    pub(super) fn by_process(
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

/// Those mutants that each case reaches which are compared on it: each mutant on about as many cases as any other, if it is reached on so
/// many.
fn chosen(reached: &[&MutantSet]) -> Vec<MutantSet> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for mutant in reached.iter().flat_map(|mutants| mutants.iter()) {
        *counts.entry(mutant).or_default() += 1;
    }
    let most = (MOST_RUNS / counts.len().max(1)).clamp(1, MOST_OF_ONE);
    // Another mutant is compared on other cases.
    let mut turns: BTreeMap<usize, usize> = counts.keys().map(|&mutant| (mutant, mutant)).collect();
    let mut is_chosen = |mutant: &usize| {
        let turn = turns.entry(*mutant).or_default();
        *turn += 1;
        turn.is_multiple_of(counts[mutant].div_ceil(most))
    };
    reached.iter().map(|mutants| mutants.iter().filter(&mut is_chosen).collect()).collect()
}

/// Whether a limit stopped a run.
pub(super) fn is_stopped(outcome: &Outcome) -> bool {
    matches!(outcome.end, End::Timeout | End::Memory | End::OutputLimit)
}

/// Why a program steps down that did something else than a process with these arguments, perhaps as a mutant.
pub fn reason(args: &[String], mutant: Option<&str>) -> String {
    let with = match args {
        [] => String::new(),
        args => format!(" with `{}`", command_line(args)),
    };
    let mutant = mutant.filter(|id| !id.is_empty());
    let mutant = mutant.map(|id| format!(", as the mutant `{id}`")).unwrap_or_default();
    format!("it did something else than a process{with}{mutant}")
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of cases on which each of so many mutants is compared, if each case reaches all of them, and the first one the last.
    fn counts(cases: usize, mutants: usize) -> Vec<usize> {
        let all = MutantSet::all(mutants);
        let mut reached = vec![&all; cases];
        let last = MutantSet::from_iter([mutants]);
        reached.insert(0, &last);
        let chosen = chosen(&reached);
        (0..=mutants).map(|it| chosen.iter().filter(|chosen| chosen.contains(it)).count()).collect()
    }

    #[test]
    fn each_mutant_is_compared_on_a_share_of_many_cases_and_on_all_of_few() {
        assert_eq!(counts(50, 2), [50, 50, 1]);
        assert_eq!(counts(640, 2), [64, 64, 1]);
        // All of them on 50 cases would be too many.
        let many = counts(100, 199);
        assert!(many[..199].iter().all(|&count| count == 25), "{many:?}");
        assert_eq!(many[199], 1);
    }

    #[test]
    fn a_mutant_is_compared_on_other_cases_than_the_next_one() {
        let all = MutantSet::all(10);
        let chosen = chosen(&vec![&all; 640]);
        assert!(chosen.iter().all(|mutants| mutants.len() == 1));
    }
}
