//! `harness mutants mine`: finds the bugs in the programs of a past class, and which of them no mutant represents.

mod programs;

use crate::cli::mutants::Mine;
use crate::command::{generate, given_up, print};
use crate::course::{Assignment, Course};
use crate::domain::Draft;
use crate::generate::Arena;
use crate::generate::mine::behaviours::{self, Behaviour, CaseKind, Trace};
use crate::generate::mine::likeness::likenesses;
use crate::generate::mine::smallest::{Smallest, Wanted};
use crate::generate::mine::trial::Candidate;
use crate::generate::mine::{Corpus, Trial};
use crate::problem::progress::Progress;
use crate::problem::{Exit, Failure, Problem};
use crate::report::mined::{self, Mined, SCHEMA};
use crate::result::engines;
use crate::run::build::Runnable;
use crate::run::{interrupt, parallel, prepare};
use crate::suite::{Suite, Test};
use programs::Given;
use std::collections::BTreeMap;

pub(super) fn run(options: &Mine) -> Result<Exit, Failure> {
    let course = Course::read(&options.course)?;
    let assignment = course.assignment_or_only(options.assignment.as_deref())?;
    let budget = generate::budget(options.budget)?;
    let given = Given::all(&options.programs)?;
    let mut arena = Arena::build(&course, assignment, prepare::jobs(options.jobs))?;
    let handed_in = sample_tests(&course, assignment)?;
    interrupt::listen();
    arena.limit(budget);
    let corpus = Corpus::new(&mut arena, &handed_in, options.seed)?;
    let tried = try_all(options, &course, &arena, &corpus, &given)?;
    let report = Report { options, course: &course, arena, corpus, given, tried }.made()?;
    print("the report", &report, options.format)?;
    Ok(Exit::Done)
}

/// The tests of the course's sample suite, if it has one.
fn sample_tests(course: &Course, assignment: &Assignment) -> Result<Vec<Draft>, Failure> {
    let folder = course.folder.join("student_tests").join(&assignment.id);
    let tests = if folder.is_dir() { Suite::read(&folder, assignment)?.tests } else { Vec::new() };
    Ok(tests.iter().map(Test::draft).collect())
}

/// A program that was built and ran.
#[derive(Clone)]
struct Tried {
    runnable: Runnable,
    trial: Trial,
}

/// Builds and tries each program, those that are the same once. A program that cannot be tried has a problem. `None` for those that are
/// left when the time is up.
fn try_all(
    options: &Mine,
    course: &Course,
    arena: &Arena<'_>,
    corpus: &Corpus,
    given: &[Given],
) -> Result<Vec<Option<Result<Tried, Problem>>>, Failure> {
    let digests: Vec<_> = given.iter().map(Given::digest).collect();
    let mut first = BTreeMap::new();
    for (at, digest) in digests.iter().enumerate() {
        first.entry(digest).or_insert(at);
    }
    let distinct: Vec<_> = first.values().copied().collect();
    let progress = Progress::new("programs", Some(distinct.len() as u64));
    let judge = arena.programs.judge();
    let is_over = || arena.out_of_time();
    let tried = parallel::map(distinct.len(), prepare::jobs(options.jobs), |at| {
        if is_over() {
            return Ok(None);
        }
        let given = &given[distinct[at]];
        let tried = given.build(course, arena.assignment).map(|runnable| {
            let candidate = Candidate::new(course, arena.assignment, judge, &runnable);
            let trial = candidate.and_then(|mut candidate| candidate.run(corpus, is_over));
            trial.map(|trial| trial.map(|trial| Tried { runnable, trial }))
        });
        progress.add(1);
        Ok(match tried {
            Ok(Ok(tried)) => tried.map(Ok),
            Ok(Err(failure)) => Some(Err(first_problem(failure))),
            Err(problem) => Some(Err(problem)),
        })
    })?;
    let place = |at: &usize| distinct.iter().position(|it| it == at);
    let of = |digest| place(&first[digest]).and_then(|at| tried[at].clone());
    Ok(digests.iter().map(of).collect())
}

fn first_problem(failure: Failure) -> Problem {
    let first = failure.problems.into_iter().next();
    first.unwrap_or_else(|| Problem::new("it cannot be run"))
}

/// Makes the report from what the programs did.
struct Report<'a> {
    options: &'a Mine,
    course: &'a Course,
    arena: Arena<'a>,
    corpus: Corpus,
    given: Vec<Given>,
    tried: Vec<Option<Result<Tried, Problem>>>,
}

