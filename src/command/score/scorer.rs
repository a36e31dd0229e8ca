//! Scores the suites of an assignment, some at a time.

use super::request::Request;
use crate::catalogue::Mutant;
use crate::command::uncounted;
use crate::course::{Assignment, Course};
use crate::diagnostic::Failure;
use crate::diagnostic::progress::Progress;
use crate::report::format::{DrawnTest, Shows};
use crate::result::SuiteReport;
use crate::result::engines::{self, SlowerProgram};
use crate::result::grade::grade;
use crate::run::matrix::Row;
use crate::run::programs::{Plan, Programs};
use crate::submission::unpacked;
use crate::suite::decode::{self, Spelled};
use crate::suite::layout::SuiteFolder;
use crate::suite::{Suite, Test};
use subject::Case;

/// Tests that are held in memory at the same time, about.
const TESTS_AT_ONCE: usize = 1024;
/// Tests whose outcomes are held in memory at the same time.
const OUTCOMES_AT_ONCE: usize = 16;

/// An assignment whose programs are built.
pub(super) struct Scorer<'a> {
    request: &'a Request,
    assignment: &'a Assignment,
    pub(super) mutants: Vec<Mutant>,
    programs: Programs,
}

/// Takes the results.
pub(super) trait Sink {
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
    /// Builds the programs of all assignments at the same time. Each comes with its declared mutants. Those that do not count are left
    /// out, and staff is warned.
    pub(super) fn build_all(
        request: &'a Request,
        course: &Course,
        assignments: Vec<(&'a Assignment, Vec<Mutant>)>,
    ) -> Result<Vec<Self>, Failure> {
        let mut scorers = Self::build_declared(request, course, assignments)?;
        for scorer in &mut scorers {
            scorer.leave_out_uncounted(course)?;
        }
        Ok(scorers)
    }

    fn leave_out_uncounted(&mut self, course: &Course) -> Result<(), Failure> {
        let Self { request, assignment, .. } = *self;
        let uncounted = uncounted::find(assignment, &self.mutants, &mut self.programs)?;
        if uncounted.is_empty() {
            return Ok(());
        }
        if request.is_for_staff() {
            anstream::eprintln!("{}", uncounted::warning(assignment, &uncounted));
        }
        self.mutants.retain(|mutant| uncounted.iter().all(|other| other.id != mutant.id));
        self.programs = Programs::build(&plan(request, course, assignment, &self.mutants))?;
        Ok(())
    }

    fn build_declared(
        request: &'a Request,
        course: &Course,
        assignments: Vec<(&'a Assignment, Vec<Mutant>)>,
    ) -> Result<Vec<Self>, Failure> {
        let plans: Vec<_> = assignments
            .iter()
            .map(|(assignment, mutants)| plan(request, course, assignment, mutants))
            .collect();
        let _progress = Progress::new("building the programs", None);
        let programs = Programs::build_all(&plans)?;
        drop(plans);
        let scorer =
            |((assignment, mutants), programs)| Self { request, assignment, mutants, programs };
        Ok(assignments.into_iter().zip(programs).map(scorer).collect())
    }

    /// Scores the suites in `folders`, and passes their results to `sink`.
    pub(super) fn score(
        &mut self,
        folders: &[SuiteFolder],
        sink: &mut dyn Sink,
    ) -> Result<(), Failure> {
        let suites_at_once = (TESTS_AT_ONCE / self.assignment.tests.files as usize).max(1);
        for folders in folders.chunks(suites_at_once) {
            let suites = self.suites(folders, sink)?;
            sink.suites(suites, &self.mutants)?;
        }
        Ok(())
    }

    /// The programs that ran by a slower engine.
    pub(super) fn engines(&self) -> Vec<SlowerProgram> {
        engines::slower(self.programs.slower())
    }

    /// The results of the suites in `folders`, whose tests all run together.
    fn suites(
        &mut self,
        folders: &[SuiteFolder],
        sink: &mut dyn Sink,
    ) -> Result<Vec<SuiteReport>, Failure> {
        let read = |folder| Suite::of_student(folder, self.assignment, unpacked);
        let suites: Vec<_> = folders.iter().map(read).collect();
        let tests: Vec<_> = suites.iter().flat_map(|suite| &suite.tests).collect();
        let cases: Vec<_> = tests.iter().map(|test| self.case(test)).collect();
        let rows = if sink.shows() == Shows::Results {
            self.programs.rows(&cases)?
        } else {
            self.shown_rows(&tests, &cases, sink)?
        };
        let (mut rows, mut cases) = (rows.into_iter(), cases.into_iter());
        let report = |suite: Suite| {
            let count = suite.tests.len();
            let rows: Vec<_> = rows.by_ref().take(count).collect();
            let arguments = cases.by_ref().take(count).map(|case| case.args).collect();
            grade(suite, arguments, &rows, &self.mutants, self.assignment)
        };
        Ok(suites.into_iter().map(report).collect())
    }

    /// The rows of tests that `sink` takes. Outcomes are dropped once it has taken them.
    fn shown_rows(
        &mut self,
        tests: &[&Test],
        cases: &[Case],
        sink: &mut dyn Sink,
    ) -> Result<Vec<Row>, Failure> {
        let mut all = Vec::with_capacity(cases.len());
        for (tests, cases) in tests.chunks(OUTCOMES_AT_ONCE).zip(cases.chunks(OUTCOMES_AT_ONCE)) {
            let with_outcomes = sink.shows() == Shows::Outcomes;
            let mut rows = if with_outcomes {
                self.programs.outcomes(cases)?
            } else {
                self.programs.rows(cases)?
            };
            for (test, row) in tests.iter().zip(&mut rows) {
                if row.is_valid() {
                    let outcomes = with_outcomes.then_some((&row.reference, &row.exposed[..]));
                    sink.test(&DrawnTest { file: &test.file, draft: test.draft(), outcomes })?;
                }
                row.exposed.iter_mut().for_each(|difference| difference.outcome = None);
            }
            all.extend(rows);
        }
        Ok(all)
    }

    fn case(&self, test: &Test) -> Case {
        let (spelling, seed) = (self.request.spelling, self.request.seed);
        let spelled = Spelled { spelling, file: &test.file, seed };
        decode::case(self.assignment, &test.name.flags, test.input.clone(), &spelled)
            .expect("the name was read before")
    }
}

fn plan<'a>(
    request: &Request,
    course: &'a Course,
    assignment: &'a Assignment,
    mutants: &'a [Mutant],
) -> Plan<'a> {
    Plan::new(course, assignment, mutants).with(request.builds).jobs(request.jobs)
}
