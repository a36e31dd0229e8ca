//! The archives of classes with which tests in Java are compiled and run.

use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::framework::Framework;
use std::path::{Path, PathBuf};

/// Where Debian has archives of classes.
const ARCHIVES: &str = "/usr/share/java";

/// The archives that a course gives its tests, and those of the framework that the machine has, unless the course brings it.
pub(super) fn all(
    framework: &'static dyn Framework,
    given: Vec<PathBuf>,
) -> Result<Vec<PathBuf>, Failure> {
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if given.iter().any(|path| name(path).starts_with("junit-platform-console-standalone")) {
        return Ok(given);
    }
    let all = framework.libraries().iter();
    let all: Vec<_> = all.map(|it| Path::new(ARCHIVES).join(format!("{it}.jar"))).collect();
    if let Some(missing) = all.iter().find(|path| !path.is_file()) {
        let problem = Problem::new(format!("there is no JUnit 5: no {}", missing.display()));
        let hint = "install it, for example with `apt-get install junit5`, or name a junit-platform-console-standalone.jar in `compile: { with: … }`";
        return Err(Failure::new(FailureKind::Machine, problem.hint(hint)));
    }
    Ok([given, all].concat())
}

/// What the options `-cp` say.
pub(super) fn class_path(archives: &[PathBuf]) -> String {
    let paths: Vec<_> = archives.iter().map(|path| path.to_string_lossy()).collect();
    paths.join(":")
}
