//! What a platform should have, compared with what is to be sent or was sent. Each difference becomes a row that waits.
//!
//! Nothing is lost, because nothing is noted: a grade follows from what is in the database, whatever changed it. What may change one counts
//! up a number, so that the comparison comes soon; it also comes from time to time by itself.

use super::columns::{self, Column};
use crate::database::{Connection, Result, Row};
use crate::rules::Rules;
use crate::submissions::class::{self, Counting};
use std::collections::BTreeMap;

/// How long a comparison holds, if nothing that is counted changes: students and columns come and go. Milliseconds.
const HOLDS: i64 = 60_000;

/// The rules that hold, with their number in the database.
#[derive(Clone, Copy)]
pub struct InForce<'a> {
    pub number: i64,
    pub rules: &'a Rules,
}

/// The assignments to compare. Those that the rules name and that are not known yet get known.
///
/// # Errors
/// If the database fails.
pub fn due(connection: &mut Connection<'_>, in_force: InForce<'_>) -> Result<Vec<String>> {
    let now = connection.now()?;
    let sql = "select assignment, case when rules <> $1 then 1 \
        when coalesce(state, '') = 'off' or state is null and by_rules = 0 then 0 \
        when changed <> compared or again <= $2 then 1 else 0 end from passback";
    let rows = connection.query(sql, &[in_force.number.into(), now.into()])?;
    let known: BTreeMap<_, _> = rows.iter().map(|row| (row.text(0), row.int(1) == 1)).collect();
    let named = in_force.rules.assignments.iter().filter(|(_, it)| it.value.passback);
    let new = named.map(|(id, _)| id).filter(|id| !known.contains_key(*id)).cloned();
    let due = known.iter().filter(|(_, is_due)| **is_due).map(|(id, _)| id.clone());
    Ok(due.chain(new).collect())
}

/// Makes sure that changes of an assignment are counted.
///
/// # Errors
/// If the database fails.
pub(super) fn know(connection: &mut Connection<'_>, assignment: &str) -> Result<()> {
    let sql = "select 1 from passback where assignment = $1";
    if connection.first(sql, &[assignment.into()])?.is_none() {
        // Whoever changes grades at the moment does not count that. Afterwards, what they changed is there.
        crate::submissions::results::hold(connection, assignment)?;
        let sql = "insert into passback (assignment) values ($1) on conflict do nothing";
        connection.execute(sql, &[assignment.into()])?;
    }
    Ok(())
}

/// Compares an assignment.
///
/// # Errors
/// If the database fails.
pub fn compare(
    connection: &mut Connection<'_>,
    in_force: InForce<'_>,
    assignment: &str,
) -> Result<()> {
    know(connection, assignment)?;
    connection.hold(&format!("passback of {assignment}"))?;
    // Before all that is read: what changes afterwards is compared again.
    let sql = "select changed, state from passback where assignment = $1";
    let Some(row) = connection.first(sql, &[assignment.into()])? else { return Ok(()) };
    let own = in_force.rules.of(assignment);
    let is_off = row.maybe_text(1).map_or(!own.passback, |state| state == "off");
    let now = connection.now()?;
    if !is_off {
        let wanted = class::counting(connection, in_force.rules, assignment, None)?;
        for column in columns::renewed(connection, in_force.rules, assignment)? {
            compare_column(connection, &column, &wanted, now)?;
        }
    }
    let shown = own.scores(&in_force.rules.time_zone).map_or(0, |it| it.0);
    let compared = if is_off { -1 } else { row.int(0) };
    let sql = "update passback set compared = $2, rules = $3, by_rules = $4, shown = $5, again = $6 \
        where assignment = $1";
    connection.execute(
        sql,
        &[
            assignment.into(),
            compared.into(),
            in_force.number.into(),
            own.passback.into(),
            shown.into(),
            (now + HOLDS).into(),
        ],
    )?;
    Ok(())
}

/// A score, in hundredths of points, or that there is none any more.
type Score = (Option<i64>, i64);

/// What is known of the grade of a student in a column.
struct Known {
    id: i64,
    score: Score,
    stamp: i64,
    state: String,
    unknown: Option<i64>,
    /// What the platform took last, with its submission and its time.
    sent: Option<(Score, Option<i64>, i64)>,
}

impl Known {
    fn of(row: &Row) -> Self {
        Self {
            id: row.int(1),
            score: (row.maybe_int(2), row.int(3)),
            stamp: row.int(4),
            state: row.text(5),
            unknown: row.maybe_int(6),
            sent: row
                .maybe_int(10)
                .map(|stamp| ((row.maybe_int(8), row.int(9)), row.maybe_int(7), stamp)),
        }
    }
}

