//! Tokens, with which a client such as `harness submit` acts for a person. The database holds only their digests.

use crate::database::{Connection, Result, Row};
use crate::people::Person;
use crate::secret;

/// How long a token is valid. Milliseconds.
pub const LIFETIME: i64 = 180 * 24 * 3_600_000;

/// How many tokens a person has at the same time.
pub const MOST: usize = 20;

/// A token, as its person sees it.
pub struct Known {
    pub id: i64,
    pub name: String,
    pub created: i64,
    pub until: i64,
}

/// The person of a token that is still valid.
///
/// # Errors
/// If the database fails.
pub fn person(connection: &mut Connection<'_>, token: &str) -> Result<Option<Person>> {
    let now = connection.now()?;
    let sql = format!(
        "select {} from token join person on person.id = token.person \
         where token.digest = $1 and token.until > $2 and person.active = 1",
        Person::COLUMNS
    );
    let row = connection.first(&sql, &[secret::digest(token).into(), now.into()])?;
    Ok(row.map(|row| Person::of(&row)))
}

/// The tokens of a person that are still valid.
///
/// # Errors
/// If the database fails.
pub fn of(connection: &mut Connection<'_>, person: i64) -> Result<Vec<Known>> {
    let now = connection.now()?;
    let sql =
        "select id, name, created, until from token where person = $1 and until > $2 order by id";
    let rows = connection.query(sql, &[person.into(), now.into()])?;
    let one = |row: &Row| Known {
        id: row.int(0),
        name: row.text(1),
        created: row.int(2),
        until: row.int(3),
    };
    Ok(rows.iter().map(one).collect())
}

/// Makes a token, and gives it. It is shown once.
///
/// # Errors
/// If the database fails.
pub fn make(connection: &mut Connection<'_>, person: i64, name: &str) -> Result<String> {
    let token = format!("harness_{}", secret::random());
    let now = connection.now()?;
    connection.execute(
        "insert into token (digest, person, name, created, until) values ($1, $2, $3, $4, $5)",
        &[
            secret::digest(&token).into(),
            person.into(),
            name.into(),
            now.into(),
            (now + LIFETIME).into(),
        ],
    )?;
    Ok(token)
}

/// Removes a token of a person. Gives whether there was one.
///
/// # Errors
/// If the database fails.
pub fn remove(connection: &mut Connection<'_>, person: i64, id: i64) -> Result<bool> {
    let sql = "delete from token where id = $1 and person = $2";
    Ok(connection.execute(sql, &[id.into(), person.into()])? == 1)
}

/// Removes all tokens of a person.
///
/// # Errors
/// If the database fails.
pub fn remove_all(connection: &mut Connection<'_>, person: i64) -> Result<()> {
    connection.execute("delete from token where person = $1", &[person.into()])?;
    Ok(())
}

/// Deletes those that have ended.
///
/// # Errors
/// If the database fails.
pub fn sweep(connection: &mut Connection<'_>) -> Result<()> {
    let now = connection.now()?;
    connection.execute("delete from token where until <= $1", &[now.into()])?;
    Ok(())
}
