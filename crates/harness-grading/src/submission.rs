//! A whole submission: its files, what the checks find in them, its build, and its runs on the instructor's cases.
//!
//! What a student hands in is data. It is read into memory within limits, and only the sandbox runs anything of it.

pub mod build;
pub mod case;
mod channel;
pub mod check;
pub mod contents;
pub mod cores;
pub mod exposure;
mod finding;
mod language;
pub mod leak;
mod patience;
pub mod program;
pub mod reference;
pub mod store;
mod timed;
pub mod trial;
pub mod trials;

pub use contents::{Contents, SourceFile};
pub use finding::finding;
