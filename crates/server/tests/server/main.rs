//! The server as those who use it see it, on SQLite and on PostgreSQL.

mod access;
mod browser;
mod databases;
mod deploy;
mod queue;
#[path = "../../../../tests/support/skip.rs"]
mod skip;
mod slurm;
mod support;
mod versions;
mod worker;
mod worker_faults;

use skip::skip;
