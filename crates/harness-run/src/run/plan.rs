//! Which programs of an assignment a command wants.

use crate::catalogue::Mutant;
use crate::course::{Assignment, Course};
use crate::diagnostic::Failure;
use crate::run::build::Variant;
use crate::run::build::built::Built;
use crate::run::engine::Preference;
use crate::run::work::Work;
use std::iter;
use subject::wire::MutantSet;

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
    /// What they run for.
    pub work: Work,
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
    /// The reference and a program for each mutant, each run by processes.
    Isolated,
}

impl<'a> Plan<'a> {
    /// All of `mutants`, with the combined build if there is one, one case at a time.
    pub fn new(
        work: &Work,
        course: &'a Course,
        assignment: &'a Assignment,
        mutants: &'a [Mutant],
    ) -> Self {
        let selected = MutantSet::all(mutants.len());
        Self {
            course,
            assignment,
            mutants,
            selected,
            builds: Builds::Combined,
            work: work.clone(),
            jobs: 1,
        }
    }

    /// The reference alone.
    pub fn reference(work: &Work, course: &'a Course, assignment: &'a Assignment) -> Self {
        Self { builds: Builds::Reference, ..Self::new(work, course, assignment, &[]) }
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

    /// The same plan with every program run by processes.
    #[must_use]
    pub fn by_processes(mut self) -> Self {
        self.work.engine = Preference::Process;
        self
    }

    /// The same plan with `jobs` cases at a time.
    #[must_use]
    pub fn jobs(self, jobs: usize) -> Self {
        Self { jobs, ..self }
    }

    /// What is built: the reference, the combined build if it is wanted, and the mutants that are programs of their own.
    pub fn variants(&self) -> Vec<Variant<'a>> {
        let has_combined_build = self.has_combined_build();
        let own = |mutant: usize| {
            let id = &self.mutants[mutant].id;
            // Beside a combined build, which counts its steps, they count theirs.
            if has_combined_build { Variant::Selected(id) } else { Variant::Mutant(id) }
        };
        let combined = has_combined_build.then_some(Variant::Combined);
        let own = self.own_programs().iter().map(own).collect::<Vec<_>>();
        iter::once(Variant::Reference).chain(combined).chain(own).collect()
    }

    /// Whether a program with several mutants is wanted.
    pub(super) fn has_combined_build(&self) -> bool {
        self.builds == Builds::Combined && self.assignment.program.has_combined_build()
    }

    /// The selected mutants that are run by programs of their own.
    pub(super) fn own_programs(&self) -> MutantSet {
        let is_own = |mutant: &usize| match self.builds {
            Builds::Reference => false,
            Builds::Isolated => true,
            Builds::Combined => {
                let id = &self.mutants[*mutant].id;
                !self.assignment.program.has_combined_build()
                    || self.assignment.own_program(id).is_some()
            }
        };
        self.selected.iter().filter(is_own).collect()
    }

    /// Builds the programs and records them for [`Programs::open`].
    ///
    /// # Errors
    /// If a build fails.
    pub fn record(&self) -> Result<(), Failure> {
        Built::build(self.course, self.assignment, &self.variants()).map(drop)
    }
}
