//! The program `harness`.

use harness::command;
use std::process::ExitCode;

fn main() -> ExitCode {
    harness::enter();
    command::main(command::run)
}
