//! Scores on their way. A sender claims a score for the time of a lease, which it renews. Each claim has a number, and an answer with an
//! old one changes nothing: so two servers never send the same at once, and what a server that vanished was sending is sent by another.

use super::score::{Outcome, Why};
use super::{columns, pauses};
use crate::database::{Connection, Result, Row, Value};
use crate::rules::Moment;
use std::time::Duration;

/// How long a claim lasts without a sign of its sender. Milliseconds.
pub const LEASE: i64 = 8_000;

/// A sender of which there was no sign for so long takes no place of [`MOST_AT_ONCE`]: its requests have probably ended with it.
const QUIET: i64 = 3_000;

/// How many scores are on their way to a platform at the same time, from all servers together.
pub const MOST_AT_ONCE: i64 = 8;

/// How long a score waits after it was tried in vain, at first and at most. Milliseconds.
const PAUSE: i64 = 5_000;
const LONGEST_PAUSE: i64 = 30 * 60_000;

/// A score that a sender holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub id: i64,
    pub attempt: i64,
    pub column: i64,
    pub platform: String,
    pub line_item: String,
    /// Who the student is to the platform.
    pub subject: String,
    /// The submission that counts.
    submission: Option<i64>,
    /// Hundredths of points. None: nothing counts any more.
    pub points: Option<i64>,
    pub max_points: i64,
    /// When the student handed in what counts.
    pub handed_in: Moment,
    /// Whether it is another submission than that of the score which the platform took last.
    pub is_another: bool,
    /// The time of the score.
    pub stamp: i64,
    /// How often this score was tried in vain.
    tries: i64,
    /// The time of the last score of which nobody knows whether the platform has it.
    unknown: Option<i64>,
}

impl Claim {
    fn of(row: &Row) -> Self {
        let (submission, sent) = (row.maybe_int(11), row.maybe_int(12));
        Self {
            id: row.int(0),
            attempt: row.int(1) + 1,
            column: row.int(2),
            platform: row.text(3),
            line_item: row.text(4),
            subject: row.text(5),
            points: row.maybe_int(6),
            max_points: row.int(7),
            stamp: row.int(8),
            tries: row.int(9),
            unknown: row.maybe_int(10),
            submission,
            is_another: submission != sent,
            handed_in: Moment(row.maybe_int(13).unwrap_or_default()),
        }
    }

    /// Whether this score was sent before, and nobody knows what became of that.
    pub fn was_sent(&self) -> bool {
        self.unknown == Some(self.stamp)
    }
}

/// Where the grades are that may be sent, with their columns, switches and students. `$1`: now, `$2`: the number of the rules in force.
fn ready() -> String {
    format!(
        "passback_grade join passback_column on passback_column.id = passback_grade.gradebook_column \
         join passback on passback.assignment = passback_column.assignment \
         join person on person.id = passback_grade.person \
         join lti_subject on lti_subject.platform = passback_column.platform \
            and lti_subject.person = person.id \
         where passback_grade.state in ('waiting', 'sending') and passback_grade.until <= $1 \
         and {} and person.active = 1 and person.role = 'student' and {} \
         and passback.compared >= 0 and passback.rules = $2 and passback.shown <= $1",
        columns::is_open(),
        super::switch::IS_ON
    )
}

/// The platforms for which scores wait that may be sent.
///
/// # Errors
/// If the database fails.
pub fn platforms(connection: &mut Connection<'_>, rules: i64) -> Result<Vec<String>> {
    let now = connection.now()?;
    let sql = format!(
        "select distinct passback_column.platform from {} and not exists (select 1 from passback_pause \
         where passback_pause.platform = passback_column.platform and passback_pause.until > $1)",
        ready()
    );
    let rows = connection.query(&sql, &[now.into(), rules.into()])?;
    Ok(rows.iter().map(|row| row.text(0)).collect())
}

/// Claims scores for a platform, and at most `most`.
///
/// # Errors
/// If the database fails.
pub fn claim(
    connection: &mut Connection<'_>,
    sender: &str,
    rules: i64,
    platform: &str,
    most: i64,
) -> Result<Vec<Claim>> {
    // Servers claim one after the other, so that all together do not send more than they may.
    connection.hold(&format!("passback to {platform}"))?;
    let now = connection.now()?;
    if pauses::is_paused(connection, platform, now)? {
        return Ok(Vec::new());
    }
    let sql = "select count(*) from passback_grade join passback_column \
        on passback_column.id = passback_grade.gradebook_column \
        where passback_grade.state = 'sending' and passback_grade.until > $1 \
        and passback_column.platform = $2";
    let seen = now + LEASE - QUIET;
    let under_way = connection.first(sql, &[seen.into(), platform.into()])?;
    let most = most.min(MOST_AT_ONCE - under_way.map_or(0, |row| row.int(0))).max(0);
    let sql = format!(
        "select passback_grade.id, passback_grade.attempt, passback_column.id, \
         passback_column.platform, passback_column.line_item, lti_subject.subject, passback_grade.points, \
         passback_grade.max_points, passback_grade.stamp, passback_grade.tries, \
         passback_grade.unknown, passback_grade.submission, passback_grade.sent_submission, \
         (select submission.at from submission where submission.id = passback_grade.submission) \
         from {} and passback_column.platform = $3 and passback_column.line_item is not null \
         order by passback_grade.until, passback_grade.id limit $4",
        ready()
    );
    let values = [now.into(), rules.into(), platform.into(), most.into()];
    let claims: Vec<_> = connection.query(&sql, &values)?.iter().map(Claim::of).collect();
    for it in &claims {
        // From here on the platform may have it.
        let sql = "update passback_grade set state = 'sending', attempt = $2, sender = $3, \
            until = $4, unknown = stamp where id = $1";
        let until = now + LEASE;
        let values = [it.id.into(), it.attempt.into(), sender.into(), until.into()];
        connection.execute(sql, &values)?;
    }
    Ok(claims)
}

