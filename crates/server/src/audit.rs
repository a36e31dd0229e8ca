//! The audit log: who did what to what, when and why. Rows are only added, in the transaction of what they tell. Each holds the digest of
//! the one before, so a row that is changed or removed later shows.

use crate::database::{Connection, Result};
use crate::secret;
use serde::Serialize;

/// What a row tells.
pub struct Entry<'a> {
    /// Who did it. None: the server, or somebody at its command line.
    pub person: Option<i64>,
    /// A verb with what it is about, such as `grant extension`.
    pub action: &'a str,
    /// What it was done to, such as `student ann, puzzle`.
    pub object: &'a str,
    pub reason: &'a str,
}

/// Adds a row. `before` and `after` are kept as JSON.
///
/// # Errors
/// If the database fails.
pub fn add(
    connection: &mut Connection<'_>,
    entry: &Entry<'_>,
    before: impl Serialize,
    after: impl Serialize,
) -> Result<()> {
    let json = |value: serde_json::Result<String>| value.unwrap_or_default();
    let (before, after) =
        (json(serde_json::to_string(&before)), json(serde_json::to_string(&after)));
    let now = connection.now()?;
    // Two transactions at the same time would add to the same row; the second one repeats.
    let last = connection.first("select digest from audit order by id desc limit 1", &[])?;
    let previous = last.map_or(String::new(), |row| row.text(0));
    let digest = digest_of(now, entry, &before, &after, &previous);
    let sql = "insert into audit (at, person, action, object, reason, before, after, previous, digest) \
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing";
    let added = connection.execute(
        sql,
        &[
            now.into(),
            entry.person.into(),
            entry.action.into(),
            entry.object.into(),
            entry.reason.into(),
            before.into(),
            after.into(),
            previous.into(),
            digest.into(),
        ],
    )?;
    if added == 0 {
        return Err(crate::database::Fault::Busy("another entry was added to the log".to_owned()));
    }
    Ok(())
}

fn digest_of(at: i64, entry: &Entry<'_>, before: &str, after: &str, previous: &str) -> String {
    let Entry { person, action, object, reason } = entry;
    let fields = (at, person, action, object, reason, before, after, previous);
    secret::sha256(&serde_json::to_vec(&fields).unwrap_or_default())
}

/// Checks the chain. Gives the number of rows, or the id of the first row that does not fit to those before it.
///
/// # Errors
/// If the database fails.
pub fn verify(connection: &mut Connection<'_>) -> Result<std::result::Result<i64, i64>> {
    let (mut previous, mut count, mut last) = (String::new(), 0, 0);
    loop {
        let rows = connection.query(
            "select id, at, person, action, object, reason, before, after, previous, digest \
             from audit where id > $1 order by id limit 1000",
            &[last.into()],
        )?;
        if rows.is_empty() {
            return Ok(Ok(count));
        }
        for row in rows {
            last = row.int(0);
            let (action, object, reason) = (row.text(3), row.text(4), row.text(5));
            let entry = Entry {
                person: row.maybe_int(2),
                action: &action,
                object: &object,
                reason: &reason,
            };
            let digest = digest_of(row.int(1), &entry, &row.text(6), &row.text(7), &row.text(8));
            if row.text(8) != previous || row.text(9) != digest {
                return Ok(Err(last));
            }
            previous = digest;
            count += 1;
        }
    }
}
