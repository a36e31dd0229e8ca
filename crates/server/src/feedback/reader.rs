//! As whom somebody reads a submission, and whether points are shown yet.

use crate::database::{Connection, Result};
use crate::people::Person;
use crate::rules::{Moment, Rules};
use crate::submissions::Submission;
use crate::submissions::overview::{Overview, Phase};
use harness::course::{Audience, Level};
use harness::result::graded::SubmissionReport;
use harness::result::graded::points::PointsReport;

/// As whom somebody reads a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reader {
    pub audience: Audience,
    /// When points and verdicts are shown, if they are not yet.
    pub withheld_until: Option<Moment>,
    /// Whether hints are given to this reader, and not only shown.
    pub gets_hints: bool,
}

impl Reader {
    pub const STAFF: Self =
        Self { audience: Audience::Staff, withheld_until: None, gets_hints: false };

    /// The student of a submission, who stands like this with the assignment. The one that counts is read as the final one after the end.
    pub fn student(submission: &Submission, overview: &Overview) -> Self {
        let counts = overview.counting.as_ref().is_some_and(|it| it.submission == submission.id);
        let audience = match submission.audience() {
            Audience::Normal if counts && overview.phase == Phase::Closed => Audience::Final,
            audience => audience,
        };
        Self { audience, withheld_until: overview.withheld_until, gets_hints: true }
    }

    /// The same as [`student`](Self::student), from the database.
    ///
    /// # Errors
    /// If the database fails.
    pub fn of_student(
        connection: &mut Connection<'_>,
        rules: &Rules,
        student: &Person,
        submission: &Submission,
    ) -> Result<Self> {
        let overview = Overview::of(connection, rules, student, &submission.assignment)?;
        Ok(Self::student(submission, &overview))
    }
}

/// Removes points and verdicts, and what tells them. Messages about the files and the build stay.
pub(super) fn withhold(report: &mut SubmissionReport) {
    report.groups.clear();
    report.leaks = None;
    report.own = None;
    report.points = PointsReport { earned: 0.0, max: 0.0, parts: Vec::new() };
    report.tests = report.tests.take().map(|tests| tests.for_level(Level::None));
}
