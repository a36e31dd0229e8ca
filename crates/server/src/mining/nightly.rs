//! Jobs that a setting queues: each night after the due date, if anything changed since.

use super::{last_submission, put};
use crate::database::{Connection, Result};
use crate::rules::{Moment, Rules};
use std::ops::Range;

/// The hours of the night, in the course's time zone.
const NIGHT: Range<i8> = 2..5;

/// Queues what the rules want of these assignments, at this moment.
///
/// # Errors
/// If the database fails.
pub fn nightly(
    connection: &mut Connection<'_>,
    rules: &Rules,
    course: &str,
    assignments: &[String],
    now: Moment,
) -> Result<()> {
    if !rules.mining.nightly || !NIGHT.contains(&rules.time_zone.hour(now)) {
        return Ok(());
    }
    for assignment in assignments {
        if is_over(rules, assignment, now) && !is_known(connection, assignment, course)? {
            put(connection, assignment, course, None)?;
        }
    }
    Ok(())
}

/// Whether it was due, for all sections.
pub fn is_over(rules: &Rules, assignment: &str, now: Moment) -> bool {
    let of = rules.of(assignment);
    let sections = of.sections.keys().map(|section| of.for_section(section));
    let mut all = std::iter::once(of.clone()).chain(sections);
    all.all(|it| it.due(&rules.time_zone).is_some_and(|due| due < now))
}

/// Whether the last submissions were mined with this version, or will be.
fn is_known(connection: &mut Connection<'_>, assignment: &str, course: &str) -> Result<bool> {
    let Some(last) = last_submission(connection, assignment)? else { return Ok(true) };
    let sql = "select 1 from mining where assignment = $1 and course = $2 and submission >= $3 \
        and state <> 'failed' limit 1";
    Ok(connection.first(sql, &[assignment.into(), course.into(), last.into()])?.is_some())
}
