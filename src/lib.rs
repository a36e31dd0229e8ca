//! `harness` grades student test files by the bugs they expose. ARCHITECTURE.md lists the modules in
//! the order in which they may depend on each other.

pub mod catalogue;
pub mod cli;
pub mod command;
pub mod course;
pub mod files;
pub mod generate;
pub mod hash;
pub mod report;
pub mod result;
pub mod run;
pub mod sandbox;
pub mod submission;
pub mod suite;

// The crates that come first in that order. Code names them as modules of this crate, like the rest.
pub use {domain, problem, shape};
