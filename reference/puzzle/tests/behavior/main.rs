//! Tests the program through its command line.

mod errors;
mod examples;
mod input;
mod options;
mod output;
mod run;
mod search;
