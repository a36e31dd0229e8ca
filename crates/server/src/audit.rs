//! The audit log: who did what to what, when and why. Rows are only added, in the transaction of what they tell. Each holds the digest of
//! the one before, so a row that is changed or removed later shows.

use crate::chain;
use crate::database::{Connection, Result, Row};
use crate::secret;
use serde::Serialize;
use std::fmt::Write;

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

/// Adds a row. `before` and `after` are kept as JSON. Others that add one wait until this transaction ends, so this should be its last
/// step.
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
    let previous = chain::end(connection, "audit", "id")?;
    let now = connection.now()?;
    let digest = digest_of(now, entry, &before, &after, &previous);
    let sql = "insert into audit (at, person, action, object, reason, before, after, previous, digest) \
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    connection.execute(
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
    Ok(())
}

fn digest_of(at: i64, entry: &Entry<'_>, before: &str, after: &str, previous: &str) -> String {
    let Entry { person, action, object, reason } = entry;
    let fields = (at, person, action, object, reason, before, after, previous);
    secret::sha256(&serde_json::to_vec(&fields).unwrap_or_default())
}

/// A row, as the page shows it.
pub struct Noted {
    pub id: i64,
    pub at: i64,
    /// The login of who did it. None: the server, or somebody at its command line.
    pub login: Option<String>,
    pub action: String,
    pub object: String,
    pub reason: String,
    /// As JSON.
    pub before: String,
    pub after: String,
}

/// Which rows to show.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// The login of who did it. Empty: anybody.
    pub login: String,
    /// Empty: any.
    pub action: String,
    /// Only those before this row.
    pub before: Option<i64>,
}

/// The newest rows of a filter, and at most `most` of them.
///
/// # Errors
/// If the database fails.
pub fn list(connection: &mut Connection<'_>, filter: &Filter, most: i64) -> Result<Vec<Noted>> {
    let before = filter.before.unwrap_or(i64::MAX);
    let mut parameters = vec![before.into(), most.into()];
    let mut conditions = String::new();
    for (column, value) in [("person.login", &filter.login), ("audit.action", &filter.action)] {
        if !value.is_empty() {
            parameters.push(value.into());
            let _ = write!(conditions, " and {column} = ${}", parameters.len());
        }
    }
    let sql = format!(
        "select audit.id, audit.at, person.login, audit.action, audit.object, audit.reason, audit.before, audit.after \
         from audit left join person on person.id = audit.person \
         where audit.id < $1{conditions} order by audit.id desc limit $2"
    );
    let rows = connection.query(&sql, &parameters)?;
    let one = |row: &Row| Noted {
        id: row.int(0),
        at: row.int(1),
        login: row.maybe_text(2),
        action: row.text(3),
        object: row.text(4),
        reason: row.text(5),
        before: row.text(6),
        after: row.text(7),
    };
    Ok(rows.iter().map(one).collect())
}

/// Checks the chain. Gives the number of rows, or the id of the first row that does not fit to those before it.
///
/// # Errors
/// If the database fails.
pub fn verify(connection: &mut Connection<'_>) -> Result<std::result::Result<i64, i64>> {
    let sql = "select id, previous, digest, at, person, action, object, reason, before, after \
        from audit where id > $1 order by id limit 1000";
    chain::verify(connection, sql, |row| {
        let (action, object, reason) = (row.text(5), row.text(6), row.text(7));
        let (person, action, object) = (row.maybe_int(4), &action, &object);
        let entry = Entry { person, action, object, reason: &reason };
        Some(digest_of(row.int(3), &entry, &row.text(8), &row.text(9), &row.text(1)))
    })
}
