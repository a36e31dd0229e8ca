//! A broken course: the combined build with nothing selected is not the reference.

use std::process::ExitCode;
use subject::{Env, bug};

fn main() -> ExitCode {
    subject::main(run)
}

fn run(env: &mut Env<'_>) -> u8 {
    let greeting = if bug!("says-goodbye") { "goodbye" } else { "hello" };
    // The mistake: a bug that asks the build, not `bug!`.
    let end = if cfg!(feature = "says-goodbye") { "" } else { "!" };
    u8::from(writeln!(env.stdout, "{greeting}{end}").is_err())
}
