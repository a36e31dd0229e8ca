//! The server as those who use it see it, on SQLite and on PostgreSQL.

mod access;
mod accounts;
mod attacks;
mod audit;
mod backups;
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
mod scoreboards;
mod secrets;
mod slurm;
mod storm;
mod students;
mod submit;
mod support;
mod versions;
mod worker;
mod worker_faults;
