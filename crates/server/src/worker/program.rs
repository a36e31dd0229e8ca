//! The program that grades: this one, so that it is always there and of the same version.

use crate::receipts::SEED;
use harness::diagnostic::Failure;
use harness::files;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::process::Command;

/// What a grader gets of this process's environment: how to find compilers, and nothing that could be secret.
const VARIABLES: [&str; 6] =
    ["PATH", "HOME", "TMPDIR", "CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN"];

/// The program with the commands of authors. This one starts it.
const AUTHOR: &str = "harness-author";

/// The program that grades.
#[derive(Clone, Debug)]
pub struct Program {
    file: PathBuf,
    variables: Vec<(&'static str, OsString)>,
}

impl Program {
    /// This program, which knows all commands of `harness`.
    ///
    /// # Errors
    /// If the system does not say where it is.
    pub fn this() -> Result<Self, Failure> {
        let file = env::current_exe();
        file.map(Self::at).map_err(|error| Failure::machine("find this program", error))
    }

    /// The program in a file.
    pub fn at(file: PathBuf) -> Self {
        let value = |name| Some((name, env::var_os(name)?));
        Self { file, variables: VARIABLES.into_iter().filter_map(value).collect() }
    }

    /// The command of a resident grader, in a process group of its own.
    pub(super) fn grade(&self, course: &Path, assignment: &str) -> Command {
        let mut command = self.command();
        command.args(["grade", "--jobs-from", "-", "--assignment", assignment, "--course"]);
        command.arg(course).args(["--seed", &SEED.to_string()]).stdin(Stdio::piped());
        command
    }

    /// The command that mines the programs in a folder, on one core. What it knows after `seconds` it tells, and what it needs to go on it
    /// keeps in `kept`.
    pub(super) fn mine(
        &self,
        course: &Path,
        assignment: &str,
        (programs, kept): (&Path, &Path),
        seconds: u64,
    ) -> Command {
        let mut command = self.command();
        command.args(["mutants", "mine", "--format", "json", "--jobs", "1"]);
        command.args(["--assignment", assignment, "--budget", &seconds.to_string(), "--course"]);
        command.arg(course).arg("--out").arg(kept).arg(programs).stdin(Stdio::null());
        command
    }

    /// Whether there is what mines, which is a package of its own.
    pub(super) fn mines(&self) -> bool {
        let beside = self.file.with_file_name(AUTHOR);
        files::on_path(&[&beside, Path::new(AUTHOR)]).is_some()
    }

    /// This program in a process group of its own.
    fn command(&self) -> Command {
        let mut command = Command::new(&self.file);
        command.current_dir("/").process_group(0).kill_on_drop(true);
        command.env_clear().envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

/// Sees to it that no child gets a descriptor which this process got from whoever started it. Those that it opens itself are not handed
/// down anyway.
pub(super) fn hand_nothing_down() {
    let open = fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let numbers = open.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    for number in numbers.filter(|number| *number > 2).collect::<Vec<_>>() {
        #[expect(unsafe_code, reason = "what was inherited has no owner in this program")]
        // SAFETY: it is borrowed for one call, which changes nothing for whoever uses it. If it was closed meanwhile, the call fails.
        let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
        let _ = rustix::io::fcntl_setfd(descriptor, rustix::io::FdFlags::CLOEXEC);
    }
}
