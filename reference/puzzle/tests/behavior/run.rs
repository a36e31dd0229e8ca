//! Runs the program in memory.

use std::collections::BTreeMap;
use std::ffi::OsString;
use subject::{Env, Files};

/// The outcome of a run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) status: u8,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs with these arguments, separated by blanks, on this input.
pub(crate) fn run(args: &str, input: &[u8]) -> Ran {
    run_args(&args.split_whitespace().map(OsString::from).collect::<Vec<_>>(), input)
}

/// Runs with these arguments on this input.
pub(crate) fn run_args(args: &[OsString], mut input: &[u8]) -> Ran {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut files = Files::Memory(BTreeMap::new());
    let mut env = Env {
        args,
        stdin: &mut input,
        stdout: &mut stdout,
        stderr: &mut stderr,
        files: &mut files,
    };
    let status = puzzle::run(&mut env);
    Ran {
        status,
        stdout: String::from_utf8(stdout).unwrap(),
        stderr: String::from_utf8(stderr).unwrap(),
    }
}

/// Checks that a run succeeds and prints exactly this, without messages.
#[track_caller]
pub(crate) fn check(args: &str, input: &str, stdout: &str) {
    let ran = run(args, input.as_bytes());
    assert_eq!(
        ran,
        Ran { status: 0, stdout: stdout.to_owned(), stderr: String::new() },
        "{args} on\n{input}"
    );
}
