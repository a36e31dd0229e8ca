//! Building and running programs.
//!
//! Commands use [`programs`]. The other modules are its parts.

pub mod build;
pub mod interrupt;
mod judge;
pub mod matrix;
pub mod parallel;
pub mod prepare;
pub mod process;
mod processes;
pub mod programs;
pub mod search;
pub mod worker;
mod workers;
