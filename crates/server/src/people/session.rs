//! Sessions: a browser holds a random secret in a cookie, and the database its digest.

use super::Person;
use crate::database::{Connection, Result};
use crate::secret;

/// The cookie. With this prefix, a browser takes it only from this host and sends it only to it, encrypted.
pub const COOKIE: &str = "__Host-session";

/// A session ends when it was not used for so long, and at the latest after [`LONGEST`]. Milliseconds.
pub const IDLE: i64 = 14 * 24 * 3_600_000;
pub const LONGEST: i64 = 120 * 24 * 3_600_000;

/// How often it is noted that a session was used.
const NOTED: i64 = 3_600_000;

/// Begins a session, and gives its secret.
///
/// # Errors
/// If the database fails.
pub fn begin(connection: &mut Connection<'_>, person: i64) -> Result<String> {
    let secret = secret::random();
    let now = connection.now()?;
    connection.execute(
        "insert into session (digest, person, created, seen) values ($1, $2, $3, $3)",
        &[secret::digest(&secret).into(), person.into(), now.into()],
    )?;
    Ok(secret)
}

/// The person whose session this is, and whether the session should be noted as [used](note).
///
/// # Errors
/// If the database fails.
pub fn person(connection: &mut Connection<'_>, secret: &str) -> Result<Option<(Person, bool)>> {
    let sql = format!(
        "select {}, session.seen, session.created from session \
         join person on person.id = session.person where session.digest = $1 and person.active = 1",
        Person::COLUMNS
    );
    let now = connection.now()?;
    let row = connection.first(&sql, &[secret::digest(secret).into()])?;
    Ok(row.and_then(|row| {
        let (seen, created) = (row.int(8), row.int(9));
        let is_open = now - seen < IDLE && now - created < LONGEST;
        is_open.then(|| (Person::of(&row), now - seen > NOTED))
    }))
}

/// Notes that a session was used.
///
/// # Errors
/// If the database fails.
pub fn note(connection: &mut Connection<'_>, secret: &str) -> Result<()> {
    let now = connection.now()?;
    let digest = secret::digest(secret);
    connection
        .execute("update session set seen = $1 where digest = $2", &[now.into(), digest.into()])?;
    Ok(())
}

/// Ends a session.
///
/// # Errors
/// If the database fails.
pub fn end(connection: &mut Connection<'_>, secret: &str) -> Result<()> {
    connection
        .execute("delete from session where digest = $1", &[secret::digest(secret).into()])?;
    Ok(())
}

/// Ends all sessions of a person.
///
/// # Errors
/// If the database fails.
pub fn end_all(connection: &mut Connection<'_>, person: i64) -> Result<()> {
    connection.execute("delete from session where person = $1", &[person.into()])?;
    Ok(())
}

/// What the forms of a session send along, so that no other page can send them. Who knows the cookie knows it.
pub fn form_token(secret: &str) -> String {
    secret::digest(&format!("form of {secret}"))
}
