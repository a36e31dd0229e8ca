//! The server as those who use it see it, on SQLite and on PostgreSQL.

mod access;
mod databases;
mod faults;
mod operation;
mod support;
