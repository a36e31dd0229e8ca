//! Sees which compilations a build runs, and with which options.
//!
//! A Makefile can print anything, and can call the compiler by any path. But the driver, `gcc` or `g++`, starts the compiler proper,
//! `cc1` or `cc1plus`, and looks for it in `COMPILER_PATH` first. There it finds a script that tells its options through a [`Channel`],
//! and then runs the compiler. A Makefile can add to what the channel says, but not take anything back.
//!
//! A Makefile runs as the same user as the script, so it can go round it. Therefore the script has the compiler mark what it makes
//! (`-frecord-gcc-switches`). A build that has no compilations which are seen, and a program without the mark, are reported.

use crate::course::submission::Flags;
use crate::files;
use crate::problem::{Exit, Failure, Problem, printable};
use crate::result::graded::Compilation;
use crate::submission::channel::{Channel, Received};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Between two arguments of a compilation.
const SEPARATOR: char = '\u{1f}';
/// The most bytes about compilations that are read.
const MOST_BYTES: usize = 4 << 20;
/// The section of a program that holds the mark.
const MARK: &[u8] = b"\0.GCC.command.line\0";

/// The folder of scripts that stand before the compiler, and what they say.
pub(super) struct Trace<'a> {
    folder: TempDir,
    channel: Channel,
    flags: &'a Flags,
}

/// The compilations that were seen.
pub(super) struct Traced {
    pub(super) compilations: Vec<Compilation>,
    /// Whether these are all that passed the scripts.
    pub(super) is_whole: bool,
}

impl<'a> Trace<'a> {
    /// Scripts that look at the usual options, and at `flags`.
    ///
    /// # Errors
    /// If there is no compiler.
    pub(super) fn new(flags: &'a Flags) -> Result<Self, Failure> {
        let folder = files::temporary_folder()
            .map_err(|error| Failure::machine("make a temporary folder", error))?;
        let channel = Channel::open(MOST_BYTES)?;
        for (driver, compiler) in [("gcc", "cc1"), ("g++", "cc1plus"), ("g++", "lto1")] {
            let Some(path) = path_of(driver, compiler) else { continue };
            let file = folder.path().join(compiler);
            fs::write(&file, script(&path, &channel.path(), flags))
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
        Ok(Self { folder, channel, flags })
    }

    /// The folders that the build must see.
    pub(super) fn shown(&self) -> Vec<PathBuf> {
        [self.folder.path(), self.channel.folder()].map(Path::to_owned).to_vec()
    }

    pub(super) fn variables(&self) -> Vec<(String, String)> {
        vec![("COMPILER_PATH".to_owned(), self.folder.path().display().to_string())]
    }

    /// What was seen of a build that has ended.
    pub(super) fn end(self) -> Traced {
        let Received { bytes, is_whole } = self.channel.received();
        let text = String::from_utf8_lossy(&bytes);
        let compilations = text.lines().filter_map(|line| compilation(line, self.flags));
        Traced { compilations: compilations.collect(), is_whole }
    }
}

/// Whether the compiler that the scripts run made a part of this program.
pub(super) fn is_marked(program: &[u8]) -> bool {
    program.windows(MARK.len()).any(|window| window == MARK)
}

/// A script that says in one write, which nothing interrupts, what matters of its arguments. It begins with the end of a line, because
/// the Makefile may have begun one. A name with a control character could pretend to be several words, so it becomes `-`.
fn script(compiler: &str, channel: &Path, flags: &Flags) -> String {
    let channel = channel.display();
    let named = named(flags).map(|flag| format!("|'{}'", flag.replace('\'', r"'\''")));
    let named: String = named.collect();
    format!(
        r#"#!/bin/sh
said=
for word; do
  case $word in
    *[[:cntrl:]]*) said="$said-{SEPARATOR}" ;;
    -E|-O*|-g*|-|[!-]*{named}) said="$said$word{SEPARATOR}" ;;
  esac
done
printf '\n%s\n' "$said" 2> /dev/null > '{channel}'
exec '{compiler}' "$@" -frecord-gcc-switches
"#
    )
}

/// The options that the course requires or refuses.
fn named(flags: &Flags) -> impl Iterator<Item = &String> {
    flags.required.iter().chain(&flags.refused)
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

/// The compilation with these arguments. A call that only preprocesses is none.
fn compilation(line: &str, flags: &Flags) -> Option<Compilation> {
    const SOURCES: [&str; 9] = [".cpp", ".cc", ".cxx", ".c", ".C", ".c++", ".ii", ".i", ".cp"];
    let words: Vec<_> = line.split(SEPARATOR).collect();
    if words.contains(&"-E") {
        return None;
    }
    let file = words.iter().find(|word| {
        !word.starts_with('-')
            && (**word == "-" || SOURCES.iter().any(|ending| word.ends_with(ending)))
    })?;
    let shown = |word: &&&str| {
        word.starts_with("-O")
            || super::is_debugging(word)
            || named(flags).any(|flag| flag == **word)
    };
    let flags = words.iter().filter(shown).map(|word| printable(word)).collect();
    Some(Compilation { file: printable(file), flags })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compilation_has_a_source_and_options() {
        let check = |words: &str| {
            let flags = Flags { required: vec!["-Wall".to_owned()], refused: Vec::new() };
            compilation(&words.replace(' ', "\u{1f}"), &flags)
                .map(|it| (it.file, it.flags.join(" ")))
        };
        let words =
            "-quiet -D_GNU_SOURCE a.cpp -quiet -dumpbase a.cpp -mtune=generic -Wall -O3 -g -o x.s";
        assert_eq!(check(words), Some(("a.cpp".to_owned(), "-Wall -O3 -g".to_owned())));
        assert_eq!(check("-E -quiet a.cpp -MM"), None);
    }
}
