//! `harness mutants verify`: builds every mutant, runs each on its witness and all on a corpus, and reports what differs from the
//! catalogue.

mod right;
mod runs;
mod unit;

use super::corpus::{Corpus, FEW_SAMPLES, SAMPLES};
use super::{Choice, choose, print};
use crate::catalogue::Mutant;
use crate::catalogue::sites::Sites;
use crate::cli::Format;
use crate::cli::mutants::Verify;
use crate::course::{Assignment, Course};
use crate::diagnostic::progress::Progress;
use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::exit::Exit;
use crate::report::verified::{self, SCHEMA, Verified, VerifiedAssignment, Wrong};
use crate::result::engines::{self, SlowerProgram};
use crate::result::verify;
use crate::run::differences::Differences;
use crate::run::prepare;
use crate::run::programs::{Plan, Programs};
use crate::run::work::Work;
use runs::Runs;
use std::time::Duration;

/// How long engines are compared with processes at most.
const TIME: Duration = Duration::from_secs(10);
const LITTLE_TIME: Duration = Duration::from_secs(3);

pub(super) fn run(work: &Work, options: &Verify) -> Result<Exit, Failure> {
    let course = Course::read(&options.which.course)?;
    let mut report = Verified { schema: SCHEMA.to_owned(), assignments: Vec::new() };
    let mut problems = Vec::new();
    for choice in choose(&course, &options.which, &options.ids)? {
        let mut verification = Verification::new(work, &course, &choice, options);
        verification.verify()?;
        report.assignments.push(verification.report());
        problems.extend(verification.problems);
    }
    print("the result", &report, options.which.format)?;
    if problems.is_empty() {
        return Ok(Exit::Done);
    }
    // The JSON document contains them.
    let problems = if options.which.format == Format::Json { Vec::new() } else { problems };
    Err(Failure { kind: FailureKind::Course, problems })
}

/// The verification of one assignment.
struct Verification<'a> {
    work: &'a Work,
    course: &'a Course,
    choice: &'a Choice<'a>,
    options: &'a Verify,
    counts: verified::Corpus,
    /// The ids of the mutants that no sample suite of unit tests exposes.
    missed: Vec<String>,
    compared_runs: u64,
    engines: Vec<SlowerProgram>,
    problems: Vec<Problem>,
}

impl<'a> Verification<'a> {
    fn new(
        work: &'a Work,
        course: &'a Course,
        choice: &'a Choice<'a>,
        options: &'a Verify,
    ) -> Self {
        let (counts, problems) = (verified::Corpus::default(), Vec::new());
        let (missed, engines) = (Vec::new(), Vec::new());
        let compared_runs = 0;
        Self { work, course, choice, options, counts, missed, compared_runs, engines, problems }
    }

    fn verify(&mut self) -> Result<(), Failure> {
        let choice = self.choice;
        self.check_sites()?;
        if !self.problems.is_empty() {
            // A crate that does not declare every mutant cannot be built.
            return Ok(());
        }
        let described = choice
            .selected()
            .flat_map(|(_, mutant)| verify::description(mutant, choice.assignment));
        self.problems.extend(described);
        if let Some(unit) = &choice.assignment.unit {
            return self.verify_unit(unit);
        }
        let mut runs = match self.build() {
            Ok(runs) => runs,
            // A disk that is full says nothing of a mutant.
            Err(failure) if failure.kind == FailureKind::Machine => return Err(failure),
            Err(failure) => {
                self.problems.extend(failure.problems);
                return Ok(());
            }
        };
        let samples = if self.options.ids.is_empty() { SAMPLES } else { FEW_SAMPLES };
        let corpus = Corpus::new(self.course, choice.assignment, &choice.mutants, samples)?;
        self.counts = corpus.counts;
        if let Err(failure) = runs.judge(&corpus.cases) {
            if failure.kind == FailureKind::Machine {
                return Err(failure);
            }
            // No verdict of this checker means anything.
            self.problems.extend(failure.problems);
            return Ok(());
        }
        self.compare(&mut runs, &corpus)?;
        let (references, seen) = runs.corpus(&corpus, &mut self.problems)?;
        let trials = runs.trials(&corpus, &references)?;
        let jobs = prepare::jobs(self.options.jobs);
        let right = right::problems(self.work, self.course, choice.assignment, &corpus, jobs)?;
        self.problems.extend(right);
        self.engines = engines::slower(runs.combined.iter().flat_map(Programs::slower).collect());
        self.problems.extend(trials.iter().filter_map(|(index, trial)| {
            verify::trial(&choice.mutants[*index], choice.assignment, trial)
        }));
        let on_corpus = |(index, mutant)| verify::on_corpus(mutant, index, &corpus.cases, &seen);
        self.problems.extend(choice.selected().filter_map(on_corpus));
        Ok(())
    }

