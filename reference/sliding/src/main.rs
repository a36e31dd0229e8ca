//! The program `sliding`.
use std::process::ExitCode;

fn main() -> ExitCode {
    subject::main(sliding::run)
}
