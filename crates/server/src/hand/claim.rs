//! Who grades a submission at this moment. Nobody has to give it back: a claim ends by itself, by the clock of the database.

use crate::database::{Connection, Result};
use crate::rules::Moment;
use crate::submissions::Submission;

/// For how long a submission that somebody opens is given to nobody else, in milliseconds.
pub const LEASE: i64 = 30 * 60 * 1000;

/// Claims a submission, or holds it for longer. Otherwise gives who has it, and until when.
///
/// # Errors
/// If the database fails.
pub fn claim(
    connection: &mut Connection<'_>,
    submission: &Submission,
    by: i64,
) -> Result<Option<(String, Moment)>> {
    let now = connection.now()?;
    let sql = "insert into hand_grading (submission, assignment) values ($1, $2) \
        on conflict do nothing";
    connection.execute(sql, &[submission.id.into(), (&submission.assignment).into()])?;
    let sql = "update hand_grading set claimed_by = $2, claimed_until = $3 where submission = $1 \
        and (claimed_by is null or claimed_by = $2 or claimed_until <= $4)";
    let values = [submission.id.into(), by.into(), (now + LEASE).into(), now.into()];
    if connection.execute(sql, &values)? > 0 {
        return Ok(None);
    }
    let sql = "select person.name, hand_grading.claimed_until from hand_grading \
        join person on person.id = hand_grading.claimed_by where hand_grading.submission = $1";
    let row = connection.first(sql, &[submission.id.into()])?;
    Ok(row.map(|row| (row.text(0), Moment(row.int(1)))))
}

/// Gives a submission back that this person has open.
///
/// # Errors
/// If the database fails.
pub fn give_back(connection: &mut Connection<'_>, submission: i64, by: i64) -> Result<()> {
    let sql = "update hand_grading set claimed_by = null, claimed_until = 0 \
        where submission = $1 and claimed_by = $2";
    connection.execute(sql, &[submission.into(), by.into()])?;
    Ok(())
}
