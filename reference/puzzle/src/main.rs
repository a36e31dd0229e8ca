//! The program `puzzle`.
use std::process::ExitCode;

fn main() -> ExitCode {
    subject::main(puzzle::run)
}
