//! `harness` grades student test files by the bugs they expose. ARCHITECTURE.md says what is where, and why.

pub mod catalogue;
pub mod cli;
pub mod command;
pub mod compile;
pub mod course;
pub mod decode;
pub mod domain;
pub mod generate;
pub mod grade;
pub mod judge;
pub mod matrix;
pub mod prepare;
pub mod problem;
pub mod process;
pub mod progress;
pub mod report;
pub mod score;
pub mod sites;
pub mod spelling;
pub mod suite;
pub mod worker;
pub mod yaml;
