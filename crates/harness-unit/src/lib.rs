//! Tests that are programs: functions that a student wrote with a framework of unit tests.
//!
//! Each *test case* is a test, as a file is elsewhere: it is valid if it passes on the reference, and exposes a mutant if it fails,
//! crashes or does not end on it. The variants are libraries, built once for the course. A student's file is compiled and linked once, in
//! the sandbox, and each variant takes the place of the library under the same name. So a test cannot ask which variant it runs on: none
//! is selected at run time, and nothing that it can see is named after one.

mod built;
mod framework;
mod variants;

pub use variants::Variants;

// Code names the modules of the crates that come before as modules of this one.
use harness_course::{catalogue, course, files, suite};
use harness_diagnostic as diagnostic;
use harness_run::run;
