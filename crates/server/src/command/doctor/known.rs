//! What the database says of the server: its clock, the course, the workers, and what needs somebody.

use super::super::Settings;
use super::{doubtful, fine, missing};
use crate::database::{Connection, Database, Result, VERSION};
use crate::metrics::Queue;
use crate::{audit, courses, receipts, secret};
use harness::command::pack;
use harness::course::Course;
use harness::report::doctor::Finding;
use std::time::{SystemTime, UNIX_EPOCH};

/// A larger difference of the clocks confuses those who compare pages with their own clock. Milliseconds.
const DIFFERENCE: i64 = 2_000;

pub(super) async fn findings(settings: &Settings, database: &Database) -> Vec<Finding> {
    let is_sqlite = database.is_sqlite();
    let all = database.read(move |connection| {
        let mut findings = vec![fine("tables", format!("version {VERSION}, as this program's"))];
        findings.push(clock(connection)?);
        if !is_sqlite {
            findings.push(durable(connection)?);
        }
        findings.push(administrator(connection)?);
        findings.extend(queue(connection)?);
        findings.push(log(connection)?);
        findings.extend(receipts(connection)?);
        Ok((findings, courses::in_force(connection)?))
    });
    match all.await {
        Ok((mut findings, in_force)) => {
            findings.push(course(settings, in_force));
            findings
        }
        Err(fault) => vec![missing("tables", fault.to_string(), "restore the last backup")],
    }
}

fn clock(connection: &mut Connection<'_>) -> Result<Finding> {
    const WHAT: &str = "clock";
    let here = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_millis() as i64);
    let difference = (connection.now()? - here).abs();
    Ok(if difference < DIFFERENCE {
        fine(WHAT, "the database's clock, by which days end, is that of this machine")
    } else {
        let seconds = difference / 1000;
        let found =
            format!("the database's clock differs from this machine's by {seconds} seconds");
        doubtful(WHAT, found, "let both take their time from the network, for example with chrony")
    })
}

/// Whether what PostgreSQL acknowledged survives a loss of power.
fn durable(connection: &mut Connection<'_>) -> Result<Finding> {
    const WHAT: &str = "durability";
    let sql = "select current_setting('fsync'), current_setting('synchronous_commit')";
    let Some(row) = connection.first(sql, &[])? else { return Ok(fine(WHAT, "unknown")) };
    let (fsync, commit) = (row.text(0), row.text(1));
    Ok(if fsync == "on" && commit != "off" {
        fine(WHAT, "what is acknowledged is on the disk")
    } else {
        let found =
            format!("fsync is {fsync}, synchronous_commit is {commit}: submissions may be lost");
        missing(WHAT, found, "set both to `on` in postgresql.conf")
    })
}

fn administrator(connection: &mut Connection<'_>) -> Result<Finding> {
    const WHAT: &str = "administrator";
    let sql = "select login from person where role = 'administrator' and active = 1 \
        and password is not null order by id limit 1";
    Ok(match connection.first(sql, &[])? {
        Some(row) => fine(WHAT, row.text(0)),
        None => doubtful(
            WHAT,
            "nobody can administrate the server yet",
            "open the link that `harness serve` prints",
        ),
    })
}

fn queue(connection: &mut Connection<'_>) -> Result<Vec<Finding>> {
    let queue = Queue::now(connection)?;
    let waiting: i64 = queue.waiting.iter().sum();
    let workers = match queue.workers {
        0 if waiting > 0 => missing(
            "workers",
            format!("none was seen in the last minute, and {waiting} submissions wait"),
            "start one with `harness serve worker`",
        ),
        0 => doubtful(
            "workers",
            "none was seen in the last minute",
            "`harness serve` starts them, or `harness serve worker`",
        ),
        workers => fine("workers", format!("{workers} were seen in the last minute")),
    };
    let failed = (queue.failed > 0).then(|| {
        let found = format!("{} jobs failed", queue.failed);
        doubtful("jobs", found, "the page `Queue` says why, and runs them again")
    });
    Ok([workers].into_iter().chain(failed).collect())
}

fn log(connection: &mut Connection<'_>) -> Result<Finding> {
    const WHAT: &str = "audit log";
    Ok(match audit::verify(connection)? {
        Ok(entries) => fine(WHAT, format!("{entries} entries, and each fits those before it")),
        Err(entry) => {
            let found = format!("entry {entry} was changed, or one before it was removed");
            missing(WHAT, found, "compare it with a backup")
        }
    })
}

fn receipts(connection: &mut Connection<'_>) -> Result<Vec<Finding>> {
    const WHAT: &str = "receipts";
    let remedy = "compare the chain with a backup, and its head with those that were published";
    let chain = match receipts::verify(connection)? {
        Ok(0) => fine(WHAT, "there is none yet"),
        Ok(count) => {
            let digest = receipts::head(connection)?.digest;
            fine(WHAT, format!("{count}, signed and in their order; the head is {digest}"))
        }
        Err(number) => {
            let found = format!("receipt {number} was changed, or one before it was removed");
            missing(WHAT, found, remedy)
        }
    };
    let lost = receipts::lost(connection)?;
    let lost = (lost > 0)
        .then(|| missing(WHAT, format!("{lost} results have lost their receipts"), remedy));
    Ok([chain].into_iter().chain(lost).collect())
}

/// Whether the folder holds the version that is in force.
fn course(settings: &Settings, in_force: Option<String>) -> Finding {
    const WHAT: &str = "course in force";
    let Some(digest) = in_force else {
        return doubtful(WHAT, "there is none yet", "`harness serve` puts the folder's in force");
    };
    let version = courses::short(&digest);
    let packed = Course::read(&settings.course).and_then(|course| pack::course(&course));
    match packed {
        Ok(bytes) if secret::sha256(&bytes) == digest => {
            fine(WHAT, format!("version {version}, which is that of the folder"))
        }
        Ok(_) => doubtful(
            WHAT,
            format!("version {version}; the folder holds another one"),
            "`harness serve course --apply` puts it in force",
        ),
        // A machine may serve a course of which it has no folder.
        Err(_) => fine(WHAT, format!("version {version}")),
    }
}
