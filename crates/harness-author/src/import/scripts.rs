//! The programs of a package that bring scripts of their own: `build` makes the program of its folder, and `run` is it.

use super::contents::SCRIPTS;
use harness::diagnostic::{Failure, printable};
use harness::files;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Makes the program in `folder` of the course, if it has scripts, and gives the file in it that runs it. The inner error says why it
/// cannot be used.
///
/// # Errors
/// If the machine fails.
pub(super) fn program(folder: &Path) -> Result<Option<Result<&'static str, String>>, Failure> {
    let [build, run] = SCRIPTS;
    let (build_file, run_file) = (folder.join(build), folder.join(run));
    let present = [&build_file, &run_file].into_iter().filter(|file| file.is_file());
    for script in present {
        // What is copied is not executable.
        fs::set_permissions(script, fs::Permissions::from_mode(0o755)).map_err(|error| {
            Failure::machine(format!("make {} executable", script.display()), error)
        })?;
    }
    if build_file.is_file()
        && let Err(reason) = built(&build_file, folder)
    {
        return Ok(Some(Err(reason)));
    }
    if files::is_executable(&run_file) {
        return Ok(Some(Ok(run)));
    }
    let reason = format!("its script `{build}` makes no program `{run}`");
    Ok(build_file.is_file().then_some(Err(reason)))
}

/// Runs the script `build` in its folder.
fn built(build: &Path, folder: &Path) -> Result<(), String> {
    let output = || -> io::Result<_> {
        let mut command = Command::new(build.canonicalize()?);
        command.current_dir(folder).stdin(Stdio::null()).output()
    };
    let output = output().map_err(|error| format!("its script `build` cannot be run: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = if output.stderr.is_empty() { output.stdout } else { output.stderr };
    Err(format!("its script `build` fails{}", first_line(&String::from_utf8_lossy(&said))))
}

/// The first line of what a tool says, to be appended to a message.
pub(super) fn first_line(said: &str) -> String {
    let line = said.lines().map(str::trim).find(|line| !line.is_empty());
    line.map(|line| format!(": {}", printable(line))).unwrap_or_default()
}
