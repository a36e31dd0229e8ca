//! All that a student did, for staff.

use super::Submission;
use super::group::Group;
use crate::database::{Connection, Result, Value};
use crate::people::{Person, sight};
use crate::rules::Moment;

/// A submission with what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    pub submission: Submission,
    /// The result that stands.
    pub result: Option<Outcome>,
    /// The last job that is of no regrade: its state, and why it failed.
    pub state: String,
    pub reason: Option<String>,
}

/// The result of a submission that stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub points: f64,
    pub max: f64,
    pub refused: bool,
    pub exposed: Option<i64>,
    /// The version of the course.
    pub course: String,
}

/// The most submissions that are read.
const MOST: i64 = 1000;

/// The submissions of a student and of the student's groups, the last one first.
///
/// # Errors
/// If the database fails.
pub fn attempts(connection: &mut Connection<'_>, student: i64) -> Result<Vec<Attempt>> {
    let sql = format!(
        "select {}, result.points, result.max_points, result.refused, result.exposed, result.course, \
         job.state, job.reason, submission.hand_points, submission.hand_most from submission \
         left join result on result.job = (select one.job from result one \
            where one.submission = submission.id and one.applied is not null \
            order by one.applied desc, one.job desc limit 1) \
         left join job on job.id = (select max(one.id) from job one \
            where one.submission = submission.id and one.regrade is null) \
         where submission.id in (select id from submission where person = $1 union \
            select one.id from member join submission one \
            on one.person = member.keeper and one.assignment = member.assignment \
            where member.person = $1) order by submission.id desc limit $2",
        Submission::COLUMNS
    );
    let rows = connection.query(&sql, &[student.into(), MOST.into()])?;
    let hundredths = |number: i64| number as f64 / 100.0;
    let attempt = |row: &crate::database::Row| Attempt {
        submission: Submission::of(row),
        result: row.maybe_int(14).map(|points| Outcome {
            points: hundredths((points + row.int(21) + row.int(12)).max(0)),
            max: hundredths(row.int(15) + row.int(22)),
            refused: row.is(16),
            exposed: row.maybe_int(17),
            course: row.text(18),
        }),
        state: row.maybe_text(19).unwrap_or_default(),
        reason: row.maybe_text(20),
    };
    Ok(rows.iter().map(attempt).collect())
}

/// When the student was last seen, and on how many browsers the student is signed in.
///
/// # Errors
/// If the database fails.
pub fn sessions(connection: &mut Connection<'_>, student: i64) -> Result<(Option<Moment>, i64)> {
    let sql = "select max(seen), count(*) from session where person = $1";
    let row = connection.first(sql, &[student.into()])?;
    Ok(row.map_or((None, 0), |row| (row.maybe_int(0).map(Moment), row.int(1))))
}

/// A hint that the student was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    pub assignment: String,
    pub mutant: String,
    pub day: String,
}

/// The hints that the student was given, the last one first.
///
/// # Errors
/// If the database fails.
pub fn hints(connection: &mut Connection<'_>, student: i64) -> Result<Vec<Hint>> {
    let sql = "select assignment, mutant, day from hint where person = $1 \
        order by day desc, assignment, mutant";
    let rows = connection.query(sql, &[student.into()])?;
    let hint = |row: &crate::database::Row| Hint {
        assignment: row.text(0),
        mutant: row.text(1),
        day: row.text(2),
    };
    Ok(rows.iter().map(hint).collect())
}

/// An entry of the audit log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    pub at: Moment,
    /// The login of who did it. None: somebody at the command line, or the server itself.
    pub by: Option<String>,
    pub action: String,
    pub object: String,
    pub reason: String,
    pub before: String,
    pub after: String,
}

/// What was done to a student, or to another member of one of the groups, the last entry first.
///
/// # Errors
/// If the database fails.
pub fn audit(
    connection: &mut Connection<'_>,
    student: &Person,
    groups: &[(&String, &Group)],
) -> Result<Vec<Noted>> {
    let login = &student.login;
    let mut objects = vec![format!("student {login}"), format!("person {login}")];
    for (assignment, group) in groups {
        let members = group.members.iter();
        objects.extend(members.map(|it| format!("student {}, {assignment}", it.login)));
    }
    let assignments = groups.iter().map(|(assignment, _)| assignment);
    objects.extend(assignments.map(|assignment| format!("all students, {assignment}")));
    let sql = format!(
        "select audit.at, person.login, audit.action, audit.object, audit.reason, audit.before, \
         audit.after from audit left join person on person.id = audit.person \
         where audit.object in ({}) order by audit.id desc limit 500",
        sight::numbers(1, objects.len())
    );
    let values: Vec<Value> = objects.into_iter().map(Into::into).collect();
    let noted = |row: &crate::database::Row| Noted {
        at: Moment(row.int(0)),
        by: row.maybe_text(1),
        action: row.text(2),
        object: row.text(3),
        reason: row.text(4),
        before: row.text(5),
        after: row.text(6),
    };
    Ok(connection.query(&sql, &values)?.iter().map(noted).collect())
}
