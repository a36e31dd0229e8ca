//! Platforms that are left alone for some time, because they ask for it or do not answer. All servers keep to it.

use super::claims::{milliseconds, spread};
use super::score::Why;
use crate::database::{Connection, Result};
use std::time::Duration;

/// How long a platform is left alone that does not say how long, at first and at most. Milliseconds.
const PAUSE: i64 = 1_000;
const LONGEST: i64 = 10 * 60_000;

pub(super) fn is_paused(connection: &mut Connection<'_>, platform: &str, now: i64) -> Result<bool> {
    let sql = "select 1 from passback_pause where platform = $1 and until > $2";
    Ok(connection.first(sql, &[platform.into(), now.into()])?.is_some())
}

/// Leaves a platform alone. Of those that are told so at the same time, the first one counts, and the longest time.
///
/// # Errors
/// If the database fails.
pub(super) fn pause(
    connection: &mut Connection<'_>,
    platform: &str,
    why: &Why,
    after: Option<Duration>,
    now: i64,
) -> Result<()> {
    let sql = "select tries, until from passback_pause where platform = $1";
    let known = connection.first(sql, &[platform.into()])?;
    let (tries, until) = known.map_or((0, 0), |row| (row.int(0), row.int(1)));
    let is_first = until <= now;
    let own = now + after.map_or_else(|| spread(PAUSE, tries, LONGEST), milliseconds);
    let until = if is_first || after.is_some() { own.max(until) } else { until };
    let sql = "insert into passback_pause (platform, until, tries, status, reason) \
        values ($1, $2, $3, $4, $5) on conflict (platform) \
        do update set until = $2, tries = $3, status = $4, reason = $5";
    let tries = tries + i64::from(is_first);
    let values =
        [platform.into(), until.into(), tries.into(), why.status.into(), (&why.said).into()];
    connection.execute(sql, &values).map(|_| ())
}

/// A platform took something. If it was left alone before, that is over.
pub(super) fn works(connection: &mut Connection<'_>, platform: &str, now: i64) -> Result<()> {
    let sql = "delete from passback_pause where platform = $1 and until <= $2";
    connection.execute(sql, &[platform.into(), now.into()]).map(|_| ())
}
