//! The program `harness-author`: `harness` with the commands of an author.

use std::process::ExitCode;

fn main() -> ExitCode {
    harness::sandbox::enter();
    harness::command::main(harness_author::run)
}
