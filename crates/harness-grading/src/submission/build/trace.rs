//! Sees which compilations a build runs, and with which options.
//!
//! A Makefile can print anything, and can call the compiler by any path. But the driver, `gcc` or `g++`, starts the compiler proper,
//! `cc1` or `cc1plus`, and looks for it in `COMPILER_PATH` first. There it finds a script that tells its options through a [`Channel`],
//! and then runs the compiler. A Makefile can add to what the channel says, but not take anything back.
//!
//! A Makefile runs as the same user as the script, so it can go round it. Therefore the script has the compiler mark what it makes
//! (`-frecord-gcc-switches`), and [`options`] compares the mark with what was seen.

use super::options;
use crate::course::submission::Flags;
use crate::diagnostic::{Failure, FailureKind, Problem, printable};
use crate::files;
use crate::result::graded::Compilation;
use crate::submission::channel::{Channel, Received};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process;
use tempfile::TempDir;

/// Between two arguments of a compilation.
const SEPARATOR: char = '\u{1f}';
const ASSEMBLER: &str = "as";
/// The most bytes about compilations that are read.
const MOST_BYTES: usize = 4 << 20;
/// The variables that add folders of headers.
pub(super) const VARIABLES: [&str; 3] = ["CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"];

/// The folder of scripts that stand before the compiler, and what they say.
pub(super) struct Trace {
    folder: TempDir,
    channel: Channel,
    /// The paths of the compilers.
    compilers: Vec<String>,
}

/// The processors for which a build compiles.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// What the Makefile asks for.
    AsAsked,
    /// All of this architecture, whatever the Makefile asks for.
    AnyProcessor,
}

/// The compilations that were seen.
#[derive(Default)]
pub(super) struct Traced {
    pub(super) commands: Vec<Command>,
    /// What was assembled: the words of each command.
    pub(super) assemblies: Vec<Vec<String>>,
    /// The files that compilers wrote for the assembler, those of the sources first.
    pub(super) outputs: [BTreeSet<String>; 2],
    /// Whether these are all that passed the scripts.
    pub(super) is_whole: bool,
}

/// A command that compiles a source.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Command {
    /// The folder in which it runs, below the folder of the build.
    pub(super) folder: String,
    /// The values of [`VARIABLES`].
    pub(super) variables: [String; 3],
    /// The path of the compiler.
    pub(super) compiler: String,
    pub(super) words: Vec<String>,
    /// The source, as a word of the command. Empty if there is none.
    pub(super) file: String,
}

impl Trace {
    /// The scripts, for each compiler that is there.
    ///
    /// # Errors
    /// If there is no compiler.
    pub(super) fn new(target: Target) -> Result<Self, Failure> {
        let folder = files::temporary_folder()
            .map_err(|error| Failure::machine("make a temporary folder", error))?;
        let channel = Channel::open(MOST_BYTES)?;
        let mut compilers = Vec::new();
        let assembler = files::on_path(&["as"]).map(|path| path.display().to_string());
        let paths = [("gcc", "cc1"), ("g++", "cc1plus"), ("g++", "lto1")]
            .map(|(driver, compiler)| (compiler, path_of(driver, compiler)));
        for (compiler, path) in paths.into_iter().chain([(ASSEMBLER, assembler)]) {
            let Some(path) = path else { continue };
            let file = folder.path().join(compiler);
            fs::write(&file, script(&path, &channel.path(), compiler != ASSEMBLER, target))
                .and_then(|()| fs::set_permissions(&file, fs::Permissions::from_mode(0o755)))
                .map_err(|error| Failure::machine("write a temporary file", error))?;
            compilers.push(path);
        }
        if compilers.iter().all(|path| path.ends_with(ASSEMBLER)) {
            let problem = Problem::new("there is no compiler: neither `gcc` nor `g++` works");
            let hint = "install g++ and make; `harness doctor` checks it";
            return Err(Failure::new(FailureKind::Machine, problem.hint(hint)));
        }
        // The program in the sandbox is another user's.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))
            .map_err(|error| Failure::machine("open a temporary folder", error))?;
        Ok(Self { folder, channel, compilers })
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
        let mut traced = Traced { is_whole, ..Traced::default() };
        // The Makefile may have told of something else.
        let calls = text.lines().filter_map(Command::read);
        for call in calls.filter(|call| self.compilers.contains(&call.compiler)) {
            if call.compiler.ends_with(ASSEMBLER) {
                traced.assemblies.push(call.words);
                continue;
            }
            let is_linking = call.compiler.ends_with("/lto1");
            traced.outputs[usize::from(is_linking)].extend(call.output().cloned());
            // The driver has the option that only preprocesses come first.
            if !is_linking
                && call.words.first().is_none_or(|word| word != "-E")
                && !call.file.is_empty()
            {
                traced.commands.push(call);
            }
        }
        traced
    }
}

