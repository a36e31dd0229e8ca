//! Invitations: a link with a secret, with which a person sets a password once.

use super::{Person, session};
use crate::audit;
use crate::database::{Connection, Result};
use crate::{secret, tokens};

/// How long an invitation is valid. Milliseconds.
pub const LIFETIME: i64 = 14 * 24 * 3_600_000;

/// Makes an invitation, which replaces earlier ones, and gives its secret. Until it is accepted, the password and the sessions of the
/// person stay as they are.
///
/// # Errors
/// If the database fails.
pub fn make(connection: &mut Connection<'_>, person: i64) -> Result<String> {
    let secret = secret::random();
    let until = connection.now()? + LIFETIME;
    connection.execute("delete from invitation where person = $1", &[person.into()])?;
    connection.execute(
        "insert into invitation (digest, person, until) values ($1, $2, $3)",
        &[secret::digest(&secret).into(), person.into(), until.into()],
    )?;
    Ok(secret)
}

/// [Makes](make) an invitation for somebody else, and notes that in the log.
///
/// # Errors
/// If the database fails.
pub fn send(connection: &mut Connection<'_>, by: Option<i64>, to: &Person) -> Result<String> {
    let secret = make(connection, to.id)?;
    let object = format!("person {}", to.login);
    let entry = audit::Entry { person: by, action: "invite", object: &object, reason: "" };
    audit::add(connection, &entry, (), ())?;
    Ok(secret)
}

/// Whom an invitation that is still valid is for.
///
/// # Errors
/// If the database fails.
pub fn person(connection: &mut Connection<'_>, secret: &str) -> Result<Option<Person>> {
    let now = connection.now()?;
    let sql = format!(
        "select {} from invitation join person on person.id = invitation.person \
         where invitation.digest = $1 and invitation.until > $2 and person.active = 1",
        Person::COLUMNS
    );
    let row = connection.first(&sql, &[secret::digest(secret).into(), now.into()])?;
    Ok(row.map(|row| Person::of(&row)))
}

/// Accepts an invitation: the person has this password, and a new session, whose secret is given. Who knew the old password has nothing
/// any more: earlier sessions and tokens end. None if the invitation is not valid any more.
///
/// # Errors
/// If the database fails.
pub fn accept(
    connection: &mut Connection<'_>,
    secret: &str,
    password_hash: &str,
) -> Result<Option<String>> {
    let Some(person) = person(connection, secret)? else { return Ok(None) };
    let digest = secret::digest(secret);
    // Of two that accept it at the same time, one deletes it.
    if connection.execute("delete from invitation where digest = $1", &[digest.into()])? == 0 {
        return Ok(None);
    }
    let sql = "update person set password = $1 where id = $2";
    connection.execute(sql, &[password_hash.into(), person.id.into()])?;
    session::end_all(connection, person.id)?;
    tokens::remove_all(connection, person.id)?;
    session::begin(connection, person.id).map(Some)
}

/// Deletes those that have ended.
///
/// # Errors
/// If the database fails.
pub(super) fn sweep(connection: &mut Connection<'_>) -> Result<()> {
    let now = connection.now()?;
    connection.execute("delete from invitation where until <= $1", &[now.into()])?;
    Ok(())
}

/// The address of the page where an invitation is accepted.
pub fn link(url: &str, secret: &str) -> String {
    format!("{url}/invitations/{secret}")
}
