//! Who uses the server: people with their roles, invitations, sessions and tokens.

pub mod invitation;
mod person;
pub mod roster;
pub mod session;
pub mod sight;

pub use person::{Person, Role};
