//! Running the builds of an assignment: all on the corpus, and each mutant on its witness.

use super::super::Choice;
use super::Built;
use super::corpus::Corpus;
use crate::generate::arena;
use crate::problem::progress::Progress;
use crate::problem::{Failure, Problem};
use crate::result::verify::{self, CorpusRun, Trial};
use crate::run::build::Runnable;
use crate::run::judge;
use crate::run::matrix::{Isolated, Runner};
use crate::run::prepare;
use crate::run::process;
use crate::run::worker::{Pool, Settings};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use subject::wire::{Answer, Detail, Hello, MutantSet, Request};
use subject::{Case, End, How, Outcome};

/// What runs the builds.
pub(super) struct Runs<'a> {
    choice: &'a Choice<'a>,
    built: &'a Built,
    workers: Option<Workers>,
    jobs: usize,
}

/// The clean build and the combined one, as workers.
struct Workers {
    clean: Pool,
    combined: Pool,
}

impl<'a> Runs<'a> {
    pub(super) fn new(choice: &'a Choice<'a>, built: &'a Built, jobs: usize) -> Self {
        let workers = built.combined.clone().map(|combined| {
            let settings = prepare::settings(choice.assignment, &choice.mutants, combined);
            let hello = Hello { ids: Vec::new(), limits: settings.hello.limits };
            let clean = Settings { runnable: built.reference.clone(), hello, ..settings.clone() };
            Workers { clean: Pool::new(&clean, jobs), combined: Pool::new(&settings, jobs) }
        });
        Self { choice, built, workers, jobs }
    }

    /// What the reference did on each case, and what was seen of the mutants that are meant.
    pub(super) fn corpus(
        &mut self,
        cases: &[Case],
        problems: &mut Vec<Problem>,
    ) -> Result<(Vec<Outcome>, Vec<CorpusRun>), Failure> {
        let _progress = Progress::new("running all on a corpus", None);
        let domain = self.choice.assignment.domain;
        let Some(workers) = &mut self.workers else { return self.corpus_of_processes(cases) };
        let requests = |mutants: &MutantSet| -> Vec<_> {
            let request = |case: &Case| Request {
                case: case.clone(),
                mutants: mutants.clone(),
                detail: judge::detail(domain, Detail::Reference),
            };
            cases.iter().map(request).collect()
        };
        let clean = workers.clean.rows(&requests(&MutantSet::default()))?;
        let combined = workers.combined.rows(&requests(&self.choice.meant))?;
        problems.extend(disagreement(cases, &clean, &combined));
        let judged = combined
            .into_iter()
            .zip(cases)
            .map(|(answer, case)| judge::judged(domain, case, answer));
        let seen = judged.map(|answer| CorpusRun {
            valid: arena::is_valid(&answer),
            exposed: arena::exposed_by(&answer),
            reached: Some(answer.reached),
        });
        Ok((clean.into_iter().map(|answer| answer.reference).collect(), seen.collect()))
    }

    fn corpus_of_processes(
        &self,
        cases: &[Case],
    ) -> Result<(Vec<Outcome>, Vec<CorpusRun>), Failure> {
        let (indices, mutants): (Vec<_>, Vec<_>) =
            self.built.isolated.iter().map(|(&index, program)| (index, program.clone())).unzip();
        let run = &self.choice.assignment.run;
        let limits = prepare::process_limits(run);
        let mut runner = Isolated {
            domain: self.choice.assignment.domain,
            reference: self.built.reference.clone(),
            mutants,
            limits,
            factor: run.factor,
            jobs: self.jobs,
        };
        let rows = runner.rows(cases)?;
        let seen = rows.iter().map(|row| CorpusRun {
            valid: row.reference.end == End::Exit(0),
            exposed: row.exposed.iter().map(|&(at, _): &(usize, How)| indices[at]).collect(),
            reached: None,
        });
        let seen = seen.collect();
        Ok((rows.into_iter().map(|row| row.reference).collect(), seen))
    }

