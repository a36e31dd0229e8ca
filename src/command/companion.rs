//! Starts the programs that have commands of their own, `harness-author` and `harness-server`, as `git` starts its commands.
//!
//! They are packages of their own, so that nobody else waits for what they are built from. Their command line is that of `harness`.

use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::files;
use std::env;
use std::ffi::OsStr;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program with commands of its own.
pub(super) struct Companion {
    pub(super) name: &'static str,
    /// The package that it is built from, and its folder in `crates`.
    package: &'static str,
    /// Its commands, in words.
    commands: &'static str,
}

/// What only authors of courses need.
pub(super) const AUTHOR: Companion = Companion {
    name: "harness-author",
    package: "harness-author",
    commands: "`mutants mine`, `mutants propose` and `init --from`",
};

/// The server, and what talks to it.
pub(super) const SERVER: Companion =
    Companion { name: "harness-server", package: "server", commands: "`serve` and `submit`" };

/// What all programs answer to `--version`.
const VERSION: &str = concat!("harness ", env!("CARGO_PKG_VERSION"));

impl Companion {
    /// Becomes this program with the same command line. It returns only if it fails.
    pub(super) fn start(&self) -> Failure {
        let program = match self.found() {
            Ok(program) => program,
            Err(problem) => {
                return Failure::new(FailureKind::Machine, problem.hint(self.remedy()));
            }
        };
        let error = Command::new(&program).args(env::args_os().skip(1)).exec();
        Failure::machine(format!("start {}", program.display()), error)
    }

    /// The program, if it is of this version: beside this one, or else on the PATH.
    ///
    /// # Errors
    /// With what is wrong.
    pub(super) fn found(&self) -> Result<PathBuf, Problem> {
        let Self { name, commands, .. } = self;
        let beside = env::current_exe().unwrap_or_default().with_file_name(name);
        let program = files::on_path(&[&beside, Path::new(name)])
            .ok_or_else(|| Problem::new(format!("there is no `{name}`, which {commands} need")))?;
        match version(&program) {
            Ok(version) if version == VERSION => Ok(program),
            Ok(version) => {
                let message =
                    format!("{} is `{version}`, and this is `{VERSION}`", program.display());
                Err(Problem::new(message).printable())
            }
            Err(error) => Err(Problem::new(format!("{} does not run: {error}", program.display()))),
        }
    }

    /// How to get the program.
    pub(super) fn remedy(&self) -> String {
        let package = self.package;
        let this = env::current_exe().unwrap_or_default();
        match this.parent().and_then(Path::file_name).and_then(OsStr::to_str) {
            Some("debug") => format!("build it with `cargo build -p {package}`"),
            Some("release") => format!("build it with `cargo build --release -p {package}`"),
            _ => format!("install it with `cargo install --path crates/{package}` in the source"),
        }
    }
}

fn version(program: &Path) -> io::Result<String> {
    let output = Command::new(program).arg("--version").output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
