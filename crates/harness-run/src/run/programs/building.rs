//! Building the programs of a plan, and opening those that were built before.

use super::Programs;
use crate::catalogue::Mutant;
use crate::course::RunLimits;
use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::run::build::built::Built;
use crate::run::build::{self, Runnable, Variant};
use crate::run::discarded::Counter;
use crate::run::engine::Preference;
use crate::run::judge::Judge;
use crate::run::plan::{Builds, Plan};
use crate::run::program::{BuiltProgram, Standings};
use crate::run::slot::Slot;
use crate::run::validators::Validators;
use crate::run::work::Work;
use crate::run::{parallel, prepare, process};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use subject::wire::{self, Hello, MutantSet};

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
        plans.iter().try_for_each(|plan| plan.assignment.takes_inputs())?;
        let variants: Vec<_> = plans.iter().map(Plan::variants).collect();
        let all: Vec<_> = plans
            .iter()
            .zip(&variants)
            .flat_map(|(plan, variants)| variants.iter().map(|&variant| (plan.assignment, variant)))
            .collect();
        let Some(first) = plans.first() else { return Ok(Vec::new()) };
        let mut built = build::all(first.course, &all)?.into_iter();
        let programs = plans.iter().zip(&variants).map(|(plan, variants)| {
            let reference = built.next().expect("the reference is built first");
            let others = built.by_ref().take(variants.len() - 1).collect();
            Self::new(plan, reference, others)
        });
        programs.collect()
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
        let slots = if is_optimized { 1 } else { plan.jobs.min(prepare::jobs(None)) };
        let mut slots: Vec<_> = (0..slots).collect();
        let results = parallel::share(&mut slots, wanted.len(), |slot, queue| {
            while let Some(at) = queue.take() {
                let mutant = &plan.mutants[wanted[at]];
                before(mutant);
                let variant = if is_optimized {
                    Variant::Mutant(&mutant.id)
                } else {
                    Variant::Unoptimized(&mutant.id, *slot)
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
                Err(failure) if failure.kind == FailureKind::Machine => return Err(failure),
                Err(failure) => problems.extend(failure.problems),
            }
        }
        let plan = plan.clone().only(selected).with(Builds::Isolated);
        Ok((Self::new(&plan, reference, built)?, problems))
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
        Self::new(plan, programs.remove(0), others)
    }

    /// Programs that were built before: the reference, and `others` as `plan` has them.
    ///
    /// # Errors
    /// If there is no checker or validator where the course file names one, or one cannot be built.
    pub fn new(
        plan: &Plan<'_>,
        reference: Runnable,
        mut others: Vec<Runnable>,
    ) -> Result<Self, Failure> {
        let work = plan.work.apart();
        let judge = Judge::new(&work, plan.course, plan.assignment)?;
        let validators = Validators::new(&work, plan.course, plan.assignment)?;
        if plan.builds != Builds::Reference {
            // Whether there is a checker must not depend on what the mutants print.
            judge.program().map_err(Failure::broken_course)?;
        }
        let standings = Standings::read(&build::target_folder(plan.course, plan.assignment));
        let is_worker = plan.assignment.program.needs_cargo();
        let by_engine = match plan.builds {
            Builds::Isolated => Work { engine: Preference::Process, ..work.clone() },
            Builds::Reference | Builds::Combined => work.clone(),
        };
        let program = |name: &str, runnable: Runnable, ids: Vec<String>| {
            let (mut hello, most) = limits(&plan.assignment.run, ids);
            hello.runs_refused = plan.assignment.refusals.are_tests();
            let limits = (hello, most);
            Arc::new(BuiltProgram::new(&by_engine, name, runnable, is_worker, limits, &standings))
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
        let effort = Arc::default();
        let slots = (0..jobs).map(|_| Slot::new(&base, &own, &effort)).collect();
        let none = BTreeMap::new();
        let clean = if is_base { 0 } else { jobs };
        let clean = (0..clean).map(|_| Slot::new(&reference, &none, &Arc::default())).collect();
        let selected = plan.selected.clone();
        let discarded = Counter::default();
        Ok(Self {
            work,
            judge,
            refusals: plan.assignment.refusals.clone(),
            validators,
            discarded,
            effort,
            selected,
            slots,
            clean,
            reference,
            base,
            own,
        })
    }
}

/// The limits of runs as a worker with these mutants gets them, and as processes get them.
pub(in crate::run) fn limits(run: &RunLimits, ids: Vec<String>) -> (Hello, process::ProcessLimits) {
    let limits = wire::WorkerLimits {
        step_floor: run.steps,
        step_factor: run.factor,
        reference_steps: run.reference_steps,
        output: run.output_kb << 10,
        memory: run.memory_mb << 20,
        time: u64::try_from(seconds(run).as_millis()).unwrap_or(u64::MAX),
        processes: run.processes,
    };
    (Hello { ids, limits, runs_refused: false }, process_limits(run))
}

/// The limits of a process.
pub fn process_limits(run: &RunLimits) -> process::ProcessLimits {
    process::ProcessLimits {
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