    /// What each mutant that is meant does on its witness, in every build.
    pub(super) fn trials(
        &mut self,
        corpus: &Corpus,
        references: &[Outcome],
    ) -> Result<Vec<(usize, Trial)>, Failure> {
        let Corpus { cases, witnesses, .. } = corpus;
        let _progress = Progress::new("running each on its witness", None);
        let tried: Vec<_> = self
            .choice
            .meant
            .iter()
            .filter_map(|index| Some((index, *witnesses.get(&index)?)))
            .collect();
        let combined: Vec<Option<Outcome>> = match &mut self.workers {
            None => tried.iter().map(|_| None).collect(),
            Some(workers) => {
                let request = |&(index, at): &(usize, usize)| Request {
                    case: cases[at].clone(),
                    mutants: MutantSet::from_iter([index]),
                    detail: Detail::Outcomes,
                };
                let answers =
                    workers.combined.rows(&tried.iter().map(request).collect::<Vec<_>>())?;
                answers.into_iter().map(|answer| Some(outcome_of_one(answer))).collect()
            }
        };
        let alone = side_by_side(&tried, self.jobs, |&(index, at)| self.alone(index, &cases[at]))?;
        let trials =
            tried.iter().zip(combined).zip(alone).map(|((&(index, at), combined), alone)| {
                let (reference_process, isolated) = alone.unzip();
                (
                    index,
                    Trial {
                        case: cases[at].clone(),
                        reference: references[at].clone(),
                        reference_process,
                        combined,
                        isolated,
                    },
                )
            });
        Ok(trials.collect())
    }

    /// What the reference and the mutant do as processes of their own, where the mutant was built so.
    fn alone(&self, index: usize, case: &Case) -> Result<Option<(Outcome, Outcome)>, Failure> {
        let Some(mutant) = self.built.isolated.get(&index) else { return Ok(None) };
        let run = &self.choice.assignment.run;
        let limits = prepare::process_limits(run);
        let start = |runnable: &Runnable, limits: &process::Limits| {
            process::run(runnable, case, limits).map_err(|error| {
                Failure::machine(format!("run {}", runnable.words.join(" ")), error)
            })
        };
        let (reference, time) = start(&self.built.reference, &limits)?;
        let time =
            limits.time.max(time.saturating_mul(u32::try_from(run.factor).unwrap_or(u32::MAX)));
        let (outcome, _) = start(mutant, &process::Limits { time, ..limits })?;
        Ok(Some((reference, outcome)))
    }
}

/// What the one mutant that was run did: what the reference did, where it does not differ.
fn outcome_of_one(mut answer: Answer) -> Outcome {
    answer.differing.pop().and_then(|difference| difference.outcome).unwrap_or(answer.reference)
}

/// The first case on which the combined build with nothing selected is not the reference, and how many there are.
fn disagreement(cases: &[Case], clean: &[Answer], combined: &[Answer]) -> Option<Problem> {
    let differ: Vec<_> =
        (0..cases.len()).filter(|&at| clean[at].reference != combined[at].reference).collect();
    let first = differ.first()?;
    let message = format!(
        "the combined build with nothing selected is not the reference: they differ on {} of {} cases, the first of which follows\n{}",
        differ.len(),
        cases.len(),
        verify::described(&cases[*first])
    );
    let hint = "some mutant changes more than `bug!` shows: is what it asks kept from run to run, or asked where nothing is selected?";
    Some(Problem::new(message).hint(hint))
}

/// `work` on each of `items`, `jobs` at a time; the results in order.
fn side_by_side<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> Result<R, Failure> + Sync,
) -> Result<Vec<R>, Failure> {
    let results: Vec<Mutex<Option<Result<R, Failure>>>> =
        items.iter().map(|_| Mutex::default()).collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                while let Some((at, item)) = Some(next.fetch_add(1, Ordering::Relaxed))
                    .and_then(|at| Some((at, items.get(at)?)))
                {
                    *results[at].lock().expect("no run panics") = Some(work(item));
                }
            });
        }
    });
    results
        .into_iter()
        .map(|result| {
            result.into_inner().expect("no run panicked").expect("every item was worked on")
        })
        .collect()
}
