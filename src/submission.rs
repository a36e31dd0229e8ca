//! A whole submission: its files, what the checks find in them, its build, and its runs on the instructor's cases.
//!
//! What a student hands in is data. It is read into memory within limits, and only the sandbox runs anything of it.

pub mod check;
pub mod contents;
mod finding;
pub mod unpack;

pub use contents::{Contents, SourceFile};
pub use finding::finding;
