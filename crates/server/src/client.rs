//! What `harness submit` does: picks the files that the course takes, sends them, and waits for the result.

mod connection;
mod files;

pub(crate) use connection::{Answer, Server};
pub(crate) use files::{Picked, picked};
