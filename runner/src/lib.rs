//! What the harness knows of a course without anybody's results: its file, its suites and its mutants, how its programs are built and
//! run, and how tests for them are found. A crate of its own is compiled while others are.

pub mod catalogue;
pub mod course;
pub mod files;
pub mod generate;
pub mod hash;
pub mod run;
pub mod sandbox;
pub mod suite;

// The crates that come before these modules. Code names them as modules of this crate, like the rest.
pub use {domain, problem, shape};
