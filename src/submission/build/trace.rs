//! Sees which compilations a build runs, and with which options.
//!
//! A Makefile can print anything, and can call the compiler by any path. But the driver, `gcc` or `g++`, starts the compiler proper,
//! `cc1` or `cc1plus`, and looks for it in `COMPILER_PATH` first. There it finds a script that writes its arguments down and then runs
//! the compiler. A build that hides its compilations has none that are seen, which is reported.

use crate::files;
use crate::problem::{Exit, Failure, Problem, printable};
use crate::result::graded::Compilation;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// The file in the folder of the build that lists the compilations.
const LOG: &str = ".harness-compilations";
/// Between two arguments in it.
const SEPARATOR: char = '\u{1f}';
/// The most bytes of it that are read.
const MOST_BYTES: usize = 4 << 20;

/// The folder of scripts that stand before the compiler.
pub(super) struct Trace {
    folder: TempDir,
}

impl Trace {
    /// # Errors
    /// If there is no compiler.
    pub(super) fn new() -> Result<Self, Failure> {
        let folder = files::temporary_folder()
            .map_err(|error| Failure::machine("make a temporary folder", error))?;
        for (driver, compiler) in [("gcc", "cc1"), ("g++", "cc1plus")] {
            let Some(path) = path_of(driver, compiler) else { continue };
            let script = format!(
                "#!/bin/sh\n{{ printf '%s\\037' \"$@\"; echo; }} >> {LOG} 2> /dev/null\nexec {path} \"$@\"\n"
            );
            let file = folder.path().join(compiler);
            fs::write(&file, script)
                .and_then(|()| fs::set_permissions(&file, fs::Permissions::from_mode(0o755)))
                .map_err(|error| Failure::machine("write a temporary file", error))?;
        }
        let is_empty =
            fs::read_dir(folder.path()).is_ok_and(|mut entries| entries.next().is_none());
        if is_empty {
            let problem = Problem::new("there is no compiler: neither `gcc` nor `g++` works");
            let hint = "install g++ and make; `harness doctor` checks it";
            return Err(Failure::new(Exit::Machine, problem.hint(hint)));
        }
        // The program in the sandbox is another user's.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))
            .map_err(|error| Failure::machine("open a temporary folder", error))?;
        Ok(Self { folder })
    }

    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn variables(&self) -> Vec<(String, String)> {
        vec![("COMPILER_PATH".to_owned(), self.folder.path().display().to_string())]
    }
}

/// The path of the compiler that a driver starts.
fn path_of(driver: &str, compiler: &str) -> Option<String> {
    let output = Command::new(driver)
        .arg(format!("-print-prog-name={compiler}"))
        .env_remove("COMPILER_PATH")
        .output()
        .ok()?;
    let path = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    path.starts_with('/').then_some(path)
}

/// The compilations of a build that ran in `folder`.
pub(super) fn read(folder: &Path) -> Vec<Compilation> {
    let log = folder.join(LOG);
    if !log.symlink_metadata().is_ok_and(|it| it.is_file()) {
        return Vec::new();
    }
    let bytes = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MOST_BYTES)]).into_owned();
    text.lines().filter_map(compilation).collect()
}

/// The compilation with these arguments. A call that only preprocesses is none.
fn compilation(line: &str) -> Option<Compilation> {
    const SOURCES: [&str; 9] = [".cpp", ".cc", ".cxx", ".c", ".C", ".c++", ".ii", ".i", ".cp"];
    let words: Vec<_> = line.split(SEPARATOR).collect();
    if words.contains(&"-E") {
        return None;
    }
    let file = words.iter().find(|word| {
        !word.starts_with('-')
            && (**word == "-" || SOURCES.iter().any(|ending| word.ends_with(ending)))
    })?;
    let shown = |word: &&&str| word.starts_with("-O") || super::is_debugging(word);
    let flags = words.iter().filter(shown).map(|word| printable(word)).collect();
    Some(Compilation { file: printable(file), flags })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compilation_has_a_source_and_options() {
        let check = |words: &str| {
            compilation(&words.replace(' ', "\u{1f}")).map(|it| (it.file, it.flags.join(" ")))
        };
        let words =
            "-quiet -D_GNU_SOURCE a.cpp -quiet -dumpbase a.cpp -mtune=generic -O3 -g -o x.s";
        assert_eq!(check(words), Some(("a.cpp".to_owned(), "-O3 -g".to_owned())));
        assert_eq!(check("-E -quiet a.cpp -MM"), None);
    }
}
