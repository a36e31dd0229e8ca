//! What is written in a course and in a student's folder or archive: the course file, the catalogue of mutants, suites. It does not
//! know how anything runs.

pub mod catalogue;
pub mod course;
pub mod files;
pub mod hash;
pub mod suite;

// Code names the modules of the crates that come before as modules of this one.
use {harness_diagnostic as diagnostic, harness_domain as domain, harness_shape as shape};
