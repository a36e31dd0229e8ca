//! A test case of a file of unit tests, and what it does on mutants.

use super::contained;
use crate::catalogue::Mutant;
use crate::catalogue::sites;
use crate::course::{Assignment, Course, UnitTests};
use crate::diagnostic::{Failure, Problem, did_you_mean, printable};
use crate::result::TestReport;
use crate::result::explain::{explain, failing};
use crate::result::explained::{Assertion, Explained, MutantExplained, SCHEMA};
use crate::run::matrix::Difference;
use crate::run::work::Work;
use crate::suite::{Suite, TestProgram};
use crate::unit::{Variants, code};

/// A test case.
pub struct TestCase<'a> {
    /// The name of its file.
    pub file: &'a str,
    /// The text of its file.
    pub source: &'a [u8],
    pub name: &'a str,
}

/// Why a test case is rejected, and its code.
pub struct RejectedCase {
    pub problem: Problem,
    pub code: String,
}

impl TestCase<'_> {
    /// What the case is called in a report.
    pub fn title(&self) -> String {
        format!("{}:{}", self.file, self.name)
    }

    /// Runs it on `mutants`, and shows the assertion that fails on each that it exposes. If one is `asked` for, that is the only one.
    ///
    /// # Errors
    /// If there is no such case, a build fails, or the machine fails.
    pub fn explain(
        &self,
        work: &Work,
        (course, assignment): (&Course, &Assignment),
        unit: &UnitTests,
        (mutants, asked): (&[Mutant], Option<&str>),
        jobs: usize,
    ) -> Result<Result<Explained, RejectedCase>, Failure> {
        let text = String::from_utf8_lossy(self.source);
        let (line, code) = code(&text, self.name).unwrap_or((1, &text));
        let rejected = |problem| Ok(Err(RejectedCase { problem, code: code.to_owned() }));
        let suite = self.suite(assignment, unit);
        let variants =
            Variants::build(&contained(work, course)?, course, assignment, unit, mutants, jobs)?;
        let (suite, rows) = variants.score(suite)?;
        let title = self.title();
        let is_this = |name: &str| name == title || name == self.file;
        if let Some(found) = suite.rejected.iter().find(|it| is_this(&it.file)) {
            return rejected(found.problem.clone());
        }
        let Some(at) = suite.tests.iter().position(|test| test.file == title) else {
            return Err(self.unknown(&suite));
        };
        let row = &rows[at];
        let sites = sites::of(assignment)?;
        let assertion = |difference: &Difference| {
            let failed = variants.failed(difference.outcome.as_ref()?)?;
            let message = printable(&failed.message);
            Some(Assertion { file: self.file.to_owned(), line: failed.line, message })
        };
        let reached = |at: usize| row.reached.as_ref().map(|reached| reached.contains(at));
        let explained = |at: usize| {
            let seen = row.difference(at);
            let explained = explain(
                &mutants[at],
                reached(at),
                &sites,
                &*assignment.domain,
                &row.reference,
                None,
            );
            let difference = seen.map(|seen| failing(seen, assertion(seen)));
            MutantExplained { difference, ..explained }
        };
        let exposed: Vec<_> = row.exposed.iter().map(|it| it.mutant).collect();
        let id = |at: usize| mutants[at].id.clone();
        let exposes = exposed.iter().copied().map(id).collect();
        let others = |reached: bool| -> Vec<String> {
            let others = row.unexposed(reached, mutants.len()).filter(|_| asked.is_none());
            others.map(id).collect()
        };
        let shown = if asked.is_some() { (0..mutants.len()).collect() } else { exposed };
        Ok(Ok(Explained {
            schema: SCHEMA.to_owned(),
            assignment: assignment.id.clone(),
            test: TestReport::valid(title, Vec::new(), exposes),
            input: code.to_owned(),
            line: Some(line),
            asked: asked.map(str::to_owned),
            mutants: shown.into_iter().map(explained).collect(),
            reached: others(true),
            unreached: others(false),
            engines: Vec::new(),
        }))
    }

    /// Its file as a suite. The course's own file may have any name.
    fn suite(&self, assignment: &Assignment, unit: &UnitTests) -> Suite {
        if unit.has(self.file) {
            return Suite::of_files("", [(self.file, self.source)].into_iter(), assignment);
        }
        let program = TestProgram { file: self.file.to_owned(), source: self.source.to_owned() };
        Suite { programs: vec![program], ..Suite::default() }
    }

    /// The failure of a file without this case.
    fn unknown(&self, suite: &Suite) -> Failure {
        let names = suite.tests.iter().map(|test| &test.file);
        let names = names.chain(suite.rejected.iter().map(|it| &it.file));
        let names: Vec<_> =
            names.filter_map(|name| name.strip_prefix(self.file)?.strip_prefix(':')).collect();
        let all = || format!("its test cases are {}", names.join(", "));
        let hint = did_you_mean(self.name, names.iter().copied()).unwrap_or_else(all);
        let message = format!("there is no test case `{}` in {}", printable(self.name), self.file);
        Failure::usage(Problem::new(message).hint(hint))
    }
}
