//! The server as those who use it see it, on SQLite and on PostgreSQL.

mod access;
mod backups;
mod databases;
mod doctor;
mod faults;
mod migrations;
mod operation;
mod support;
