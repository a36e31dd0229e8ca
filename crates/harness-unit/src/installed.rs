//! Whether the machine has the framework of tests in C or C++.

use crate::course::UnitTests;
use crate::diagnostic::{Failure, FailureKind, Problem};
use std::path::{Path, PathBuf};

/// A header of a framework, where the machine has it.
pub(crate) fn installed_header(name: &str) -> Option<PathBuf> {
    let folders = ["/usr/local/include", "/usr/include"].into_iter().map(Path::new);
    folders.map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Finds out whether the machine has the framework of tests in C or C++, before the file of a student is blamed for it.
///
/// # Errors
/// If neither the machine nor the course has its header, as far as that is known.
pub fn check_installed(unit: &UnitTests) -> Result<(), Failure> {
    let headers = unit.framework.headers();
    let is_with = |header: &&str| {
        let name = Path::new(header).file_name();
        unit.with.iter().any(|path| path.file_name() == name)
    };
    let has_folders =
        unit.flags.iter().any(|flag| flag.starts_with("-I") || flag.starts_with("-isystem"));
    let is_here = |header: &&str| is_with(header) || installed_header(header).is_some();
    if headers.is_empty() || has_folders || headers.iter().any(is_here) {
        return Ok(());
    }
    let problem = Problem::new(format!("there is no `{}` on this machine", headers[0]));
    Err(match unit.framework.package() {
        Some(package) => {
            let hint = format!("install it, for example with `apt install {package}`");
            Failure::new(FailureKind::Machine, problem.hint(hint))
        }
        None => Failure::broken_course(problem.hint(format!(
            "name the header in the course file, as `compile: {{ with: [{}] }}` in `tests`",
            headers[0]
        ))),
    })
}
