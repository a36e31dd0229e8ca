//! The one way to build and run the programs of an assignment, whatever kind of programs they are.
//!
//! A [`Plan`] says which programs are wanted. [`Programs`] builds them, or opens those that were built before, and answers with a row
//! of the matrix for each case. An engine behind it runs the programs. Nothing outside `run` knows which engine that is.

use super::processes::Processes;
use super::workers::Workers;
use crate::catalogue::Mutant;
use crate::course::{Assignment, Course, RunLimits};
use crate::problem::{Failure, Problem};
use crate::run::build::built::Built;
use crate::run::build::{self, Runnable, Variant};
use crate::run::matrix::Row;
use crate::run::parallel;
use crate::run::prepare;
use crate::run::process;
use crate::run::worker::Settings;
use std::iter;
use std::time::Duration;
use subject::Case;
use subject::wire::{self, Answer, Detail, Hello, MutantSet, Request};

/// The programs of an assignment that are wanted.
#[derive(Clone)]
pub struct Plan<'a> {
    pub course: &'a Course,
    pub assignment: &'a Assignment,
    /// All mutants. Rows refer to a mutant by its index in this list.
    pub mutants: &'a [Mutant],
    /// The mutants to run.
    pub selected: MutantSet,
    pub builds: Builds,
    /// How many cases run at the same time.
    pub jobs: usize,
}

/// Which programs run the variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builds {
    /// The reference alone.
    Reference,
    /// The reference and the combined build. A program for each mutant if there is no combined build.
    Combined,
    /// The reference and a program for each mutant, each run as a process.
    Isolated,
}

impl<'a> Plan<'a> {
    /// All of `mutants`, with the combined build if there is one, one case at a time.
    pub fn new(course: &'a Course, assignment: &'a Assignment, mutants: &'a [Mutant]) -> Self {
        let selected = MutantSet::all(mutants.len());
        Self { course, assignment, mutants, selected, builds: Builds::Combined, jobs: 1 }
    }

    /// The reference alone.
    pub fn reference(course: &'a Course, assignment: &'a Assignment) -> Self {
        Self { builds: Builds::Reference, ..Self::new(course, assignment, &[]) }
    }

    /// The same plan for `selected` mutants.
    #[must_use]
    pub fn only(self, selected: MutantSet) -> Self {
        Self { selected, ..self }
    }

    /// The same plan with other builds.
    #[must_use]
    pub fn with(self, builds: Builds) -> Self {
        Self { builds, ..self }
    }

    /// The same plan with `jobs` cases at a time.
    #[must_use]
    pub fn jobs(self, jobs: usize) -> Self {
        Self { jobs, ..self }
    }

    /// What is built, the reference first.
    fn variants(&self) -> Vec<Variant<'a>> {
        let others = match self.builds {
            Builds::Reference => Vec::new(),
            Builds::Combined if self.assignment.program.needs_cargo() => vec![Variant::Combined],
            Builds::Combined if self.assignment.program.has_combined_build() => {
                let selected = self.selected.iter();
                selected.map(|mutant| Variant::Selected(&self.mutants[mutant].id)).collect()
            }
            Builds::Combined | Builds::Isolated => self.isolated().collect(),
        };
        iter::once(Variant::Reference).chain(others).collect()
    }

    fn isolated(&self) -> impl Iterator<Item = Variant<'a>> {
        self.selected.iter().map(|mutant| Variant::Mutant(&self.mutants[mutant].id))
    }

    /// Builds the programs and records them for [`Programs::open`].
    ///
    /// # Errors
    /// If a build fails.
    pub fn record(&self) -> Result<(), Failure> {
        Built::build(self.course, self.assignment, &self.variants()).map(drop)
    }
}

/// The programs of an assignment, ready to run.
pub struct Programs {
    engine: Engine,
    selected: MutantSet,
}

/// What runs the programs.
enum Engine {
    Workers(Workers),
    Processes(Processes),
}

/// A case, and the mutants to run on it.
pub struct Run<'a> {
    pub case: &'a Case,
    pub mutants: MutantSet,
}

impl Programs {
    /// Builds the programs of `plan`.
    ///
    /// # Errors
    /// If a build fails.
    pub fn build(plan: &Plan<'_>) -> Result<Self, Failure> {
        Ok(Self::build_all(std::slice::from_ref(plan))?.remove(0))
    }

