//! The server as those who use it see it, on SQLite and on PostgreSQL.

#![expect(clippy::duration_suboptimal_units, reason = "files of other packages know no later Rust")]

mod access;
mod accounts;
mod attacks;
mod audit;
mod backups;
mod browser;
mod counting;
mod databases;
mod deploy;
mod doctor;
mod encryption;
mod faults;
mod groups;
mod hand;
mod hardening;
mod large;
mod late;
mod launches;
mod live;
mod migrations;
mod mining;
mod mistakes;
mod new_course;
mod operation;
mod passback;
mod people;
mod plan;
mod platform;
mod queue;
mod receipts;
mod regrade;
mod regrade_begun;
mod reports;
mod requests;
mod rooms;
mod roster;
mod scoreboards;
mod secrets;
mod similar;
mod single_sign_on;
mod slurm;
mod staff;
mod storm;
mod students;
mod submit;
mod support;
mod unit_tests;
mod versions;
mod worker;
mod worker_faults;

#[path = "../../../../tests/support/skip.rs"]
mod skip;

use skip::skip;