impl Command {
    /// The command that a script told of.
    fn read(line: &str) -> Option<Self> {
        let mut all = line.split(SEPARATOR).map(str::to_owned);
        let mut next = || all.next();
        let (folder, variables, compiler) = (next()?, [next()?, next()?, next()?], next()?);
        let words: Vec<_> = all.collect();
        let file = source(&words).cloned().unwrap_or_default();
        Some(Self { folder, variables, compiler, words, file })
    }

    /// The file that it writes.
    pub(super) fn output(&self) -> Option<&String> {
        self.words.windows(2).find(|pair| pair[0] == "-o").map(|pair| &pair[1])
    }

    /// What a report says of it.
    pub(super) fn compilation(&self, flags: &Flags) -> Compilation {
        let shown = |word: &&String| {
            word.starts_with("-O")
                || options::is_debugging(word)
                || named(flags).any(|it| it == *word)
        };
        let flags = self.words.iter().filter(shown).map(|word| printable(word)).collect();
        Compilation { file: printable(&self.file), flags }
    }
}

/// The source among the words of a compilation. The driver has two options follow it, and before them those for `-march=native`.
fn source(words: &[String]) -> Option<&String> {
    const ENDINGS: [&str; 9] = [".cpp", ".cc", ".cxx", ".c", ".C", ".c++", ".ii", ".i", ".cp"];
    let two = words.windows(2).position(|pair| pair[0] == "-quiet" && pair[1] == "-dumpbase");
    let by_driver = two.and_then(|at| before_target(&words[..at]));
    let is_source = |word: &&String| {
        !word.starts_with('-') && ENDINGS.iter().any(|ending| word.ends_with(ending))
            || *word == "-"
    };
    by_driver.or_else(|| words.iter().find(is_source))
}

/// The last word before those that the driver adds for `-march=native`.
fn before_target(mut words: &[String]) -> Option<&String> {
    loop {
        words = match words {
            [rest @ .., parameter, _] if parameter == "--param" => rest,
            [rest @ .., last] if last.starts_with("-m") => rest,
            words => return words.last(),
        };
    }
}

/// A script that says in one write, which nothing interrupts, what it is called with. It begins with the end of a line, because the
/// Makefile may have begun one. A word with a control character could pretend to be several words, so it becomes `-`.
fn script(compiler: &str, channel: &Path, is_marking: bool, target: Target) -> String {
    // An option `-m…` is about the processor. Only these are about something else.
    let portable = match target {
        Target::AsAsked => "",
        Target::AnyProcessor if !is_marking => "",
        Target::AnyProcessor => {
            "for word do\n  shift\n  case $word in -m32 | -mx32 | -mabi=* | -mcmodel=*) ;; -m*) continue ;; esac\n  \
             set -- \"$@\" \"$word\"\ndone\n"
        }
    };
    let mark = if is_marking { " -frecord-gcc-switches" } else { "" };
    let channel = channel.display();
    let variables = VARIABLES.map(|name| format!("\"${name}\"")).join(" ");
    format!(
        r#"#!/bin/sh
said=
for word in "${{PWD#"$HOME"}}" {variables} '{compiler}' "$@"; do
  case $word in *[[:cntrl:]]*) word=- ;; esac
  said="$said$word{SEPARATOR}"
done
printf '\n%s\n' "${{said%{SEPARATOR}}}" 2> /dev/null > '{channel}'
{portable}exec '{compiler}' "$@"{mark}
"#
    )
}

/// The options that the course requires or refuses.
fn named(flags: &Flags) -> impl Iterator<Item = &String> {
    flags.required.iter().chain(&flags.refused)
}

/// The path of the compiler that a driver starts.
fn path_of(driver: &str, compiler: &str) -> Option<String> {
    let output = process::Command::new(driver)
        .arg(format!("-print-prog-name={compiler}"))
        .env_remove("COMPILER_PATH")
        .output()
        .ok()?;
    let path = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    path.starts_with('/').then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compilation_has_a_source_and_options() {
        let check = |words: &str| {
            let flags = Flags { required: vec!["-Wall".to_owned()], refused: Vec::new() };
            let line = format!("/sub    /usr/cc1plus {words}").replace(' ', "\u{1f}");
            let it = Command::read(&line)?.compilation(&flags);
            Some((it.file, it.flags.join(" ")))
        };
        let words =
            "-quiet -D_GNU_SOURCE a.cpp -quiet -dumpbase a.cpp -mtune=generic -Wall -O3 -g -o x.s";
        assert_eq!(check(words), Some(("a.cpp".to_owned(), "-Wall -O3 -g".to_owned())));
        let native = "-quiet a.cpp -march=znver3 -mno-xop --param l1-cache-size=32 -mtune=znver3 -quiet -dumpbase a.cpp -O3";
        assert_eq!(check(native), Some(("a.cpp".to_owned(), "-O3".to_owned())));
        let hidden = "-quiet -I -E a.txt -quiet -dumpbase a.txt -O0";
        assert_eq!(check(hidden), Some(("a.txt".to_owned(), "-O0".to_owned())));
    }
}
