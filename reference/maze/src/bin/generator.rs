//! The program `generator`.

use std::process::ExitCode;

fn main() -> ExitCode {
    subject::main(maze::generator)
}
