//! Sessions: a browser holds a random secret in a cookie, and the database its digest.

use super::Person;
use crate::audit;
use crate::database::{Connection, Result, Row};
use crate::secret;
use axum::http::HeaderName;
use axum::http::header::SET_COOKIE;

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

/// Ends all sessions of somebody else, and notes that in the log.
///
/// # Errors
/// If the database fails.
pub fn end_all_by(connection: &mut Connection<'_>, by: i64, whose: &Person) -> Result<()> {
    end_all(connection, whose.id)?;
    let object = format!("person {}", whose.login);
    let entry =
        audit::Entry { person: Some(by), action: "end sessions", object: &object, reason: "" };
    audit::add(connection, &entry, (), ())
}

/// Ends all sessions of a person but this one.
///
/// # Errors
/// If the database fails.
pub fn end_others(connection: &mut Connection<'_>, person: i64, secret: &str) -> Result<()> {
    let sql = "delete from session where person = $1 and digest <> $2";
    connection.execute(sql, &[person.into(), secret::digest(secret).into()])?;
    Ok(())
}

/// A session, as its person sees it.
pub struct Open {
    /// When it began, and when it was last noted as used.
    pub created: i64,
    pub seen: i64,
    /// Whether it is the one that asks.
    pub is_this: bool,
}

/// The open sessions of a person, the one that was used last first.
///
/// # Errors
/// If the database fails.
pub fn open(connection: &mut Connection<'_>, person: i64, secret: &str) -> Result<Vec<Open>> {
    let now = connection.now()?;
    let sql = "select created, seen, digest from session where person = $1 and seen > $2 and created > $3 \
        order by seen desc, created desc limit 100";
    let ends = [person.into(), (now - IDLE).into(), (now - LONGEST).into()];
    let digest = secret::digest(secret);
    let rows = connection.query(sql, &ends)?;
    let one =
        |row: &Row| Open { created: row.int(0), seen: row.int(1), is_this: row.text(2) == digest };
    Ok(rows.iter().map(one).collect())
}

/// Deletes those that have ended.
///
/// # Errors
/// If the database fails.
pub(super) fn sweep(connection: &mut Connection<'_>) -> Result<()> {
    let now = connection.now()?;
    let ends = [(now - IDLE).into(), (now - LONGEST).into()];
    connection.execute("delete from session where seen <= $1 or created <= $2", &ends)?;
    Ok(())
}

/// The header that gives a session to a browser. Only this host gets it back, and no script sees it.
pub fn given(secret: &str) -> [(HeaderName, String); 1] {
    [(SET_COOKIE, format!("{COOKIE}={secret}; Path=/; Secure; HttpOnly; SameSite=Lax"))]
}

/// The header that takes the session from a browser.
pub fn taken() -> [(HeaderName, String); 1] {
    [(SET_COOKIE, format!("{COOKIE}=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0"))]
}

/// What the forms of a session send along, so that no other page can send them. Who knows the cookie knows it.
pub fn form_token(secret: &str) -> String {
    secret::digest(&format!("form of {secret}"))
}
