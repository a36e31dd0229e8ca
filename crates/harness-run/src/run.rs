//! Building and running programs.
//!
//! Commands use [`programs`]. The other modules are its parts.

mod account;
pub mod build;
pub mod cancellation;
mod confirm;
pub mod coverage;
pub mod differences;
pub mod discarded;
pub(crate) mod effort;
pub mod engine;
mod host;
mod inspector;
pub mod interactor;
pub mod interpreter;
pub mod judge;
pub mod matrix;
pub mod outside;
pub mod parallel;
mod plan;
pub mod prepare;
pub mod process;
mod processes;
mod program;
pub mod programs;
mod runner;
pub mod sanitized;
pub mod search;
mod settle;
pub mod single;
mod slot;
mod sweep;
mod trust;
mod validators;
pub mod work;
pub mod worker;
