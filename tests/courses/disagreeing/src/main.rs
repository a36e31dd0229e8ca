//! A broken course: the combined build differs from the reference even if no mutant is selected.

use std::process::ExitCode;
use subject::{Env, bug};

fn main() -> ExitCode {
    subject::main(run)
}

fn run(env: &mut Env<'_>) -> u8 {
    let greeting = if bug!("says-goodbye") { "goodbye" } else { "hello" };
    // The mistake: this bug depends on the build instead of on `bug!`.
    let end = if cfg!(feature = "says-goodbye") { "" } else { "!" };
    u8::from(writeln!(env.stdout, "{greeting}{end}").is_err())
}
