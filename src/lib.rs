//! `harness` grades student test files by the bugs they expose. ARCHITECTURE.md lists the modules in
//! the order in which they may depend on each other.

pub mod cli;
pub mod command;
pub mod report;
pub mod result;
pub mod submission;

// The modules that come first in that order. Code names them as modules of this crate, like the rest.
pub use runner::{
    catalogue, course, domain, files, generate, hash, problem, run, sandbox, shape, suite,
};
