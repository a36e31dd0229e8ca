//! The versions in the database, and since when each was in force.

use super::in_force;
use crate::audit;
use crate::database::{Connection, Result, Row};
use crate::rules::Moment;

/// A version, without its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    pub digest: String,
    pub title: String,
    pub at: Moment,
    /// The login of who stored it. None: somebody at the command line.
    pub by: Option<String>,
    /// Since when it was in force for the last time. None: never.
    pub since: Option<Moment>,
    pub is_in_force: bool,
}

/// The versions, the one in force first, and then the last one that was stored.
///
/// # Errors
/// If the database fails.
pub fn all(connection: &mut Connection<'_>) -> Result<Vec<Stored>> {
    let force = in_force(connection)?;
    let sql = "select course.digest, course.title, course.at, person.login, \
        (select max(at) from course_in_force where course_in_force.course = course.digest) \
        from course left join person on person.id = course.person \
        order by course.at desc, course.digest limit 200";
    let stored = |row: &Row| Stored {
        digest: row.text(0),
        title: row.text(1),
        at: Moment(row.int(2)),
        by: row.maybe_text(3),
        since: row.maybe_int(4).map(Moment),
        is_in_force: force.as_ref() == Some(&row.text(0)),
    };
    let mut all: Vec<_> = connection.query(sql, &[])?.iter().map(stored).collect();
    all.sort_by_key(|version| !version.is_in_force);
    Ok(all)
}

/// Stores a version that staff uploaded, and gives its digest.
///
/// # Errors
/// If the database fails.
pub fn store(
    connection: &mut Connection<'_>,
    bytes: &[u8],
    title: &str,
    by: i64,
) -> Result<String> {
    let digest = crate::secret::sha256(bytes);
    let known = "select 1 from course where digest = $1";
    if connection.first(known, &[(&digest).into()])?.is_none() {
        super::add(connection, bytes, title, Some(by))?;
        let entry =
            audit::Entry { person: Some(by), action: "store course", object: title, reason: "" };
        audit::add(connection, &entry, None::<&str>, &digest)?;
    }
    Ok(digest)
}

/// Puts a version in force, unless it is already.
///
/// # Errors
/// If the database fails.
pub fn put_in_force(
    connection: &mut Connection<'_>,
    digest: &str,
    reason: &str,
    by: i64,
) -> Result<()> {
    let before = in_force(connection)?;
    if before.as_deref() == Some(digest) {
        return Ok(());
    }
    super::put_in_force(connection, digest, Some(by))?;
    let action = "put course in force";
    let entry = audit::Entry { person: Some(by), action, object: "course", reason };
    audit::add(connection, &entry, before, digest)
}