    /// Compares the engines of the combined build with processes. A program that differs steps down, and is reported.
    fn compare(&mut self, runs: &mut Runs<'_>, corpus: &Corpus) -> Result<(), Failure> {
        let Some(programs) = &mut runs.combined else { return Ok(()) };
        let _progress = Progress::new("comparing with processes", None);
        let time = if self.options.fast { LITTLE_TIME } else { TIME };
        let trust = programs.check(&corpus.cases, time)?;
        self.compared_runs = trust.runs;
        let ids = &self.choice.mutants;
        self.problems.extend(trust.differences.iter().map(|untrue| {
            verify::untrue(untrue, untrue.mutant.map(|mutant| ids[mutant].id.as_str()))
        }));
        Ok(())
    }

    /// Checks that the features, the catalogue files and the `bug!`s are the same mutants.
    fn check_sites(&mut self) -> Result<(), Failure> {
        let Choice { assignment, mutants, .. } = self.choice;
        let differences = Differences::find(self.course, assignment, mutants)?;
        self.problems.extend(differences.problems());
        if let Some(sites) = Sites::read(assignment)? {
            let mutants: Vec<_> = mutants.iter().collect();
            self.problems.extend(verify::sites(&mutants, &sites));
        }
        Ok(())
    }

    /// Builds the programs. If the build of a single mutant fails, that is a problem of the mutant.
    fn build(&mut self) -> Result<Runs<'a>, Failure> {
        let choice = self.choice;
        let progress = Progress::new("building the combined build", None);
        let plan = Plan::new(self.work, self.course, choice.assignment, &choice.mutants)
            .jobs(prepare::jobs(self.options.jobs));
        let combined = if choice.assignment.program.has_combined_build() {
            // With all mutants, because a selected one may be the twin of any other.
            Some(Programs::build(&plan)?)
        } else {
            None
        };
        drop(progress);
        let isolated = if self.is_isolated() {
            let selected = plan.clone().only(choice.selected.clone());
            let progress = Progress::new("building", Some(choice.selected.len() as u64));
            let before = |mutant: &Mutant| {
                progress.say(&format!("building {}", mutant.id));
                progress.add(1);
            };
            let (programs, problems) =
                Programs::build_isolated(&selected, self.options.all, before)?;
            self.problems.extend(problems);
            Some(programs)
        } else {
            None
        };
        Ok(Runs { choice, combined, isolated })
    }

    /// Whether mutants are built on their own. They are if there is no other build.
    fn is_isolated(&self) -> bool {
        !self.options.fast || !self.has_combined_build()
    }

    /// Whether there is a build with all mutants. For unit tests, each is a program of its own.
    fn has_combined_build(&self) -> bool {
        let Assignment { unit, program, .. } = self.choice.assignment;
        unit.is_none() && program.has_combined_build()
    }

    fn report(&self) -> VerifiedAssignment {
        let selected = || self.choice.selected().map(|(_, mutant)| mutant);
        VerifiedAssignment {
            assignment: self.choice.assignment.id.clone(),
            mutants: selected().map(|mutant| mutant.id.clone()).collect(),
            equivalent: selected()
                .filter(|mutant| !mutant.is_a_bug())
                .map(|mutant| mutant.id.clone())
                .collect(),
            isolated: self.is_isolated(),
            optimized: self.options.all,
            combined: self.has_combined_build(),
            corpus: self.counts,
            missed: self.missed.clone(),
            compared_runs: self.compared_runs,
            engines: self.engines.clone(),
            problems: self.problems.iter().map(Wrong::from).collect(),
        }
    }
}
