//! The program `solver_full`: the solver compiled to write its whole walk.

use std::process::ExitCode;

fn main() -> ExitCode {
    subject::main(maze::solver_full)
}
