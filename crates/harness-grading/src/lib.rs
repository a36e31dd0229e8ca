//! What a result is: from a submission or a suite to its record, and to what each reader may see of it. It knows no terminal.

pub mod grading;
pub mod result;
pub mod submission;

// Code names the modules of the crates that come before as modules of this one.
use harness_course::{catalogue, course, files, hash, suite};
use harness_run::{run, sandbox};
use {
    harness_diagnostic as diagnostic, harness_domain as domain, harness_shape as shape,
    harness_unit as unit,
};
