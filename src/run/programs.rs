//! The one way to build and run the programs of an assignment, whatever kind of programs they are.
//!
//! A [`Plan`] says which programs are wanted. [`Programs`] builds them, or opens those that were built before, and answers with a row
//! of the matrix for each case. An engine behind it runs the programs. Nothing outside `run` knows which engine that is.

pub use super::plan::{Builds, Plan};
pub use super::program::Slower;
pub use super::trust::{Claim, Trust, Untrue};

use super::lane::{self, Lane};
use super::program::{Program, Standings};
use crate::catalogue::Mutant;
use crate::course::RunLimits;
use crate::domain::Domain;
use crate::problem::{Failure, Problem};
use crate::run::build::built::Built;
use crate::run::build::{self, Runnable, Variant};
use crate::run::engine::{Engine, Preference};
use crate::run::matrix::Row;
use crate::run::{judge, parallel, prepare, process};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use subject::wire::{self, Answer, Detail, Hello, MutantSet, Request};
use subject::{Case, End, Outcome};

/// The programs of an assignment, ready to run.
pub struct Programs {
    pub(super) domain: &'static dyn Domain,
    pub(super) selected: MutantSet,
    /// Lanes of `base` and of `own`.
    pub(super) lanes: Vec<Lane>,
    /// Lanes of the reference. There are none if it is `base`.
    pub(super) clean: Vec<Lane>,
    pub(super) reference: Arc<Program>,
    /// The program that holds the mutants. It is the reference if there is no combined build, or if the source is the program.
    pub(super) base: Arc<Program>,
    /// The mutants that are programs of their own.
    pub(super) own: BTreeMap<usize, Arc<Program>>,
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
        let standings = Standings::read(&build::target_folder(plan.course, plan.assignment));
        let is_worker = plan.assignment.program.needs_cargo();
        let program = |name: &str, runnable: Runnable, ids: Vec<String>| {
            let preference = match plan.builds {
                Builds::Isolated => Preference::Process,
                Builds::Reference | Builds::Combined => plan.engine,
            };
            let (hello, limits) = limits(&plan.assignment.run, ids);
            let limits = (hello, limits);
            Arc::new(Program::new(name, runnable, is_worker, limits, preference, &standings))
        };
        let ids = || plan.mutants.iter().map(|mutant| mutant.id.clone()).collect();
        let combined = plan.has_combined_build().then(|| others.remove(0));
        let combined = combined.filter(|combined| *combined != reference);
        let is_base = combined.is_none();
        let reference_ids = if is_base { ids() } else { Vec::new() };
        let reference = program("the reference", reference, reference_ids);
        let combined = combined.map(|combined| program("the combined build", combined, ids()));
        let base = combined.unwrap_or_else(|| reference.clone());
        let own = plan.own_programs();
        let own = own.iter().zip(others).map(|(mutant, runnable)| {
            let name = format!("the mutant `{}`", plan.mutants[mutant].id);
            (mutant, program(&name, runnable, Vec::new()))
        });
        let own: BTreeMap<_, _> = own.collect();
        let jobs = plan.jobs.max(1);
        let lanes = (0..jobs).map(|_| Lane::new(&base, &own)).collect();
        let none = BTreeMap::new();
        let clean = if is_base { 0 } else { jobs };
        let clean = (0..clean).map(|_| Lane::new(&reference, &none)).collect();
        let (domain, selected) = (plan.assignment.domain, plan.selected.clone());
        Self { domain, selected, lanes, clean, reference, base, own }
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
        let rows = self.rows_unchecked(cases)?;
        match self.distrust(cases, &rows)? {
            true => checked(cases, self.rows_unchecked(cases)?),
            false => checked(cases, rows),
        }
    }

    /// Compares the first case on which the builds disagree with processes. Whether a program has stepped down, so that the rows are
    /// worth nothing.
    fn distrust(&mut self, cases: &[Case], rows: &[Row]) -> Result<bool, Failure> {
        const TIME: Duration = Duration::from_secs(5);
        let Some(at) = rows.iter().position(|row| !row.agrees) else { return Ok(false) };
        let trust = self.check(&cases[at..=at], Instant::now() + TIME)?;
        Ok(!trust.differences.is_empty())
    }

    /// A row for each of `runs`.
    ///
    /// # Errors
    /// As [`rows`](Self::rows).
    pub fn rows_of(&mut self, runs: &[Run<'_>]) -> Result<Vec<Row>, Failure> {
        let cases: Vec<_> = runs.iter().map(|run| run.case.clone()).collect();
        checked(&cases, self.run(runs, Detail::Reference)?)
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
        let rows = self.outcomes_of(&runs)?;
        match self.distrust(cases, &rows)? {
            true => checked(cases, self.outcomes_of(&runs)?),
            false => checked(cases, rows),
        }
    }

    /// A row for each of `runs`, with the outcomes of the mutants that differ. As with [`rows_unchecked`](Self::rows_unchecked),
    /// a row says whether the combined build agrees.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn outcomes_of(&mut self, runs: &[Run<'_>]) -> Result<Vec<Row>, Failure> {
        self.run(runs, Detail::Outcomes)
    }

    /// The programs that do not run by the fastest engine of their kind.
    pub fn slower(&self) -> Vec<Slower> {
        self.all().filter_map(|program| program.slower()).collect()
    }

    /// The programs, each once.
    pub(super) fn all(&self) -> impl Iterator<Item = &Arc<Program>> {
        let clean = (!self.clean.is_empty()).then_some(&self.reference);
        clean.into_iter().chain([&self.base]).chain(self.own.values())
    }

    fn run(&mut self, runs: &[Run<'_>], detail: Detail) -> Result<Vec<Row>, Failure> {
        let requests: Vec<_> =
            runs.iter().map(|run| request(run.case, run.mutants.clone(), detail)).collect();
        let answers = self.answers(&requests)?;
        let asked = runs.iter().zip(&answers).filter(|(_, answer)| !is_over(answer));
        let asked =
            asked.map(|(run, _)| request(run.case, MutantSet::default(), Detail::Reference));
        let mut clean = if self.clean.is_empty() {
            Vec::new().into_iter()
        } else {
            let batch = self.batch();
            answers_of(&mut self.clean, &asked.collect::<Vec<_>>(), batch)?.into_iter()
        };
        let knows_reached = self.knows_reached();
        let mut rows = Vec::with_capacity(runs.len());
        for answer in answers {
            let clean = if is_over(&answer) { None } else { clean.next() };
            let agrees =
                clean.as_ref().is_none_or(|clean| agree(&clean.reference, &answer.reference));
            rows.push(Row {
                reference: clean.map_or(answer.reference, |clean| clean.reference),
                exposed: answer.differing,
                reached: knows_reached.then_some(answer.reached),
                agrees,
            });
        }
        Ok(rows)
    }

    fn answers(&mut self, requests: &[Request]) -> Result<Vec<Answer>, Failure> {
        let batches: Vec<_> = requests.chunks(self.batch()).collect();
        let answers =
            self.sweep(batches.len(), |at| (batches[at].to_vec(), ()), |_, (), answers| answers)?;
        Ok(answers.into_iter().flatten().collect())
    }

    /// Runs `count` batches, each made by `make`, without the clean build, and gives what `digest` makes of the answers, in order. What
    /// `make` knows of its requests is passed on to `digest`. Other batches are made and digested while one runs.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn sweep<K, T: Send>(
        &mut self,
        count: usize,
        make: impl Fn(usize) -> (Vec<Request>, K) + Sync,
        digest: impl Fn(usize, K, Vec<Answer>) -> T + Sync,
    ) -> Result<Vec<T>, Failure> {
        let domain = self.domain;
        // Only a domain that judges needs the cases again.
        let is_judged = domain.has_many_answers();
        lane::sweep(
            &mut self.lanes,
            count,
            |at| {
                let (mut requests, known) = make(at);
                for request in &mut requests {
                    request.detail = judge::detail(domain, request.detail);
                }
                let judged = requests.iter().filter(|_| is_judged);
                let cases: Vec<_> = judged.map(|request| request.case.clone()).collect();
                (requests, (cases, known))
            },
            |at, (cases, known), mut answers| {
                if is_judged {
                    let judged = cases.iter().zip(answers);
                    answers =
                        judged.map(|(case, answer)| judge::judged(domain, case, answer)).collect();
                }
                digest(at, known, answers)
            },
        )
    }

    /// The number of cases that a lane takes at a time: enough to keep a pipe busy, but few enough to distribute a small suite. A process
    /// takes longer than a pipe.
    fn batch(&self) -> usize {
        const BATCH: usize = 16;
        let is_slow = self.all().any(|program| program.engine() == Engine::Process);
        if is_slow { 1 } else { BATCH }
    }

    /// Whether the program that holds the mutants tells which of them it reaches.
    fn knows_reached(&self) -> bool {
        !self.base.hello.ids.is_empty() && self.base.engine() != Engine::Process
    }
}