impl Report<'_> {
    fn made(mut self) -> Result<Mined, Failure> {
        let out_of_time = self.arena.out_of_time();
        let cases = self.case_kinds();
        let mutants = self.mutant_traces();
        let trials: Vec<_> = (0..self.given.len()).map(|at| self.trial(at)).collect();
        let found = behaviours::behaviours(&cases, &mutants, &trials);
        let mut rows = Vec::new();
        for behaviour in &found {
            let smallest = self.smallest(&found, behaviour)?;
            let like = likenesses(&cases, &behaviour.trace, &mutants);
            rows.push(self.behaviour(behaviour, smallest, &like));
        }
        let programs = (0..self.given.len()).map(|at| self.program(at)).collect();
        let counts = self.corpus.counts;
        let assignment = self.arena.assignment;
        let mut mined = Mined {
            schema: SCHEMA.to_owned(),
            assignment: assignment.id.clone(),
            seed: self.options.seed,
            cases: mined::Cases {
                handed_in: counts.handed_in,
                small: counts.small,
                random: counts.random,
            },
            programs,
            behaviours: rows,
            unmatched_mutants: Vec::new(),
            stopped: generate::stopped(out_of_time),
            given_up: given_up::warn(assignment)?,
            discarded: self.arena.programs.discarded().into(),
            engines: engines::slower(self.arena.programs.slower()),
        };
        mined.sort(self.arena.mutants.iter().map(|mutant| mutant.id.as_str()));
        Ok(mined)
    }

    fn case_kinds(&self) -> Vec<CaseKind> {
        let letters = |flags: &str| flags.split('-').next().unwrap_or_default().to_owned();
        let cases = self.corpus.cases.iter();
        cases
            .map(|it| CaseKind { letters: letters(&it.draft.flags), counts: it.is_plain })
            .collect()
    }

    /// What each mutant shows.
    fn mutant_traces(&self) -> Vec<Trace> {
        let mut traces = vec![Trace::new(); self.arena.mutants.len()];
        for (number, known) in self.corpus.cases.iter().enumerate() {
            for (&mutant, &shown) in &known.mutants {
                traces[mutant].insert(number, shown);
            }
        }
        traces
    }

    fn trial(&self, program: usize) -> Option<&Trial> {
        let tried = self.tried[program].as_ref()?.as_ref().ok()?;
        Some(&tried.trial)
    }

    fn smallest(
        &mut self,
        found: &[Behaviour],
        behaviour: &Behaviour,
    ) -> Result<Option<Smallest>, Failure> {
        let example = behaviour.example;
        let Some(Some(Ok(Tried { runnable, .. }))) = self.tried.get(example).cloned() else {
            return Ok(None);
        };
        let is_other = |other: &&Behaviour| {
            !std::ptr::eq(*other, behaviour) && other.programs.contains(&example)
        };
        let wanted = Wanted { behaviour, others: found.iter().filter(is_other).collect() };
        let assignment = self.arena.assignment;
        let judge = crate::run::judge::Judge::new(self.course, assignment)?;
        let mut candidate = Candidate::new(self.course, assignment, &judge, &runnable)?;
        wanted.smallest(&mut self.arena, &self.corpus, &mut candidate)
    }

    fn behaviour(
        &self,
        behaviour: &Behaviour,
        smallest: Option<Smallest>,
        like: &[crate::generate::mine::likeness::Likeness],
    ) -> mined::BehaviourMined {
        let id = |mutant: usize| self.arena.mutants[mutant].id.clone();
        let name = |program: &usize| self.given[*program].name.clone();
        mined::BehaviourMined {
            number: 0,
            mutant: behaviour.mutant.map(id),
            represented: behaviour.mutant.is_some() || like.iter().any(|it| it.represents()),
            mutants: like.iter().map(|it| mined::Like::new(id(it.mutant), it)).collect(),
            programs: behaviour.programs.iter().map(name).collect(),
            cases: behaviour.trace.len(),
            example: name(&behaviour.example),
            smallest: smallest.map(mined::SmallestTest::new),
        }
    }

    fn program(&self, at: usize) -> mined::ProgramMined {
        let mut row = mined::ProgramMined::untried(&self.given[at].name);
        match &self.tried[at] {
            None => {}
            Some(Err(problem)) => row.problem = Some(problem.to_string()),
            Some(Ok(Tried { trial, .. })) => {
                row.tried = trial.tried;
                row.differing = trial.shown.len();
                row.slow = trial.slow;
                row.engine =
                    trial.engine.clone().map(|(engine, reason)| mined::Slower { engine, reason });
            }
        }
        row
    }
}
