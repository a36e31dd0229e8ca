//! How a regrade ends: it is applied, or dropped. Each happens once, however many ask for it at the same time.

use super::{Regrade, find, progress, totals};
use crate::audit;
use crate::courses;
use crate::database::{Connection, Result};
use crate::submissions::results;

/// What became of a request to apply a regrade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applied {
    /// Now so many results stand.
    Yes(u64),
    /// It was applied or dropped before.
    Over,
    /// Its submissions are still being queued.
    Beginning,
    /// So many of its submissions are still to be graded.
    Open(i64),
    /// So many of its submissions are being graded for another reason.
    Elsewhere(i64),
    /// None of its submissions could be graded.
    Nothing,
}

/// Lets the results of a regrade stand, and puts its version in force.
///
/// # Errors
/// If the database fails.
pub fn apply(connection: &mut Connection<'_>, id: i64, reason: &str, by: i64) -> Result<Applied> {
    let Some(regrade) = held(connection, id)? else { return Ok(Applied::Over) };
    if regrade.is_beginning {
        return Ok(Applied::Beginning);
    }
    let progress = progress(connection, id)?;
    if progress.open() > 0 {
        return Ok(Applied::Open(progress.open()));
    }
    // A result that comes later would stand, though it is older.
    let elsewhere = connection.first(
        "select count(*) from job where state in ('queued', 'running') and submission in \
         (select submission from job own where own.regrade = $1)",
        &[id.into()],
    )?;
    if let Some(open) = elsewhere.map(|row| row.int(0)).filter(|open| *open > 0) {
        return Ok(Applied::Elsewhere(open));
    }
    if progress.done == 0 {
        return Ok(Applied::Nothing);
    }
    let totals = totals(connection, id)?;
    let now = connection.now()?;
    let results = results::apply(connection, id, &regrade.assignment, now)?;
    end(connection, id, "applied")?;
    let before = courses::in_force(connection)?;
    courses::stored::put_in_force(connection, &regrade.course, &object(&regrade), by)?;
    let before = serde_json::json!({ "course": before, "mean": totals.mean_before });
    let after = serde_json::json!({
        "course": regrade.course, "mean": totals.mean_after, "results": results,
        "up": totals.up, "down": totals.down, "failed": progress.failed,
    });
    let object = object(&regrade);
    let entry = audit::Entry { person: Some(by), action: "apply regrade", object: &object, reason };
    audit::add(connection, &entry, before, after)?;
    Ok(Applied::Yes(results))
}

/// Drops a regrade: what is not graded yet is not graded, and what is graded never stands. False if it is over.
///
/// # Errors
/// If the database fails.
pub fn drop_it(connection: &mut Connection<'_>, id: i64, reason: &str, by: i64) -> Result<bool> {
    let Some(regrade) = held(connection, id)? else { return Ok(false) };
    let now = connection.now()?;
    connection.execute(
        "delete from progress where job in (select id from job where regrade = $1)",
        &[id.into()],
    )?;
    let jobs = connection.execute(
        "update job set state = 'dropped', until = 0, finished = $1 \
         where regrade = $2 and state in ('queued', 'running')",
        &[now.into(), id.into()],
    )?;
    end(connection, id, "dropped")?;
    let object = object(&regrade);
    let entry = audit::Entry { person: Some(by), action: "drop regrade", object: &object, reason };
    audit::add(connection, &entry, (), serde_json::json!({ "not_graded": jobs }))?;
    Ok(true)
}

/// The regrade, if it is a preview. Nobody else ends it until this transaction is over.
fn held(connection: &mut Connection<'_>, id: i64) -> Result<Option<Regrade>> {
    let lock = format!("select id from regrade where id = $1 {}", connection.for_update());
    connection.first(&lock, &[id.into()])?;
    Ok(find(connection, id)?.filter(Regrade::is_preview))
}

fn end(connection: &mut Connection<'_>, id: i64, state: &str) -> Result<()> {
    let sql = "update regrade set state = $1 where id = $2 and state = 'preview'";
    connection.execute(sql, &[state.into(), id.into()])?;
    Ok(())
}

fn object(regrade: &Regrade) -> String {
    format!("regrade {}, {}", regrade.id, regrade.assignment)
}
