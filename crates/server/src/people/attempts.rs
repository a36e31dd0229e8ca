//! How often somebody may try to sign in. All servers share it through the database.
//!
//! An attempt counts as failed from its beginning until it succeeds, so that many at the same time count as well. Whether there is such
//! an account makes no difference.

use crate::database::{Connection, Result};
use crate::secret;
use std::net::IpAddr;

/// How long a failure counts. Milliseconds.
const MEMORY: i64 = 15 * 60_000;

/// How many failures from one address for one account are free, and how many from everywhere.
const FREE_HERE: i64 = 5;
const FREE_EVERYWHERE: i64 = 50;

/// The first wait after those, and the longest. Each further failure doubles it. Milliseconds.
const FIRST_WAIT: i64 = 5_000;
const LONGEST_WAIT_HERE: i64 = 5 * 60_000;
/// Somebody who fails on purpose must not keep the owner of an account out for long.
const LONGEST_WAIT_EVERYWHERE: i64 = 30_000;

/// Begins an attempt. Gives how many milliseconds to wait before the next one is allowed, if this one is not.
///
/// # Errors
/// If the database fails.
pub fn begin(connection: &mut Connection<'_>, login: &str, address: IpAddr) -> Result<Option<i64>> {
    let (everywhere, here) = keys(login, address);
    connection.hold(&everywhere)?;
    let now = connection.now()?;
    let limits = [
        (&here, FREE_HERE, LONGEST_WAIT_HERE),
        (&everywhere, FREE_EVERYWHERE, LONGEST_WAIT_EVERYWHERE),
    ];
    let mut wait = 0;
    for (who, free, longest) in limits {
        let sql = "select count(*), max(at) from failed_sign_in where who = $1 and at > $2";
        let row = connection.query(sql, &[who.into(), (now - MEMORY).into()])?.remove(0);
        let end = row.maybe_int(1).unwrap_or(0) + wait_after(row.int(0), free, longest);
        wait = wait.max(end - now);
    }
    if wait > 0 {
        return Ok(Some(wait));
    }
    for who in [&here, &everywhere] {
        let sql = "insert into failed_sign_in (who, at) values ($1, $2)";
        connection.execute(sql, &[who.into(), now.into()])?;
    }
    Ok(None)
}

/// The attempt succeeded, so what was tried from this address is forgotten.
///
/// # Errors
/// If the database fails.
pub fn succeeded(connection: &mut Connection<'_>, login: &str, address: IpAddr) -> Result<()> {
    let (everywhere, here) = keys(login, address);
    connection.execute("delete from failed_sign_in where who = $1", &[here.into()])?;
    // What others tried elsewhere stays; one of these is this attempt.
    let sql = "delete from failed_sign_in where who = $1 and at = \
        (select max(at) from failed_sign_in where who = $1)";
    connection.execute(sql, &[everywhere.into()])?;
    Ok(())
}

/// Deletes those that count no more.
///
/// # Errors
/// If the database fails.
pub(super) fn sweep(connection: &mut Connection<'_>) -> Result<()> {
    let now = connection.now()?;
    connection.execute("delete from failed_sign_in where at <= $1", &[(now - MEMORY).into()])?;
    Ok(())
}

/// The wait after the last of so many failures.
fn wait_after(failures: i64, free: i64, longest: i64) -> i64 {
    let Ok(further) = u32::try_from(failures - free) else { return 0 };
    FIRST_WAIT.saturating_mul(1 << further.min(20)).min(longest)
}

/// What is counted: the account, and the account from this address.
fn keys(login: &str, address: IpAddr) -> (String, String) {
    let everywhere = format!("account {login}");
    let here = format!("account {login} from {address}");
    (secret::digest(&everywhere), secret::digest(&here))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_begins_after_the_free_failures_and_doubles() {
        let waits: Vec<_> = (3..9).map(|it| wait_after(it, 5, 60_000)).collect();
        assert_eq!(waits, [0, 0, 5_000, 10_000, 20_000, 40_000]);
        assert_eq!(wait_after(1_000, 5, 60_000), 60_000);
    }
}
