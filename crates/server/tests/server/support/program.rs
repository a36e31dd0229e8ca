//! `harness-server` as a process, as people start it.

use std::path::Path;
use std::process::{Child, Command, Stdio};

/// What a command printed, and its exit status.
pub(crate) struct Done {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) error: String,
}

/// The command line of `harness serve …` for a course.
pub(crate) fn serve(course: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_harness-server"));
    command.arg("serve").args(args).arg("--course").arg(course);
    command.env("XDG_CACHE_HOME", course.join("cache")).env_remove("RUST_LOG");
    command.stdin(Stdio::null());
    command
}

/// Runs a command to its end.
pub(crate) fn run(mut command: Command) -> Done {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let status = output.status.code().unwrap_or(-1);
    Done { status, out: text(output.stdout), error: text(output.stderr) }
}

/// A process that ends with the test.
pub(crate) struct Running(pub(crate) Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
