//! The server as those who use it see it, on SQLite and on PostgreSQL.

mod access;
mod accounts;
mod audit;
mod backups;
mod browser;
mod databases;
mod deploy;
mod doctor;
mod faults;
mod hardening;
mod migrations;
mod operation;
mod queue;
mod reports;
mod rooms;
mod secrets;
mod scoreboards;
mod slurm;
mod storm;
mod students;
mod submit;
mod support;
mod versions;
mod worker;
mod worker_faults;

#[path = "../../../../tests/support/skip.rs"]
mod skip;

use skip::skip;
