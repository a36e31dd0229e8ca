//! The server as those who use it see it, on SQLite and on PostgreSQL.

mod access;
mod backups;
mod browser;
mod databases;
mod deploy;
mod doctor;
mod faults;
mod migrations;
mod operation;
mod queue;
mod rooms;
mod slurm;
mod storm;
mod support;
mod versions;
mod worker;
mod worker_faults;

#[path = "../../../../tests/support/skip.rs"]
mod skip;

use skip::skip;
