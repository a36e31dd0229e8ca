//! Finds tests: searching, shrinking and selecting them.

pub mod generate;

// Code names the modules of the crates that come before as modules of this one.
use harness_course::{catalogue, course, suite};
use harness_run::run;
use {harness_diagnostic as diagnostic, harness_domain as domain};
