//! Scores the suites of an assignment, some at a time.

use super::counted::{self, Counted, Tested};
use super::observer::Observer;
use crate::catalogue::Mutant;
use crate::course::{Assignment, Course};
use crate::diagnostic::Failure;
use crate::result::SuiteReport;
use crate::result::drawn::{DrawnTest, Shows};
use crate::result::engines::{self, SlowerProgram};
use crate::result::grade::grade;
use crate::run::matrix::Row;
use crate::run::programs::{Builds, Programs};
use crate::run::work::Work;
use crate::suite::decode::{self, Spelled};
use crate::suite::layout::SuiteFolder;
use crate::suite::spelling::Spelling;
use crate::suite::{Suite, Test};
use subject::Case;

/// Tests that are held in memory at the same time, about.
const TESTS_AT_ONCE: usize = 1024;
/// Tests whose outcomes are held in memory at the same time.
const OUTCOMES_AT_ONCE: usize = 16;

/// An assignment whose programs are built.
pub struct Scorer<'a> {
    assignment: &'a Assignment,
    settings: Settings,
    pub mutants: Vec<Mutant>,
    programs: Tested,
}

/// How suites are scored.
#[derive(Clone)]
pub struct Settings {
    /// What the programs run for.
    pub work: Work,
    /// How the options of a test are spelled.
    pub spelling: Spelling,
    /// The seed of a random spelling.
    pub seed: u64,
    pub builds: Builds,
    /// How many cases run at the same time.
    pub jobs: usize,
    /// Whether results say which lines of the reference unit tests reach, also where the course does not ask for it.
    pub coverage: bool,
}

/// Takes the results.
pub trait Sink {
    /// What it needs of the tests, besides their results.
    fn shows(&self) -> Shows {
        Shows::Results
    }

    /// Takes a valid test of the suites that come next.
    fn test(&mut self, _test: &DrawnTest<'_>) -> Result<(), Failure> {
        Ok(())
    }

    /// Takes the results of some suites, which name these mutants.
    fn suites(&mut self, suites: Vec<SuiteReport>, mutants: &[Mutant]) -> Result<(), Failure>;
}

impl<'a> Scorer<'a> {
    /// Builds the declared mutants of all assignments at the same time. Those that do not count are left out.
    ///
    /// # Errors
    /// If a build fails, or a reference rejects every witness.
    pub fn build_all(
        course: &Course,
        declared: Vec<(&'a Assignment, Vec<Mutant>)>,
        settings: &Settings,
        on: &dyn Observer,
    ) -> Result<Vec<Self>, Failure> {
        let assignments: Vec<_> = declared.iter().map(|(assignment, _)| *assignment).collect();
        let Settings { work, builds, jobs, .. } = settings;
        let all = counted::build_all(work, course, declared, *builds, *jobs, on)?;
        let settings = settings.clone();
        let scorer =
            |(assignment, Counted { mutants, mut programs }): (&'a Assignment, Counted)| {
                let is_counting = assignment.unit.as_ref().is_some_and(|unit| unit.coverage);
                if settings.coverage && !is_counting {
                    programs.count_lines(course, assignment, on)?;
                }
                Ok(Self { assignment, settings: settings.clone(), mutants, programs })
            };
        assignments.into_iter().zip(all).map(scorer).collect()
    }

    /// Scores the suites in `folders`, and passes their results to `sink`.
    pub fn score(&mut self, folders: &[SuiteFolder], sink: &mut dyn Sink) -> Result<(), Failure> {
        let suites_at_once = (TESTS_AT_ONCE / self.assignment.tests.files as usize).max(1);
        for folders in folders.chunks(suites_at_once) {
            let suites = self.suites(folders, sink)?;
            sink.suites(suites, &self.mutants)?;
        }
        Ok(())
    }

    /// Remembers what unit tests did, so that those that stay the same need not run again.
    pub fn remember(&mut self) {
        if let Tested::Unit(variants) = &mut self.programs {
            variants.remember();
        }
    }

    /// The programs that ran by a slower engine.
    pub fn engines(&self) -> Vec<SlowerProgram> {
        match &self.programs {
            Tested::Inputs(programs) => engines::slower(programs.slower()),
            Tested::Unit(_) => Vec::new(),
        }
    }

    /// The results of the suites in `folders`, whose tests all run together.
    fn suites(
        &mut self,
        folders: &[SuiteFolder],
        sink: &mut dyn Sink,
    ) -> Result<Vec<SuiteReport>, Failure> {
        let read = |folder| Suite::of_student(folder, self.assignment);
        let suites: Vec<_> = folders.iter().map(read).collect();
        let Self { assignment, settings, mutants, programs } = self;
        let programs = match programs {
            Tested::Inputs(programs) => programs,
            Tested::Unit(variants) => {
                let report = |suite| counted::graded(variants, suite, mutants, assignment);
                return suites.into_iter().map(report).collect();
            }
        };
        let tests: Vec<_> = suites.iter().flat_map(|suite| &suite.tests).collect();
        let cases: Vec<_> = tests.iter().map(|test| case(assignment, settings, test)).collect();
        let rows = if sink.shows() == Shows::Results {
            programs.rows(&cases)?
        } else {
            shown_rows(programs, assignment, &tests, &cases, sink)?
        };
        let (mut rows, mut cases) = (rows.into_iter(), cases.into_iter());
        let report = |suite: Suite| {
            let count = suite.tests.len();
            let rows: Vec<_> = rows.by_ref().take(count).collect();
            let arguments = cases.by_ref().take(count).map(|case| case.args).collect();
            grade(suite, arguments, &rows, mutants, assignment)
        };
        Ok(suites.into_iter().map(report).collect())
    }
}

/// The rows of tests that `sink` takes. Outcomes are dropped once it has taken them.
fn shown_rows(
    programs: &mut Programs,
    assignment: &Assignment,
    tests: &[&Test],
    cases: &[Case],
    sink: &mut dyn Sink,
) -> Result<Vec<Row>, Failure> {
    let mut all = Vec::with_capacity(cases.len());
    for (tests, cases) in tests.chunks(OUTCOMES_AT_ONCE).zip(cases.chunks(OUTCOMES_AT_ONCE)) {
        let with_outcomes = sink.shows() == Shows::Outcomes;
        let mut rows =
            if with_outcomes { programs.outcomes(cases)? } else { programs.rows(cases)? };
        for (test, row) in tests.iter().zip(&mut rows) {
            if row.is_test(assignment, &test.name.flags, &test.input) {
                let outcomes = with_outcomes.then_some((&row.reference, &row.exposed[..]));
                sink.test(&DrawnTest { file: &test.file, draft: test.draft(), outcomes })?;
            }
            row.exposed.iter_mut().for_each(|difference| difference.outcome = None);
        }
        all.extend(rows);
    }
    Ok(all)
}

fn case(assignment: &Assignment, settings: &Settings, test: &Test) -> Case {
    let Settings { spelling, seed, .. } = *settings;
    let spelled = Spelled { spelling, file: &test.file, seed };
    decode::case(assignment, &test.name.flags, test.input.clone(), &spelled)
        .expect("the name was read before")
}
