//! Finds the interpreter behind a shim: a script on the PATH, such as those of pyenv, that starts it. A shim takes longer than
//! most programs, so each is asked only once which interpreter it starts.

use crate::files::on_path;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{LazyLock, Mutex, PoisonError};

/// The interpreters that were found, by the words that start them. That is a fact of the machine, the same for all work.
static FOUND: LazyLock<Mutex<BTreeMap<String, Option<PathBuf>>>> = LazyLock::new(Mutex::default);

/// What to start for the word `program` of a command line: the interpreter behind it, or else the word itself.
pub fn resolved(program: &str) -> OsString {
    behind(program).map_or_else(|| program.into(), PathBuf::into_os_string)
}

/// The interpreter that `program` starts, if that is a shim.
pub fn behind(program: &str) -> Option<PathBuf> {
    let ask = question(program)?;
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    let known = found.entry(program.to_owned());
    known.or_insert_with(|| ask(&on_path(&[program]).filter(|path| is_script(path))?)).clone()
}

/// How to ask a shim for its interpreter.
fn question(program: &str) -> Option<fn(&Path) -> Option<PathBuf>> {
    match program {
        "python3" | "python" => Some(python),
        "java" => Some(java),
        _ => None,
    }
}

fn python(shim: &Path) -> Option<PathBuf> {
    let said = said(shim, &["-c", "import sys; print(sys.executable)"])?;
    executable(Path::new(said.trim()))
}

fn java(shim: &Path) -> Option<PathBuf> {
    let said = said(shim, &["-XshowSettings:properties", "-version"])?;
    let home = said.lines().find_map(|line| line.trim().strip_prefix("java.home = "))?;
    executable(&Path::new(home).join("bin/java"))
}

/// What a shim prints.
fn said(shim: &Path, args: &[&str]) -> Option<String> {
    let output = Command::new(shim).args(args).stdin(Stdio::null()).output().ok()?;
    let text = [output.stdout, output.stderr].concat();
    output.status.success().then(|| String::from_utf8_lossy(&text).into_owned())
}

fn executable(path: &Path) -> Option<PathBuf> {
    path.is_absolute().then(|| on_path(&[path])).flatten()
}

fn is_script(path: &Path) -> bool {
    let mut first = [0; 2];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut first));
    read.is_ok() && first == *b"#!"
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn the_interpreter_behind_a_script_is_what_the_script_says() {
        let folder = tempfile::tempdir().unwrap();
        let (shim, python3) = (folder.path().join("shim"), folder.path().join("real"));
        std::fs::write(&python3, "").unwrap();
        std::fs::write(&shim, format!("#!/bin/sh\necho {}\n", python3.display())).unwrap();
        for path in [&shim, &python3] {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        assert!(is_script(&shim) && !is_script(&python3));
        assert_eq!(python(&shim), Some(python3));
        std::fs::write(&shim, "#!/bin/sh\nexit 1\n").unwrap();
        assert_eq!(python(&shim), None);
        assert_eq!(resolved("cat"), OsString::from("cat"));
    }
}
