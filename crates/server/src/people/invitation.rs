//! Invitations: a link with a secret, with which a person sets a password.

use crate::database::{Connection, Result};
use crate::secret;

/// How long an invitation is valid. Milliseconds.
pub const LIFETIME: i64 = 14 * 24 * 3_600_000;

/// Makes an invitation, which replaces earlier ones, and gives its secret.
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

/// The address of the page where an invitation is accepted.
pub fn link(url: &str, secret: &str) -> String {
    format!("{url}/invitations/{secret}")
}
