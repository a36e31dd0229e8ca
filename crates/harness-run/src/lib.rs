//! Builds the programs of a course, and runs them: as workers, snapshots or processes, and hostile ones in a sandbox.

pub mod run;
pub mod sandbox;

// Code names the modules of the crates that come before as modules of this one.
use harness_course::{catalogue, course, files, hash, suite};
use {harness_diagnostic as diagnostic, harness_domain as domain};