    /// Builds the programs of all `plans` at the same time.
    ///
    /// # Errors
    /// If a build fails.
    pub fn build_all(plans: &[Plan<'_>]) -> Result<Vec<Self>, Failure> {
        let variants: Vec<_> = plans.iter().map(Plan::variants).collect();
        let all: Vec<_> = plans
            .iter()
            .zip(&variants)
            .flat_map(|(plan, variants)| variants.iter().map(|&variant| (plan.assignment, variant)))
            .collect();
        let Some(first) = plans.first() else { return Ok(Vec::new()) };
        let mut built = build::all(first.course, &all)?.into_iter();
        Ok(plans
            .iter()
            .zip(&variants)
            .map(|(plan, variants)| {
                let reference = built.next().expect("the reference is built first");
                let others = built.by_ref().take(variants.len() - 1).collect();
                Self::new(plan, reference, others)
            })
            .collect())
    }

    /// Builds the reference and a program for each mutant. A mutant that cannot be built is left out, with the problem. Programs that
    /// are not optimized do the same, and are built in less time, several at once. `before` is called before each mutant.
    ///
    /// # Errors
    /// If the reference cannot be built.
    pub fn build_isolated(
        plan: &Plan<'_>,
        is_optimized: bool,
        before: impl Fn(&Mutant) + Sync,
    ) -> Result<(Self, Vec<Problem>), Failure> {
        let reference = build::build(plan.course, plan.assignment, Variant::Reference)?;
        let wanted: Vec<_> = plan.selected.iter().collect();
        let lanes = if is_optimized { 1 } else { plan.jobs.min(prepare::jobs(None)) };
        let mut lanes: Vec<_> = (0..lanes).collect();
        let results = parallel::share(&mut lanes, wanted.len(), |lane, queue| {
            while let Some(at) = queue.take() {
                let mutant = &plan.mutants[wanted[at]];
                before(mutant);
                let variant = if is_optimized {
                    Variant::Mutant(&mutant.id)
                } else {
                    Variant::Unoptimized(&mutant.id, *lane)
                };
                queue.put(at, build::build(plan.course, plan.assignment, variant));
            }
            Ok::<_, Failure>(())
        })?;
        let (mut built, mut selected) = (Vec::new(), MutantSet::default());
        let mut problems = Vec::new();
        for (index, result) in wanted.into_iter().zip(results) {
            match result {
                Ok(program) => {
                    built.push(program);
                    selected.insert(index);
                }
                Err(failure) => problems.extend(failure.problems),
            }
        }
        let plan = plan.clone().only(selected).with(Builds::Isolated);
        Ok((Self::new(&plan, reference, built), problems))
    }

    /// The programs of `plan` that [`Plan::record`] has built. This builds nothing.
    ///
    /// # Errors
    /// If they were not built, or are out of date.
    pub fn open(plan: &Plan<'_>) -> Result<Self, Failure> {
        let built = Built::read(plan.course, plan.assignment)?;
        let programs = plan.variants().into_iter().map(|variant| built.program(variant));
        let mut programs = programs.collect::<Result<Vec<_>, _>>()?;
        let others = programs.split_off(1);
        Ok(Self::new(plan, programs.remove(0), others))
    }

    /// Programs that were built before: the reference, and `others` as `plan` has them.
    pub fn new(plan: &Plan<'_>, reference: Runnable, mut others: Vec<Runnable>) -> Self {
        let (domain, jobs) = (plan.assignment.domain, plan.jobs);
        let links_subject = plan.assignment.program.needs_cargo();
        let engine = if links_subject && plan.builds != Builds::Isolated {
            let settings = settings(plan.assignment, plan.mutants, reference);
            Engine::Workers(Workers::new(domain, settings, others.pop(), jobs))
        } else {
            Engine::Processes(Processes {
                domain,
                reference,
                mutants: plan.selected.iter().zip(others).collect(),
                limits: process_limits(&plan.assignment.run),
                factor: plan.assignment.run.factor,
                jobs,
            })
        };
        Self { engine, selected: plan.selected.clone() }
    }

    /// The mutants that are run.
    pub fn selected(&self) -> &MutantSet {
        &self.selected
    }

    /// A row for each case, with the verdicts of all selected mutants.
    ///
    /// # Errors
    /// If the machine fails, or the combined build with no mutant selected differs from the reference.
    pub fn rows(&mut self, cases: &[Case]) -> Result<Vec<Row>, Failure> {
        checked(cases, self.rows_unchecked(cases)?)
    }

    /// Like [`rows`](Self::rows), but a row says whether the combined build agrees, and a difference is no error.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn rows_unchecked(&mut self, cases: &[Case]) -> Result<Vec<Row>, Failure> {
        let runs: Vec<_> =
            cases.iter().map(|case| Run { case, mutants: self.selected.clone() }).collect();
        self.run(&runs, Detail::Reference)
    }

