//! Runs a program on the real arguments, streams and files.

use crate::{Env, Files, Program};
use std::ffi::OsString;
use std::io::{self, BufReader, BufWriter, Write};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;

const BUFFER: usize = 1 << 16;

pub(crate) fn run(program: Program) -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    let mut stdin = BufReader::with_capacity(BUFFER, io::stdin().lock());
    let mut stdout = BufWriter::with_capacity(BUFFER, io::stdout().lock());
    let mut stderr = io::stderr().lock();
    let mut env = Env {
        args: &args,
        stdin: &mut stdin,
        stdout: &mut stdout,
        stderr: &mut stderr,
        files: &mut Files::Disk,
    };
    let status = panic::catch_unwind(AssertUnwindSafe(|| program(&mut env)));
    drop(stderr);
    // A panic must end the program by a signal, as a crash does in other languages.
    let Ok(status) = status else { std::process::abort() };
    match stdout.flush() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            eprintln!("cannot write the output: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::from(status),
    }
}