fn compare_column(
    connection: &mut Connection<'_>,
    column: &Column,
    wanted: &BTreeMap<i64, Counting>,
    now: i64,
) -> Result<()> {
    let sql = "select person, id, points, max_points, stamp, state, unknown, sent_submission, \
        sent_points, sent_max, sent_stamp from passback_grade where gradebook_column = $1";
    let rows = connection.query(sql, &[column.id.into()])?;
    let mut known: BTreeMap<_, _> = rows.iter().map(|row| (row.int(0), Known::of(row))).collect();
    for student in columns::students(connection, column)? {
        let wanted = wanted.get(&student);
        let hundredths = |points: f64| (points * 100.0).round() as i64;
        let score =
            wanted.map(|it| (Some(hundredths(it.standing.points)), hundredths(it.standing.max)));
        let submission = wanted.map(|it| it.standing.submission);
        match (score, known.remove(&student)) {
            (Some(score), None) => insert(connection, column, student, submission, score, now)?,
            (Some(score), Some(known)) if score != known.score => {
                change(connection, &known, submission, score, now)?;
            }
            (None, Some(known)) if known.score.0.is_some() => {
                forget(connection, &known, now)?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn insert(
    connection: &mut Connection<'_>,
    column: &Column,
    student: i64,
    submission: Option<i64>,
    (points, max): Score,
    now: i64,
) -> Result<()> {
    let sql = "insert into passback_grade \
        (gradebook_column, person, submission, points, max_points, stamp, state) \
        values ($1, $2, $3, $4, $5, $6, 'waiting')";
    let values = [
        column.id.into(),
        student.into(),
        submission.into(),
        points.into(),
        max.into(),
        now.into(),
    ];
    connection.execute(sql, &values).map(|_| ())
}

/// Another score is to be sent, unless the platform certainly has it.
fn change(
    connection: &mut Connection<'_>,
    known: &Known,
    submission: Option<i64>,
    score: Score,
    now: i64,
) -> Result<()> {
    let is_certain = known.unknown.is_none() && known.state != "sending";
    if is_certain
        && let Some((sent, submission, stamp)) = &known.sent
        && *sent == score
    {
        let sql = "update passback_grade set submission = $2, points = $3, max_points = $4, \
            stamp = $5, state = 'sent', until = 0, tries = 0, status = 0, reason = null \
            where id = $1";
        let (points, max) = score;
        let submission = *submission;
        let values =
            [known.id.into(), submission.into(), points.into(), max.into(), (*stamp).into()];
        return connection.execute(sql, &values).map(|_| ());
    }
    renew(connection, known.id, submission, score, next(known.stamp, now))
}

/// Notes a score that is to be sent with this time. One that is on its way arrives before it.
fn renew(
    connection: &mut Connection<'_>,
    id: i64,
    submission: Option<i64>,
    (points, max): Score,
    stamp: i64,
) -> Result<()> {
    let sql = "update passback_grade set submission = $2, points = $3, max_points = $4, stamp = $5, \
        state = case when state = 'sending' then state else 'waiting' end, \
        until = case when state = 'sending' then until else 0 end, \
        tries = 0, status = 0, reason = null where id = $1";
    let values = [id.into(), submission.into(), points.into(), max.into(), stamp.into()];
    connection.execute(sql, &values).map(|_| ())
}

/// Nothing of a student counts any more. The platform is told, if it may have a grade.
fn forget(connection: &mut Connection<'_>, known: &Known, now: i64) -> Result<()> {
    if known.sent.is_none() && known.unknown.is_none() && known.state != "sending" {
        let sql = "delete from passback_grade where id = $1";
        return connection.execute(sql, &[known.id.into()]).map(|_| ());
    }
    change(connection, known, None, (None, known.score.1), now)
}

/// The time of the score after one of this time: now, or a second later.
pub(super) fn next(stamp: i64, now: i64) -> i64 {
    now.max((stamp.div_euclid(1000) + 1) * 1000)
}

#[cfg(test)]
mod tests {
    use super::next;

    #[test]
    fn another_score_has_a_later_second() {
        assert_eq!(next(5_200, 9_100), 9_100);
        assert_eq!(next(5_200, 5_900), 6_000);
        assert_eq!(next(5_000, 5_000), 6_000);
        assert_eq!(next(9_100, 5_000), 10_000, "also if the clock was set back");
    }
}
