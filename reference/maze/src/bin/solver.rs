//! The program `solver`: it writes the path alone.

use std::process::ExitCode;

fn main() -> ExitCode {
    subject::main(maze::solver)
}
