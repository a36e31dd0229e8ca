//! The server as those who use it see it, on SQLite and on PostgreSQL.

mod access;
mod backups;
mod databases;
mod deploy;
mod doctor;
mod faults;
mod large;
mod migrations;
mod operation;
mod queue;
mod regrade;
mod rooms;
mod roster;
mod slurm;
mod staff;
mod storm;
mod support;
mod versions;
mod worker;
mod worker_faults;
