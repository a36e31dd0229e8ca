//! The program `harness-server`: `harness` with the commands of a server.

use std::process::ExitCode;

fn main() -> ExitCode {
    harness::sandbox::enter();
    harness::command::main(server::run)
}
