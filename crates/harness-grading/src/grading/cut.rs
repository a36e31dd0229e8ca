//! The one cut: what a reader may see of results.

use crate::catalogue::Mutant;
use crate::course::{Assignment, Audience, Submission};
use crate::diagnostic::Failure;
use crate::result::MutantReport;
use crate::result::graded::{CaseReader, SubmissionReport};
use crate::result::reader::Reader;

/// What one reader may see of the submissions for an assignment.
pub struct Cut {
    tests: Reader,
    cases: CaseReader,
}

impl Cut {
    /// The reader `audience`. Without `shows_measures`, it sees no time and no memory. `mutants` are all that the results may name. Those
    /// that the course declares ([`bugs`](crate::run::prepare::bugs)) will do, so that nothing needs to be built.
    ///
    /// # Errors
    /// If two mutants have the same pseudonym.
    pub fn new(
        assignment: &Assignment,
        submission: &Submission,
        mutants: &[Mutant],
        audience: Audience,
        shows_measures: bool,
    ) -> Result<Self, Failure> {
        let tests = Reader::new(assignment, audience, mutants)?;
        Ok(Self { tests, cases: CaseReader::new(submission, audience, shows_measures) })
    }

    /// What the reader may see of a submission.
    pub fn submission(&self, report: &SubmissionReport) -> SubmissionReport {
        let mut seen = report.clone().for_reader(&self.cases);
        seen.tests = seen.tests.map(|tests| self.tests.suite(tests));
        seen
    }

    /// The mutants that the reader may see.
    pub fn mutants(&self, mutants: &[Mutant]) -> Vec<MutantReport> {
        self.tests.mutants(mutants)
    }
}
