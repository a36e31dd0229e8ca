//! The program `harness`.

use harness::command;
use std::process::ExitCode;

fn main() -> ExitCode {
    command::main(command::run)
}
