//! The autograder that students submit to.
//!
//! `harness` starts this program for `serve` and `submit`, as `git` does.
//!
//! Its rooms, each with what it may know. A room uses only those above it, and a test checks that. Those of one line use each other.
//!
//! - `system`: what the system says when something fails. It knows nothing else.
//! - `secret`: random secrets, digests and passwords. It knows nothing else.
//! - `authorities`: whose certificates are trusted. It knows nothing else.
//! - `sheet`: tables in CSV. It knows nothing else.
//! - `log`: how the log is written.
//! - `rules`: what the course decides about handing in. Pure.
//! - `database`: SQLite and PostgreSQL. Only it knows which of them it is, and no other room knows SQL's dialects.
//! - `config`: `serve.yaml`, as one machine reads it.
//! - `chain`: tables of which each row holds the digest of the one before. It knows none of them.
//! - `audit`: the log of what staff did.
//! - `backup`: all tables in a file. It knows no table by its name.
//! - `metrics`: figures for monitors.
//! - `courses`: the versions of the course.
//! - `people`, `tokens`: persons, sessions and invitations, and what clients have instead of a session.
//! - `receipts`: what students can keep of a result, signed. It knows no jobs.
//! - `queue`, `submissions`: jobs, from claim to record; how a submission is taken, and which one counts. They know neither HTTP nor
//!   processes.
//! - `hand`: what people give by a rubric, and their comments to lines.
//! - `plan`: how many workers a due date needs.
//! - `regrades`: new results, which stand when staff apply them.
//! - `similar`: which submissions are alike.
//! - `mining`: what the programs of a class get wrong.
//! - `requests`: what students ask about their reports, and what staff answer.
//! - `sso`: who somebody is, as a provider of single sign-on says.
//! - `lti`: learning platforms, as LTI 1.3 speaks with them. It knows no pages.
//! - `passback`: which grades learning platforms should have, and which they have. It knows no HTTP.
//! - `app`, `boards`, `feedback`, `web`, `pages`: what all requests share; scoreboards; what a reader sees of a submission; the router with
//!   its one table of routes; and the pages.
//! - `client`: `harness submit`.
//! - `worker`: takes jobs, and starts the processes that grade. It knows no HTTP.
//! - `sender`: sends grades to learning platforms.
//! - `command`: the command line.

pub mod app;
pub mod audit;
pub mod authorities;
pub mod backup;
pub mod boards;
pub mod chain;
mod client;
pub mod command;
pub mod config;
pub mod courses;
pub mod database;
pub mod feedback;
pub mod hand;
pub mod log;
pub mod lti;
pub mod metrics;
pub mod mining;
pub mod pages;
pub mod passback;
pub mod people;
pub mod plan;
pub mod queue;
pub mod receipts;
pub mod regrades;
pub mod requests;
pub mod rules;
pub mod secret;
pub mod sender;
pub mod sheet;
pub mod similar;
pub mod sso;
pub mod submissions;
mod system;
pub mod tokens;
pub mod web;
pub mod worker;

pub use command::run;
