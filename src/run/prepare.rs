//! What every command needs before it can run anything: a catalogue that agrees with its crate, and the settings of the workers.

use crate::catalogue::sites;
use crate::catalogue::{self, Mutant};
use crate::course::{Assignment, Course, Program, RunLimits};
use crate::domain::Generator;
use crate::problem::progress::Progress;
use crate::problem::{Exit, Failure, Problem};
use crate::run::build::{self, Runnable, Variant};
use crate::run::process;
use crate::run::worker::Settings;
use std::time::Duration;
use subject::wire::{Hello, Limits};

/// Checks that the catalogue and the crate's features name the same mutants.
///
/// # Errors
/// With each mutant that only one of them names.
pub fn agree(course: &Course, assignment: &Assignment, mutants: &[Mutant]) -> Result<(), Failure> {
    let Program::Cargo(package) = &assignment.program else { return Ok(()) };
    let declared = sites::declared(&package.folder)?;
    let mut described: Vec<_> = mutants
        .iter()
        .map(|mutant| mutant.id.clone())
        .chain(package.features.iter().cloned())
        .collect();
    for other in course.assignments.iter().filter(|other| other.id != assignment.id) {
        // Two assignments may have their mutants in one crate.
        if matches!(&other.program, Program::Cargo(shared) if shared.folder == package.folder) {
            described.extend(catalogue::ids(other)?);
        }
    }
    let undeclared = mutants.iter().filter(|mutant| !declared.contains(&mutant.id)).map(|mutant| {
        Problem::new(format!(
            "the mutant `{}` is no feature of {}",
            mutant.id,
            package.folder.join("Cargo.toml").display()
        ))
        .hint(format!(
            "add `{} = []` under [features], or remove {}",
            mutant.id,
            mutant.file.display()
        ))
    });
    let undescribed = declared.iter().filter(|id| !described.contains(id)).map(|id| {
        Problem::new(format!("the feature `{id}` of {} is no mutant", package.folder.display()))
            .hint(format!(
                "describe it in {}",
                assignment.mutants.join(format!("{id}.yaml")).display()
            ))
    });
    let problems: Vec<_> = undeclared.chain(undescribed).collect();
    if problems.is_empty() { Ok(()) } else { Err(Failure { exit: Exit::BrokenCourse, problems }) }
}

/// The bugs of `assignment`: its catalogue, which must agree with its crate, without what is declared equivalent.
///
/// # Errors
/// Where the catalogue is wrong.
pub fn bugs(course: &Course, assignment: &Assignment) -> Result<Vec<Mutant>, Failure> {
    let mut mutants = catalogue::read(assignment)?;
    agree(course, assignment, &mutants)?;
    mutants.retain(Mutant::is_a_bug);
    Ok(mutants)
}

/// How many programs run at the same time: as many as were asked for, or one for each core.
pub fn jobs(wanted: Option<u16>) -> usize {
    wanted.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// The settings of workers of the combined build.
pub fn settings(assignment: &Assignment, mutants: &[Mutant], combined: Runnable) -> Settings {
    let run = &assignment.run;
    let limits = Limits {
        step_floor: run.steps,
        step_factor: run.factor,
        reference_steps: run.reference_steps,
        output: run.output_kb << 10,
    };
    let hello = Hello { ids: mutants.iter().map(|mutant| mutant.id.clone()).collect(), limits };
    Settings { runnable: combined, hello, memory: run.memory_mb << 20, patience: seconds(run) }
}

/// What a process of its own may use.
pub fn process_limits(run: &RunLimits) -> process::Limits {
    let (memory, output) = (run.memory_mb << 20, run.output_kb << 10);
    process::Limits {
        time: seconds(run),
        wall: Duration::MAX,
        memory,
        output,
        processes: run.processes,
    }
}

fn seconds(run: &RunLimits) -> Duration {
    Duration::try_from_secs_f64(run.seconds).unwrap_or(Duration::MAX)
}

/// What makes inputs of `assignment`, if its reference can run on many of them.
///
/// # Errors
/// Where the domain makes none, or the reference is started for each.
pub fn generator(assignment: &Assignment) -> Result<&'static dyn Generator, Failure> {
    let id = &assignment.id;
    let Some(generator) = assignment.domain.generator() else {
        let message =
            format!("the domain `{}` of `{id}` cannot make inputs", assignment.domain.name());
        return Err(Failure::usage(
            Problem::new(message)
                .hint("tests are found only where the harness knows what an input is"),
        ));
    };
    if let Program::Commands { .. } = assignment.program {
        let message = format!("`{id}` is built by commands of its own, and has no combined build");
        return Err(Failure::usage(
            Problem::new(message).hint("tests are found only for a crate that links `subject`"),
        ));
    }
    Ok(generator)
}

/// An assignment with a domain that makes inputs, its catalogue, and both builds: what finding tests takes.
pub struct Workbench<'a> {
    /// The assignment.
    pub assignment: &'a Assignment,
    /// What makes its inputs.
    pub generator: &'static dyn Generator,
    /// Its mutants.
    pub mutants: Vec<Mutant>,
    /// The clean build.
    pub reference: Runnable,
    /// The combined build.
    pub combined: Runnable,
}

impl<'a> Workbench<'a> {
    /// Reads the catalogue of `assignment`, and builds the reference and the combined build.
    ///
    /// # Errors
    /// Where the catalogue is wrong, a build fails, or the domain can't make inputs.
    pub fn new(course: &Course, assignment: &'a Assignment) -> Result<Self, Failure> {
        let generator = generator(assignment)?;
        let mutants = bugs(course, assignment)?;
        let _progress = Progress::new("building the programs", None);
        let mut built = build::all(
            course,
            &[(assignment, Variant::Reference), (assignment, Variant::Combined)],
        )?;
        let combined = built.pop().expect("two were built");
        let reference = built.pop().expect("two were built");
        Ok(Self { assignment, generator, mutants, reference, combined })
    }
}
