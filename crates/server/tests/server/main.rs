//! The server as those who use it see it, on SQLite and on PostgreSQL.

#![expect(clippy::duration_suboptimal_units, reason = "files of other packages know no later Rust")]

mod access;
mod accounts;
mod attacks;
mod audit;
mod backups;
mod browser;
mod databases;
mod deploy;
mod doctor;
mod faults;
mod hardening;
mod large;
mod migrations;
mod operation;
mod queue;
mod regrade;
mod reports;
mod rooms;
mod roster;
mod scoreboards;
mod secrets;
mod similar;
mod slurm;
mod staff;
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
