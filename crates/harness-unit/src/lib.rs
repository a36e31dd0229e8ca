//! Tests that are programs: functions that a student wrote with a framework of unit tests.
//!
//! Each *test case* is a test, as a file is elsewhere: it is valid if it passes on the reference, and exposes a mutant if it fails,
//! crashes or does not end on it. Each variant is a program of its own: a library, or a text with one bug or none. So a test cannot ask
//! which variant it runs on: none is selected at run time, and nothing that it can see is named after one.

mod built;
pub mod calls;
mod code;
mod columns;
mod confirmation;
mod coverage;
mod forkserver;
mod framework;
mod installed;
mod kit;
mod known;
mod listing;
mod looks;
mod rejection;
mod rooms;
mod running;
mod score;
mod variant;
mod variants;

pub use code::code;
pub use framework::Failed;
pub use installed::check_installed;
pub use listing::NO_CASES;
pub use variants::Variants;

// Code names the modules of the crates that come before as modules of this one.
use harness_course::{catalogue, course, files, hash, suite};
use harness_diagnostic as diagnostic;
use harness_domain as domain;
use harness_run::run;