/// Renews all claims of a sender.
///
/// # Errors
/// If the database fails.
pub fn renew(connection: &mut Connection<'_>, sender: &str) -> Result<()> {
    let now = connection.now()?;
    let sql = "update passback_grade set until = $2 \
        where state = 'sending' and sender = $1 and until > $3";
    connection.execute(sql, &[sender.into(), (now + LEASE).into(), now.into()])?;
    Ok(())
}

/// Notes what became of a claim. False if the claim is lost: then another sender notes it.
///
/// # Errors
/// If the database fails.
pub fn finish(connection: &mut Connection<'_>, claim: &Claim, outcome: &Outcome) -> Result<bool> {
    let now = connection.now()?;
    Ok(match outcome {
        Outcome::Taken => taken(connection, claim, now)?,
        Outcome::Later { why, after } => {
            let wait = after.map_or(0, milliseconds).max(backoff(claim.tries));
            // The platform may have taken it, and failed afterwards.
            waits(connection, claim, Some(claim.stamp), now + wait, why)?
        }
        Outcome::Away { why, after } => {
            pauses::pause(connection, &claim.platform, why, *after, now)?;
            let is_certain = matches!(why.status, 403 | 429);
            let unknown = if is_certain { claim.unknown } else { Some(claim.stamp) };
            waits(connection, claim, unknown, now, why)?
        }
        Outcome::Closed(why) => {
            let is_done = refused(connection, claim, why)?;
            if is_done {
                columns::refused(connection, claim.column, why)?;
            }
            is_done
        }
        Outcome::Refused(why) => refused(connection, claim, why)?,
    })
}

/// The condition of a row that is still claimed. `$1`: its number, `$2`: that of the claim.
const IS_HELD: &str = "id = $1 and attempt = $2 and state = 'sending'";

fn taken(connection: &mut Connection<'_>, claim: &Claim, now: i64) -> Result<bool> {
    // What became of the grade since is sent afterwards.
    let sql = format!(
        "update passback_grade set state = case when stamp = $3 then 'sent' else 'waiting' end, \
         until = 0, tries = 0, status = 0, reason = null, unknown = null, \
         sent_submission = $4, sent_points = $5, sent_max = $6, sent_stamp = $3, sent_at = $7 \
         where {IS_HELD}"
    );
    let values = [
        claim.id.into(),
        claim.attempt.into(),
        claim.stamp.into(),
        claim.submission.into(),
        claim.points.into(),
        claim.max_points.into(),
        now.into(),
    ];
    let is_done = connection.execute(&sql, &values)? == 1;
    if is_done {
        columns::works(connection, claim.column)?;
        pauses::works(connection, &claim.platform, now)?;
    }
    Ok(is_done)
}

fn waits(
    connection: &mut Connection<'_>,
    claim: &Claim,
    unknown: Option<i64>,
    until: i64,
    why: &Why,
) -> Result<bool> {
    let sql = format!(
        "update passback_grade set state = 'waiting', unknown = $4, \
         tries = case when stamp = $3 then tries + 1 else 0 end, \
         until = case when stamp = $3 then cast($5 as bigint) else 0 end, \
         status = $6, reason = $7 where {IS_HELD}"
    );
    ended(connection, &sql, claim, unknown, until, why)
}

fn refused(connection: &mut Connection<'_>, claim: &Claim, why: &Why) -> Result<bool> {
    let sql = format!(
        "update passback_grade set state = case when stamp = $3 then 'refused' else 'waiting' end, \
         unknown = $4, until = $5, status = $6, reason = $7 where {IS_HELD}"
    );
    ended(connection, &sql, claim, claim.unknown, 0, why)
}

fn ended(
    connection: &mut Connection<'_>,
    sql: &str,
    claim: &Claim,
    unknown: Option<i64>,
    until: i64,
    why: &Why,
) -> Result<bool> {
    let values: [Value; 7] = [
        claim.id.into(),
        claim.attempt.into(),
        claim.stamp.into(),
        unknown.into(),
        until.into(),
        why.status.into(),
        (&why.said).into(),
    ];
    Ok(connection.execute(sql, &values)? == 1)
}

/// How long to wait after so many tries: twice as long each time, and a little more or less, so that not all come back at once.
fn backoff(tries: i64) -> i64 {
    spread(PAUSE, tries, LONGEST_PAUSE)
}

/// A time that doubles with each try, by chance between three and five quarters of that.
pub(super) fn spread(first: i64, tries: i64, longest: i64) -> i64 {
    let doubled = first.saturating_mul(1 << tries.clamp(0, 20)).min(longest);
    doubled * fastrand::i64(75..=125) / 100
}

pub(super) fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_again_waits_longer_but_not_for_ever() {
        for (tries, least, most) in
            [(0, 3_750, 6_250), (3, 30_000, 50_000), (60, 1_350_000, 2_250_000)]
        {
            assert!((least..=most).contains(&backoff(tries)), "{tries}");
        }
    }
}
