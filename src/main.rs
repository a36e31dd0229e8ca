//! The program `harness`.

use harness::command;
use std::process::ExitCode;

fn main() -> ExitCode {
    harness::sandbox::enter();
    command::main(command::run)
}