/// The answers of `lanes` to `requests`, in order.
fn answers_of(
    lanes: &mut [Lane],
    requests: &[Request],
    batch: usize,
) -> Result<Vec<Answer>, Failure> {
    let batches: Vec<_> = requests.chunks(batch).collect();
    let make = |at: usize| (batches[at].to_vec(), ());
    let answers = lane::sweep(lanes, batches.len(), make, |_, (), answers| answers)?;
    Ok(answers.into_iter().flatten().collect())
}

pub(super) fn request(case: &Case, mutants: MutantSet, detail: Detail) -> Request {
    Request { case: case.clone(), mutants, detail, steps: None }
}

/// Whether the reference takes too many steps on the case. The clean build may count no steps, so it is not run on such a case.
fn is_over(answer: &Answer) -> bool {
    answer.reference.end == End::Timeout
}

/// Whether two runs did the same, as far as it is compared. The wording of a crash depends on the engine, and which limit stops a run
/// that never ends as well.
pub(super) fn agree(one: &Outcome, other: &Outcome) -> bool {
    let is_limit = |end: &End| matches!(end, End::Timeout | End::Memory | End::OutputLimit);
    let ends = match (&one.end, &other.end) {
        (End::Crash(_), End::Crash(_)) => true,
        (one, other) => one == other,
    };
    (is_limit(&one.end) && is_limit(&other.end))
        || (ends && one.stdout == other.stdout && one.files == other.files)
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

/// The limits of runs as a worker with these mutants gets them, and as processes get them.
fn limits(run: &RunLimits, ids: Vec<String>) -> (Hello, process::Limits) {
    let limits = wire::Limits {
        step_floor: run.steps,
        step_factor: run.factor,
        reference_steps: run.reference_steps,
        output: run.output_kb << 10,
        memory: run.memory_mb << 20,
        time: u64::try_from(seconds(run).as_millis()).unwrap_or(u64::MAX),
    };
    (Hello { ids, limits }, process_limits(run))
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
