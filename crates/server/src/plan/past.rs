//! What the course's own database knows of durations and arrivals.

use super::HOURS;
use crate::database::{Connection, Result};
use crate::rules::{Moment, Rules};
use std::collections::BTreeMap;

/// How many of the last submissions are measured.
const MOST: i64 = 2_000;

/// A due date at which fewer students handed in says nothing of a class.
const FEWEST: usize = 10;

/// What is known of durations and arrivals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Past {
    /// How long submissions were graded, in milliseconds. There is at least one.
    pub durations: Vec<i64>,
    /// For each student and due date: how many milliseconds before it each submission of the last [`HOURS`] was handed in.
    pub history: Vec<Vec<i64>>,
    /// How many due dates these are.
    pub due_dates: usize,
    /// How often each student hands in, if there is no history.
    pub each: usize,
}

/// How long the last submissions of an assignment were graded that students waited for. Milliseconds.
///
/// # Errors
/// If the database fails.
pub fn durations(connection: &mut Connection<'_>, assignment: &str) -> Result<Vec<i64>> {
    let sql = "select job.finished - job.started from job \
        join submission on submission.id = job.submission \
        where job.state = 'done' and job.class = 0 and submission.assignment = $1 \
        order by job.id desc limit $2";
    let rows = connection.query(sql, &[assignment.into(), MOST.into()])?;
    Ok(rows.iter().filter_map(|row| row.maybe_int(0)).map(|it| it.max(0)).collect())
}

/// The assignments with measured submissions, the one with the most first.
///
/// # Errors
/// If the database fails.
pub fn measured(connection: &mut Connection<'_>) -> Result<Vec<String>> {
    let sql = "select submission.assignment from job \
        join submission on submission.id = job.submission \
        where job.state = 'done' and job.class = 0 \
        group by submission.assignment order by count(*) desc, submission.assignment";
    Ok(connection.query(sql, &[])?.iter().map(|row| row.text(0)).collect())
}

/// The last hours before each due date that is past: the moments of each student, also of those who handed in earlier only, and the number
/// of due dates.
///
/// # Errors
/// If the database fails.
pub fn history(connection: &mut Connection<'_>, rules: &Rules) -> Result<(Vec<Vec<i64>>, usize)> {
    let now = Moment(connection.now()?);
    let (mut history, mut due_dates) = (Vec::new(), 0);
    for (id, assignment) in &rules.assignments {
        let Some(due) = assignment.value.due(&rules.time_zone).filter(|due| *due < now) else {
            continue;
        };
        let sql = "select submission.person, submission.at from submission \
            join person on person.id = submission.person \
            where submission.assignment = $1 and submission.at <= $2 and person.role = 'student' \
            order by submission.person, submission.at";
        let mut students: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        for row in connection.query(sql, &[id.as_str().into(), due.0.into()])? {
            let moments = students.entry(row.int(0)).or_default();
            let before = due.0 - row.int(1);
            moments.extend((before <= HOURS * 3_600_000).then_some(before));
        }
        if students.len() >= FEWEST {
            history.extend(students.into_values());
            due_dates += 1;
        }
    }
    Ok((history, due_dates))
}
