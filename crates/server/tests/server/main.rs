//! The server as those who use it see it, on SQLite and on PostgreSQL.

mod access;
mod databases;
mod deploy;
mod queue;
mod slurm;
mod support;
mod versions;
mod worker;
mod worker_faults;