    /// A row for each case, with the verdicts of all selected mutants and the outcomes of those that differ.
    ///
    /// # Errors
    /// If the machine fails, or the combined build with no mutant selected differs from the reference.
    pub fn outcomes(&mut self, cases: &[Case]) -> Result<Vec<Row>, Failure> {
        let runs: Vec<_> =
            cases.iter().map(|case| Run { case, mutants: self.selected.clone() }).collect();
        checked(cases, self.outcomes_of(&runs)?)
    }

    /// A row for each of `runs`, with the outcomes of the mutants that differ. As with [`rows_unchecked`](Self::rows_unchecked),
    /// a row says whether the combined build agrees.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn outcomes_of(&mut self, runs: &[Run<'_>]) -> Result<Vec<Row>, Failure> {
        self.run(runs, Detail::Outcomes)
    }

    fn run(&mut self, runs: &[Run<'_>], detail: Detail) -> Result<Vec<Row>, Failure> {
        match &mut self.engine {
            Engine::Workers(workers) => workers.rows(runs, detail),
            Engine::Processes(processes) => processes.rows(runs, detail),
        }
    }

    /// Runs `count` batches on the combined build alone, each made by `make`, and gives what `digest` makes of the answers, in order.
    /// What `make` knows of its requests is passed on to `digest`. Other batches are made and digested while one runs.
    ///
    /// # Errors
    /// If a worker cannot be started, or there is no combined build.
    pub fn sweep<K, T: Send>(
        &mut self,
        count: usize,
        make: impl Fn(usize) -> (Vec<Request>, K) + Sync,
        digest: impl Fn(usize, K, Vec<Answer>) -> T + Sync,
    ) -> Result<Vec<T>, Failure> {
        match &mut self.engine {
            Engine::Workers(workers) => workers.sweep(count, make, digest),
            Engine::Processes(_) => Err(no_combined_build()),
        }
    }
}

/// The failure of what only a combined build can do.
pub(super) fn no_combined_build() -> Failure {
    let problem = Problem::new("these programs have no combined build");
    Failure::usage(problem.hint("this needs a crate that links `subject`"))
}

/// The rows, if the combined build with no mutant selected did what the reference did in all of them.
fn checked(cases: &[Case], rows: Vec<Row>) -> Result<Vec<Row>, Failure> {
    let Some(at) = rows.iter().position(|row| !row.agrees) else { return Ok(rows) };
    let case = &cases[at];
    let message = format!(
        "the combined build with no mutant selected differs from the reference on this case:\n{}\n{}",
        case.args.join(" "),
        String::from_utf8_lossy(&case.input)
    );
    let hint =
        "a `bug!` changes more than its own mutant; `harness mutants verify` finds out which";
    Err(Failure::broken_course(Problem::new(message).hint(hint)))
}

/// The settings of workers that run `program`.
fn settings(assignment: &Assignment, mutants: &[Mutant], program: Runnable) -> Settings {
    let run = &assignment.run;
    let limits = wire::Limits {
        step_floor: run.steps,
        step_factor: run.factor,
        reference_steps: run.reference_steps,
        output: run.output_kb << 10,
        memory: run.memory_mb << 20,
        time: u64::try_from(seconds(run).as_millis()).unwrap_or(u64::MAX),
    };
    let hello = Hello { ids: mutants.iter().map(|mutant| mutant.id.clone()).collect(), limits };
    Settings { runnable: program, hello, memory: run.memory_mb << 20, patience: seconds(run) }
}

/// The limits of a process.
pub fn process_limits(run: &RunLimits) -> process::Limits {
    process::Limits {
        time: seconds(run),
        wall: Duration::MAX,
        memory: run.memory_mb << 20,
        output: run.output_kb << 10,
        processes: run.processes,
    }
}

fn seconds(run: &RunLimits) -> Duration {
    Duration::try_from_secs_f64(run.seconds).unwrap_or(Duration::MAX)
}
