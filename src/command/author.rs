//! Starts `harness-author`, which has the commands that only authors of courses need, as `git` starts its commands.
//!
//! It is a package of its own, so that nobody else waits for what it is built from. Its command line is that of `harness`.

use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::files;
use std::env;
use std::ffi::OsStr;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(super) const NAME: &str = "harness-author";

/// What both programs answer to `--version`.
const VERSION: &str = concat!("harness ", env!("CARGO_PKG_VERSION"));

/// Becomes `harness-author` with the same command line. It returns only if it fails.
pub(super) fn start() -> Failure {
    let program = match found() {
        Ok(program) => program,
        Err(problem) => return Failure::new(FailureKind::Machine, problem.hint(remedy())),
    };
    let error = Command::new(&program).args(env::args_os().skip(1)).exec();
    Failure::machine(format!("start {}", program.display()), error)
}

/// The program, if it is of this version: beside this one, or else on the PATH.
///
/// # Errors
/// With what is wrong.
pub(super) fn found() -> Result<PathBuf, Problem> {
    let beside = env::current_exe().unwrap_or_default().with_file_name(NAME);
    let program = files::on_path(&[&beside, Path::new(NAME)]).ok_or_else(|| {
        let needed = "which `mutants mine`, `mutants propose` and `init --from` need";
        Problem::new(format!("there is no `{NAME}`, {needed}"))
    })?;
    match version(&program) {
        Ok(version) if version == VERSION => Ok(program),
        Ok(version) => {
            let message = format!("{} is `{version}`, and this is `{VERSION}`", program.display());
            Err(Problem::new(message).printable())
        }
        Err(error) => Err(Problem::new(format!("{} does not run: {error}", program.display()))),
    }
}

fn version(program: &Path) -> io::Result<String> {
    let output = Command::new(program).arg("--version").output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// How to get the program.
pub(super) fn remedy() -> String {
    let this = env::current_exe().unwrap_or_default();
    match this.parent().and_then(Path::file_name).and_then(OsStr::to_str) {
        Some("debug") => format!("build it with `cargo build -p {NAME}`"),
        Some("release") => format!("build it with `cargo build --release -p {NAME}`"),
        _ => format!("install it with `cargo install --path crates/{NAME}` in the source"),
    }
}
