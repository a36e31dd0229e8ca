//! Submissions with results that no worker made: they are in the database as if one had.

use harness::result::graded::points::{Part, PointsReport};
use harness::result::graded::{CaseReport, GroupReport, SubmissionReport, Verdict};
use harness::result::record::{Digests, Record};
use server::courses;
use server::database::{Connection, Result};
use server::people::Person;
use server::queue::{self, Class};

/// A record in which a program is right on so many of ten cases, which are worth eight points each; the tests earn nothing.
pub(crate) fn record(assignment: &str, login: &str, right: usize) -> Record {
    let case = |at: usize| CaseReport {
        name: format!("C{at}"),
        verdict: if at < right { Verdict::Passed } else { Verdict::Wrong },
        share: if at < right { 1.0 } else { 0.0 },
        command: vec!["./sum".to_owned()],
        measures: None,
        says: None,
        stopped: None,
        shown: None,
    };
    let earned = right as f64 * 8.0;
    let part = |name: &str, earned, max| Part { name: name.to_owned(), earned: Some(earned), max };
    let report = SubmissionReport {
        name: login.to_owned(),
        digest: "0".repeat(64),
        refused: false,
        other_scale: false,
        findings: Vec::new(),
        build: None,
        groups: vec![GroupReport {
            name: "sample".to_owned(),
            extra: false,
            points: earned,
            max_points: 80.0,
            passed: right,
            total: 10,
            cases: (0..10).map(case).collect(),
        }],
        leaks: None,
        tests: None,
        own: None,
        points: PointsReport {
            earned,
            max: 90.0,
            parts: vec![part("cases", earned, 80.0), part("tests", 0.0, 10.0)],
        },
    };
    let digest = || "0".repeat(64);
    let digests = Digests { submission: digest(), course: digest(), harness: digest() };
    Record::new(assignment, digests, report)
}

/// A submission that was graded: so many of ten cases are right.
pub(crate) fn graded(
    connection: &mut Connection<'_>,
    student: &Person,
    assignment: &str,
    right: usize,
) -> Result<i64> {
    let submission = handed_in(connection, student, assignment)?;
    let course = courses::in_force(connection)?.unwrap();
    queue::put(connection, submission, student.id, &course, Class::Live, None)?;
    work_off(connection, right)?;
    Ok(submission)
}

/// A submission without a job.
pub(crate) fn handed_in(
    connection: &mut Connection<'_>,
    student: &Person,
    assignment: &str,
) -> Result<i64> {
    let now = connection.now()?;
    connection.execute(
        "insert into archive (digest, bytes) values ('a', $1) on conflict do nothing",
        &[vec![0].into()],
    )?;
    let used = "select count(*) from submission where person = $1 and assignment = $2";
    let used = connection.query(used, &[student.id.into(), assignment.into()])?[0].int(0);
    connection.insert(
        "insert into submission (person, assignment, at, day, slot, feedback, archive, file_name, \
         request) values ($1, $2, $3, '2026-11-24', $4, 'normal', 'a', 'sum.tar.gz', $5)",
        &[
            student.id.into(),
            assignment.into(),
            now.into(),
            (used + 1).into(),
            format!("r{}-{assignment}-{used}", student.id).into(),
        ],
    )
}

/// Grades what is in the queue: so many of ten cases are right. Gives the number of jobs.
pub(crate) fn work_off(connection: &mut Connection<'_>, right: usize) -> Result<usize> {
    let mut count = 0;
    connection.execute("update job set until = 0 where state = 'queued'", &[])?;
    while let Some(claim) = queue::claim(connection, "test")? {
        let record = record(&claim.assignment, &claim.login, right);
        assert!(queue::finish(connection, &claim, &record)?);
        count += 1;
    }
    Ok(count)
}

/// Lets all jobs of the queue fail for good.
pub(crate) fn fail_all(connection: &mut Connection<'_>, reason: &str) -> Result<()> {
    loop {
        connection.execute("update job set until = 0 where state = 'queued'", &[])?;
        let Some(claim) = queue::claim(connection, "test")? else { return Ok(()) };
        queue::fail(connection, &claim, reason)?;
    }
}
