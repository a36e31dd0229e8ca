//! `harness` grades student test files by the bugs they expose. ARCHITECTURE.md lists the modules in
//! the order in which they may depend on each other.

pub mod cli;
pub mod command;
pub mod exit;
pub mod interrupt;
pub mod report;

// Code names the modules of the crates that come before as modules of this one.
pub use harness_course::{catalogue, course, files, hash, suite};
pub use harness_generate::generate;
pub use harness_grading::{grading, result, submission};
pub use harness_run::{run, sandbox};
pub use harness_similarity as similarity;
pub use {
    harness_diagnostic as diagnostic, harness_domain as domain, harness_shape as shape,
    harness_unit as unit,
};
