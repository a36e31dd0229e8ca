//! Who uses the server: people with their roles, invitations, sessions and tokens.

pub mod attempts;
pub mod change;
pub mod invitation;
pub mod login;
pub mod password;
mod person;
pub mod roster;
pub mod session;
pub mod sight;

pub use person::{Person, Role};

use crate::database::{Connection, Result};
use crate::tokens;

/// Deletes the sessions, invitations, tokens and failed attempts that have ended.
///
/// # Errors
/// If the database fails.
pub fn sweep(connection: &mut Connection<'_>) -> Result<()> {
    session::sweep(connection)?;
    invitation::sweep(connection)?;
    tokens::sweep(connection)?;
    attempts::sweep(connection)
}
