//! What the program does, seen from its command line.

mod errors;
mod examples;
mod input;
mod options;
mod output;
mod run;
mod search;
