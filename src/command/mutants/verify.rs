//! `harness mutants verify`: builds every mutant, runs each on its witness and all on a corpus, and tells what is not as declared.

mod corpus;
mod runs;

use super::{Choice, choose, print};
use crate::catalogue::sites;
use crate::cli::Format;
use crate::cli::mutants::Verify;
use crate::course::{Assignment, Course, Program};
use crate::problem::progress::Progress;
use crate::problem::{Exit, Failure, Problem};
use crate::report::verified::{self, SCHEMA, Verified, VerifiedAssignment, Wrong};
use crate::result::verify;
use crate::run::build::{self, Runnable, Variant};
use crate::run::prepare;
use corpus::Corpus;
use runs::Runs;
use std::collections::BTreeMap;

/// Random cases of the corpus, for all mutants and for a few that are named.
const SAMPLES: usize = 512;
const FEW_SAMPLES: usize = 128;

pub(super) fn run(options: &Verify) -> Result<Exit, Failure> {
    let course = Course::read(&options.which.course)?;
    let mut report = Verified { schema: SCHEMA.to_owned(), assignments: Vec::new() };
    let mut problems = Vec::new();
    for choice in choose(&course, &options.which, &options.ids)? {
        let mut bench = Bench::new(&course, &choice, options);
        bench.verify()?;
        report.assignments.push(bench.report());
        problems.extend(bench.problems);
    }
    print("the result", &report, options.which.format)?;
    if problems.is_empty() {
        return Ok(Exit::Done);
    }
    // A machine has read them in the document.
    let problems = if options.which.format == Format::Json { Vec::new() } else { problems };
    Err(Failure { exit: Exit::BrokenCourse, problems })
}

/// One assignment that is being verified.
struct Bench<'a> {
    course: &'a Course,
    choice: &'a Choice<'a>,
    options: &'a Verify,
    counts: verified::Corpus,
    problems: Vec<Problem>,
}

/// What was built.
struct Built {
    reference: Runnable,
    combined: Option<Runnable>,
    /// The mutants that were built on their own, by index.
    isolated: BTreeMap<usize, Runnable>,
}

impl<'a> Bench<'a> {
    fn new(course: &'a Course, choice: &'a Choice<'a>, options: &'a Verify) -> Self {
        Self { course, choice, options, counts: verified::Corpus::default(), problems: Vec::new() }
    }

    fn verify(&mut self) -> Result<(), Failure> {
        let (assignment, choice) = (self.choice.assignment, self.choice);
        if let Err(failure) = self.agree() {
            self.problems.extend(failure.problems);
        }
        if !self.problems.is_empty() {
            // What does not fit together can't be built.
            return Ok(());
        }
        self.problems
            .extend(choice.meant().flat_map(|(_, mutant)| verify::description(mutant, assignment)));
        let Some(built) = self.build() else { return Ok(()) };
        let samples = if self.options.ids.is_empty() { SAMPLES } else { FEW_SAMPLES };
        let corpus = Corpus::new(self.course, choice, samples)?;
        self.counts = corpus.counts;
        let mut runs = Runs::new(choice, &built, prepare::jobs(self.options.jobs));
        let (references, seen) = runs.corpus(&corpus.cases, &mut self.problems)?;
        let trials = runs.trials(&corpus, &references)?;
        self.problems.extend(trials.iter().filter_map(|(index, trial)| {
            verify::trial(&choice.mutants[*index], trial, choice.assignment.domain)
        }));
        let on_corpus = |(index, mutant)| verify::on_corpus(mutant, index, &corpus.cases, &seen);
        self.problems.extend(choice.meant().filter_map(on_corpus));
        Ok(())
    }

    /// Checks that features, catalogue files and `bug!`s are the same mutants.
    fn agree(&mut self) -> Result<(), Failure> {
        let Program::Cargo(package) = &self.choice.assignment.program else { return Ok(()) };
        if let Err(failure) =
            prepare::agree(self.course, self.choice.assignment, &self.choice.mutants)
        {
            self.problems.extend(failure.problems);
        }
        let (declared, asked) = (sites::declared(&package.folder)?, sites::find(&package.folder)?);
        let mut conditions = sites::cfg_conditions(&package.folder)?;
        conditions.retain(|site| !package.features.contains(&site.id));
        self.problems.extend(verify::sites(&self.choice.mutants, &declared, &asked, &conditions));
        Ok(())
    }

    /// Builds what is needed. A mutant whose own build fails is a problem of that mutant.
    fn build(&mut self) -> Option<Built> {
        let assignment = self.choice.assignment;
        let has_combined = has_combined(assignment);
        let progress = Progress::new("building the programs", None);
        let mut variants = vec![(assignment, Variant::Reference)];
        variants.extend(has_combined.then_some((assignment, Variant::Combined)));
        let mut built = match build::all(self.course, &variants) {
            Ok(built) => built.into_iter(),
            Err(failure) => {
                self.problems.extend(failure.problems);
                return None;
            }
        };
        let mut isolated = BTreeMap::new();
        if self.is_isolated() {
            // One at a time: they share a target folder.
            for (at, (index, mutant)) in self.choice.meant().enumerate() {
                progress.say(&format!(
                    "building mutant {} of {}: {}",
                    at + 1,
                    self.choice.meant.len(),
                    mutant.id
                ));
                match build::build(self.course, assignment, Variant::Mutant(&mutant.id)) {
                    Ok(runnable) => drop(isolated.insert(index, runnable)),
                    Err(failure) => self.problems.extend(failure.problems),
                }
            }
        }
        Some(Built { reference: built.next()?, combined: built.next(), isolated })
    }

    /// Whether mutants are built on their own: always where there is no other build.
    fn is_isolated(&self) -> bool {
        !self.options.fast || !has_combined(self.choice.assignment)
    }

    fn report(&self) -> VerifiedAssignment {
        let meant = || self.choice.meant().map(|(_, mutant)| mutant);
        VerifiedAssignment {
            assignment: self.choice.assignment.id.clone(),
            mutants: meant().map(|mutant| mutant.id.clone()).collect(),
            equivalent: meant()
                .filter(|mutant| !mutant.is_a_bug())
                .map(|mutant| mutant.id.clone())
                .collect(),
            isolated: self.is_isolated(),
            combined: has_combined(self.choice.assignment),
            corpus: self.counts,
            problems: self.problems.iter().map(Wrong::from).collect(),
        }
    }
}

fn has_combined(assignment: &Assignment) -> bool {
    matches!(assignment.program, Program::Cargo(_))
}
