//! The server as those who use it see it, on SQLite and on PostgreSQL.

mod databases;
mod support;
