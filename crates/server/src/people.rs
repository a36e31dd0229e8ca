//! Who uses the server: people with their roles, invitations, sessions and tokens.

pub mod invitation;
mod person;
pub mod session;

pub use person::{Person, Role};
