//! Building and running programs.

pub mod build;
pub mod interrupt;
pub mod judge;
pub mod matrix;
pub mod prepare;
pub mod process;
pub mod worker;
