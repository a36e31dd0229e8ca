//! The program `countess`.
use std::process::ExitCode;

fn main() -> ExitCode {
    subject::main(countess::run)
}
