//! The autograder that students submit to.
//!
//! `harness` starts this program for `serve` and `submit`, as `git` does.

pub mod app;
pub mod audit;
pub mod backup;
pub mod command;
pub mod config;
pub mod courses;
pub mod database;
pub mod log;
pub mod metrics;
pub mod pages;
pub mod people;
pub mod queue;
pub mod rules;
pub mod secret;
pub mod submissions;
pub mod tokens;
pub mod web;
pub mod worker;

pub use command::run;
