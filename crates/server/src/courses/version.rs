//! A version of the course, as the server needs it.

use super::broken;
use crate::database::Result;
use harness::catalogue::Mutant;
use harness::course::{Assignment, Audience, Course};
use harness::diagnostic::Failure;
use harness::grading::Cut;
use harness::result::MutantReport;
use harness::result::graded::SubmissionReport;
use harness::run::prepare;
use std::collections::BTreeMap;
use std::path::Path;

/// A version of the course, as the server needs it. It builds nothing.
pub struct Version {
    pub digest: String,
    pub course: Course,
    /// The mutants of each assignment.
    mutants: BTreeMap<String, Vec<Mutant>>,
}

impl Version {
    /// Reads a version that is unpacked in a folder.
    pub(super) fn read(folder: &Path, digest: String) -> Result<Self> {
        let broken = |failure: Failure| broken(&digest, "read", &failure);
        let course = Course::read(folder).map_err(broken)?;
        let mut mutants = BTreeMap::new();
        for assignment in &course.assignments {
            let all = prepare::bugs(&course, assignment).map_err(broken)?;
            mutants.insert(assignment.id.clone(), all);
        }
        Ok(Self { digest, course, mutants })
    }

    /// The assignments that students hand in for, in the order of the course file.
    pub fn assignments(&self) -> impl Iterator<Item = &Assignment> {
        self.course.assignments.iter().filter(|assignment| assignment.submission.is_some())
    }

    pub fn assignment(&self, id: &str) -> Option<&Assignment> {
        self.assignments().find(|assignment| assignment.id == id)
    }

    /// What a reader may see of a report.
    ///
    /// # Errors
    /// If two mutants have the same pseudonym.
    pub fn cut(
        &self,
        assignment: &str,
        report: &SubmissionReport,
        audience: Audience,
    ) -> std::result::Result<SubmissionReport, Failure> {
        Ok(self.cut_for(assignment, audience)?.submission(report))
    }

    /// The mutants of an assignment.
    pub fn mutants(&self, assignment: &str) -> &[Mutant] {
        self.mutants.get(assignment).map(Vec::as_slice).unwrap_or_default()
    }

    /// The mutants that a reader may know.
    ///
    /// # Errors
    /// If two mutants have the same pseudonym.
    pub fn known_mutants(
        &self,
        assignment: &str,
        audience: Audience,
    ) -> std::result::Result<Vec<MutantReport>, Failure> {
        Ok(self.cut_for(assignment, audience)?.mutants(self.mutants(assignment)))
    }

    fn cut_for(&self, assignment: &str, audience: Audience) -> std::result::Result<Cut, Failure> {
        let assignment = self.course.assignment(assignment)?;
        let mutants = self.mutants(&assignment.id);
        let submission = assignment.submission.as_ref().expect("it was handed in");
        Cut::new(assignment, submission, mutants, audience, true)
    }
}
