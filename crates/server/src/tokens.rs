//! Tokens, with which a client such as `harness submit` acts for a person. The database holds only their digests.

use crate::database::{Connection, Result};
use crate::people::Person;
use crate::secret;

/// How long a token is valid. Milliseconds.
pub const LIFETIME: i64 = 180 * 24 * 3_600_000;

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
