//! The variants of an assignment, on which the test cases of students run.

use crate::catalogue::Mutant;
use crate::course::{Assignment, Course, RunLimits, UnitTests};
use crate::coverage::Counter;
use crate::diagnostic::Failure;
use crate::forkserver::ForkServers;
use crate::framework::{self, Framework};
use crate::kit::{self, Kit};
use crate::known::Known;
use crate::run::parallel;
use crate::run::programs::process_limits;
use crate::run::work::Work;
use crate::variant::{Given, Variant};
use std::path::PathBuf;
use std::time::Duration;

/// All cases run on so many decoys. On others, those run that fail on a mutant in the same disguise.
const DECOYS: usize = 2;

/// The variants of an assignment, built, and how tests are built and run with them.
pub struct Variants {
    pub(crate) work: Work,
    pub(crate) framework: &'static dyn Framework,
    pub(crate) kit: Box<dyn Kit>,
    /// What runs cases of several variants, if they are in Python.
    pub(crate) servers: Option<Box<ForkServers>>,
    pub(crate) reference: Variant,
    /// The reference, telling which mutants' places it reaches.
    pub(crate) teller: Option<Variant>,
    /// The reference, telling which lines are reached, if that is wanted.
    pub(crate) counter: Option<Box<dyn Counter>>,
    /// Other programs that are right.
    pub(crate) right: Vec<Right>,
    /// The reference in each disguise that it or a mutant has.
    decoys: Vec<Variant>,
    /// The mutants in their order.
    pub(crate) mutants: Vec<MutantVariant>,
    pub(crate) run: RunLimits,
    /// How many test cases count.
    pub(crate) most: usize,
    /// How long the runs of a suite may take together.
    pub(crate) most_time: Duration,
    pub(crate) jobs: usize,
    /// Whether each case has a process of its own.
    pub(crate) is_isolated: bool,
    /// What cases did, if that is remembered.
    pub(crate) known: Option<Known>,
}

/// A right program beside the reference.
pub(crate) struct Right {
    pub(crate) variant: Variant,
    /// What it is called. A decoy has no name.
    pub(crate) name: Option<String>,
}

/// A mutant, built.
pub(crate) struct MutantVariant {
    pub(crate) variant: Variant,
    /// The same mutant in a disguise.
    pub(crate) disguised: Variant,
    /// Its id, if it has a place in the reference's sources.
    pub(crate) place: Option<String>,
}

impl Variants {
    /// Builds the reference, the mutants, and the other right programs.
    ///
    /// # Errors
    /// If a build fails.
    pub fn build(
        work: &Work,
        course: &Course,
        assignment: &Assignment,
        unit: &UnitTests,
        mutants: &[Mutant],
        jobs: usize,
    ) -> Result<Self, Failure> {
        let framework = framework::of(unit.framework);
        Self::with(work, course, assignment, unit, mutants, jobs, framework)
    }

    /// The same with another framework than the tests'.
    pub(crate) fn with(
        work: &Work,
        course: &Course,
        assignment: &Assignment,
        unit: &UnitTests,
        mutants: &[Mutant],
        jobs: usize,
        framework: &'static dyn Framework,
    ) -> Result<Self, Failure> {
        let jobs = jobs.max(1);
        let given = Given { course, assignment };
        let kit = kit::of(given, unit, framework)?;
        let reference = kit.variant(given, None)?;
        let mutant = |at: usize| {
            let id = &mutants[at].id;
            let place = assignment.own_program(id).is_none().then(|| id.clone());
            let disguised = kit.disguised(given, at % kit.disguises(), Some(id))?;
            Ok(MutantVariant { variant: kit.variant(given, Some(id))?, disguised, place })
        };
        let mutants = parallel::map(mutants.len(), jobs, mutant)?;
        let named = |path: &PathBuf| -> Result<Right, Failure> {
            let name = path.strip_prefix(&course.folder).unwrap_or(path).display().to_string();
            Ok(Right { variant: kit.right(given, path, &name)?, name: Some(name) })
        };
        let mut right: Vec<_> = unit.references.iter().map(named).collect::<Result<_, _>>()?;
        // Of few mutants, some disguises are none's.
        let disguises = kit.disguises().min(mutants.len().max(DECOYS));
        let decoys = parallel::map(disguises, jobs, |at| kit.disguised(given, at, None))?;
        let on_all = decoys.iter().take(DECOYS).cloned();
        right.extend(on_all.map(|variant| Right { variant, name: None }));
        Ok(Self {
            work: work.clone(),
            framework,
            reference,
            teller: kit.teller(given)?,
            counter: None,
            right,
            decoys,
            mutants,
            servers: kit.servers(work, &process_limits(&assignment.run)).map(Box::new),
            kit,
            run: assignment.run,
            most: assignment.tests.files as usize,
            most_time: unit.most_time,
            jobs,
            is_isolated: false,
            known: None,
        })
    }

    /// The reference in the disguise that the mutant with a number has.
    pub(crate) fn decoy(&self, number: usize) -> &Variant {
        &self.decoys[number % self.decoys.len()]
    }

    /// The same variants, on each of which each case runs, in a process of its own.
    #[must_use]
    pub fn isolated(self) -> Self {
        Self { is_isolated: true, teller: None, ..self }
    }
}
