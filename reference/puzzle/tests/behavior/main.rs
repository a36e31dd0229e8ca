//! What the program does, seen from its command line.

mod examples;
mod run;
