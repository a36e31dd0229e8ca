//! Finds the warnings and the first error in what a build printed. Pure.

use crate::diagnostic::printable;
use crate::result::graded::Diagnostic;
use crate::sandbox::{Ending, Ran};

/// The most warnings that are listed.
const MOST_WARNINGS: usize = 20;
/// The most programs that are named.
const MOST_PROGRAMS: usize = 3;
/// The most characters of a message.
const MOST_CHARACTERS: usize = 300;

/// The compiler's warnings, and how many more there are.
pub(super) fn warnings(text: &str) -> (Vec<Diagnostic>, usize) {
    // Rust ends with their number.
    let is_number = |line: &str| line.starts_with("warning: ") && line.ends_with(" emitted");
    let lines = said(text).filter(|line| !is_number(line));
    let mut all: Vec<_> = lines.filter_map(|line| diagnostic(line, &["warning: "])).collect();
    let more = all.len().saturating_sub(MOST_WARNINGS);
    all.truncate(MOST_WARNINGS);
    (all, more)
}

/// A program that the build did not make.
pub(super) struct Missing<'a> {
    pub(super) name: &'a str,
    /// The programs that it made instead.
    pub(super) made: Vec<String>,
}

impl Missing<'_> {
    /// What to say of it. `text` is what the build printed.
    fn diagnostic(&self, text: &str) -> Diagnostic {
        let Self { name, made } = self;
        let message = format!("the build made no program `{name}`");
        if made.is_empty() {
            let ignored = text.lines().find(|line| line.ends_with(" (ignored)"));
            let hint = match ignored {
                Some(ignored) => format!(
                    "{}; with `make -R`, `$(CC)` and `$(CXX)` have no value, and make ignores the errors of a command that begins with `-`",
                    shortened(ignored)
                ),
                None => format!(
                    "does the Makefile have a rule for `{name}`, with commands that make a file of this name?"
                ),
            };
            return Diagnostic { hint: Some(hint), ..Diagnostic::plain(message) };
        }
        let shown: Vec<_> = made.iter().take(MOST_PROGRAMS).map(|it| format!("`{it}`")).collect();
        let more = if made.len() > MOST_PROGRAMS { ", …" } else { "" };
        let message = shortened(&format!("{message}, but {}{more}", shown.join(", ")));
        let hint = format!("the target that is built must make a file named `{name}`");
        Diagnostic { hint: Some(hint), ..Diagnostic::plain(message) }
    }
}

/// Why a build failed: the first error in `text`, or how it ended.
pub(super) fn error(
    text: &str,
    ran: &Ran,
    missing: Option<&Missing<'_>>,
    seconds: f64,
) -> Diagnostic {
    if let Some(stopped) = stopped(ran, seconds) {
        return stopped;
    }
    let is_done = ran.ending == Ending::Exited(0);
    let missing = missing.filter(|_| is_done);
    // A build that made another program instead had no error.
    if let Some(missing) = missing.filter(|missing| !missing.made.is_empty()) {
        return missing.diagnostic(text);
    }
    let last = || {
        let last = text.lines().rfind(|line| !line.trim().is_empty()).map(shortened);
        Diagnostic::plain(last.unwrap_or_else(|| "the build failed".to_owned()))
    };
    let found = first_error(text).or_else(|| make(text));
    found.or_else(|| missing.map(|missing| missing.diagnostic(text))).unwrap_or_else(last)
}

/// Which limit the build exceeded, if any.
pub(super) fn stopped(ran: &Ran, seconds: f64) -> Option<Diagnostic> {
    let late = || Diagnostic::plain(format!("the build was stopped after {seconds} seconds"));
    let message = match &ran.ending {
        Ending::TimeLimit | Ending::WallLimit => return Some(late()),
        Ending::NotStarted(why) => {
            return Some(Diagnostic::plain(format!("the build cannot be started: {why}")));
        }
        Ending::MemoryLimit => "the build used too much memory",
        Ending::OutputLimit => "the build wrote too much",
        Ending::ProcessLimit => "the build started too many processes",
        Ending::Exited(_) | Ending::Signal(_) if ran.disk_is_full => "the build filled its disk",
        // The system has ended a process of the build, which then failed by itself.
        Ending::Exited(1..) | Ending::Signal(_) if ran.cpu.as_secs_f64() >= seconds => {
            return Some(late());
        }
        Ending::Exited(_) | Ending::Signal(_) => return None,
    };
    Some(Diagnostic::plain(message.to_owned()))
}

/// The first error of the compiler, the assembler or the linker.
fn first_error(text: &str) -> Option<Diagnostic> {
    /// The assembler begins with a capital letter.
    const KINDS: [&str; 4] = ["fatal error: ", "error: ", "Fatal error: ", "Error: "];
    let mut errors =
        said(text).filter_map(|line| linker(line).or_else(|| diagnostic(line, &KINDS)));
    let first = errors.next()?;
    if !repeats(&first) {
        return Some(first);
    }
    Some(errors.find(|error| !repeats(error)).unwrap_or(first))
}

/// The lines without those of the source that a message quotes, which are indented.
fn said(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with([' ', '\t']))
}

/// Whether an error says only that another program failed, which said why.
fn repeats(error: &Diagnostic) -> bool {
    error.message.ends_with(" exit status")
}

/// The first error of `make`.
fn make(text: &str) -> Option<Diagnostic> {
    let line = text.lines().find(|line| line.contains("*** "))?;
    let (place, message) = line.split_once("*** ")?;
    let mut parts = place.trim_end_matches(": ").split(':');
    let (file, line) = (parts.next()?, parts.next().and_then(|line| line.parse().ok()));
    let file = line.map(|_: usize| shortened(file));
    Some(Diagnostic { file, line, ..Diagnostic::plain(shortened(message)) })
}

/// What a line `FILE:LINE:COLUMN: KIND: MESSAGE` says, if its kind is one of these. It may begin with the kind.
fn diagnostic(line: &str, kinds: &[&str]) -> Option<Diagnostic> {
    let (place, message) = kinds.iter().find_map(|kind| {
        let whole = line.strip_prefix(kind).map(|message| ("", message));
        whole.or_else(|| line.split_once(&format!(": {kind}")))
    })?;
    let message = shortened(message);
    if is_temporary(place) {
        return Some(Diagnostic::plain(message));
    }
    let mut parts = place.split(':');
    let file = parts.next().filter(|file| !file.is_empty()).map(shortened);
    let mut number = || parts.next().and_then(|part| part.parse().ok());
    let (line, column) = (number(), number());
    Some(Diagnostic { file, line, column, ..Diagnostic::plain(message) })
}

/// The error in a line of the linker. It names the program, a file, or both.
fn linker(line: &str) -> Option<Diagnostic> {
    const SAID: [&str; 3] =
        ["undefined reference to", "multiple definition of", "relocation truncated to fit"];
    const NO_ERROR: [&str; 3] = ["in function `", "warning: ", "skipping incompatible "];
    let program =
        line.split_once(':').filter(|(program, _)| program.rsplit('/').next() == Some("ld"));
    let said = program.map_or(line, |(_, said)| said.trim_start());
    let (places, message) = match SAID.iter().find_map(|what| said.find(what)) {
        Some(at) => said.split_at(at),
        None if program.is_some() && !NO_ERROR.iter().any(|what| said.contains(what)) => ("", said),
        None => return None,
    };
    let file = places.split(": ").filter(|place| !is_temporary(place)).find_map(|place| {
        let name = place.split(':').next()?.rsplit('/').next()?;
        name.contains('.').then(|| shortened(name))
    });
    // What follows is another place.
    let message = message.split("; ").next().unwrap_or(message);
    Some(Diagnostic { file, ..Diagnostic::plain(shortened(message)) })
}

/// Whether a place is in a file of the compiler itself, which has another name in each build.
fn is_temporary(place: &str) -> bool {
    let name = place.split(':').next().and_then(|path| path.rsplit_once("/cc"));
    name.is_some_and(|(_, name)| name.find('.') == Some(6))
}

/// A printable text, cut if it is long.
pub(super) fn shortened(text: &str) -> String {
    let text = printable(text);
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> String {
        let found = found(text, 2);
        format!("{:?} {:?} {}", found.file.unwrap_or_default(), found.line, found.message)
    }

    fn found(text: &str, status: i32) -> Diagnostic {
        let missing = Missing { name: "puzzle", made: Vec::new() };
        error(text, &ran(status, 0), Some(&missing), 60.0)
    }

    /// A build that ended by itself after so many seconds.
    fn ran(status: i32, seconds: u64) -> Ran {
        Ran {
            ending: Ending::Exited(status),
            stdout: Vec::new(),
            stderr: Vec::new(),
            cpu: std::time::Duration::from_secs(seconds),
            wall: std::time::Duration::ZERO,
            peak_memory: 0,
            disk_is_full: false,
            not_kept: Vec::new(),
        }
    }

    #[test]
    fn a_build_whose_process_the_system_ends_for_its_time_took_too_long() {
        let killed = "make: *** [Makefile:2: tally] Killed\n";
        let message = |seconds| error(killed, &ran(2, seconds), None, 120.0).message;
        assert_eq!(message(122), "the build was stopped after 120 seconds");
        assert_eq!(message(3), "[Makefile:2: tally] Killed");
    }

    #[test]
    fn a_missing_program_is_explained_by_the_error_that_make_ignored() {
        let hint = |text: &str| found(text, 0).hint.unwrap();
        assert!(hint("gcc -o other a.c\n").starts_with("does the Makefile have a rule"));
        let ignored =
            "make: O3: No such file or directory\nmake: [Makefile:4: a.o] Error 127 (ignored)\n";
        assert!(
            hint(ignored)
                .starts_with("make: [Makefile:4: a.o] Error 127 (ignored); with `make -R`")
        );
    }

    #[test]
    fn the_first_error_is_that_of_the_compiler_or_of_make() {
        let compiler = "main.cpp:1:5: warning: unused\nmain.cpp:3:7: error: expected ';'\nmain.cpp:4:1: error: more\nmake: *** [Makefile:3: all] Error 1\n";
        assert_eq!(first(compiler), "\"main.cpp\" Some(3) expected ';'");
        assert_eq!(
            first("Makefile:3: *** missing separator.  Stop.\n"),
            "\"Makefile\" Some(3) missing separator.  Stop."
        );
        assert_eq!(
            first("make: *** No rule to make target 'x'.  Stop.\n"),
            "\"\" None No rule to make target 'x'.  Stop."
        );
    }

    #[test]
    fn the_first_error_is_that_of_the_linker_and_not_the_one_that_repeats_it() {
        let fails = |said: &str| {
            first(&format!(
                "{said}\ncollect2: error: ld returned 1 exit status\nmake: *** [Makefile:2: sum] Error 1\n"
            ))
        };
        let undefined = "/usr/bin/ld: /tmp/ccwUwkdy.o: in function `main':\nmain.cpp:(.text+0x5): undefined reference to `f()'";
        assert_eq!(fails(undefined), "\"main.cpp\" None undefined reference to `f()'");
        assert_eq!(
            fails("/usr/bin/ld: /box/main.cpp:1: undefined reference to `f()'"),
            "\"main.cpp\" None undefined reference to `f()'"
        );
        let twice = "/usr/bin/ld: /tmp/ccdhKtW6.o: in function `main':\nb.cpp:(.text+0x0): multiple definition of `main'; /tmp/ccWrDRaC.o:a.cpp:(.text+0x0): first defined here";
        assert_eq!(fails(twice), "\"b.cpp\" None multiple definition of `main'");
        let library = "/usr/bin/ld: cannot find -lnope: No such file or directory";
        assert_eq!(fails(library), "\"\" None cannot find -lnope: No such file or directory");
        let skipped = "/usr/bin/ld: warning: creating DT_TEXTREL in a PIE\n/usr/bin/ld: unrecognized option '--bogus'";
        assert_eq!(fails(skipped), "\"\" None unrecognized option '--bogus'");
        let killed = "collect2: error: ld returned 1 exit status\n";
        assert_eq!(first(killed), "\"collect2\" None ld returned 1 exit status");
    }

    #[test]
    fn the_first_error_is_that_of_the_assembler() {
        let inline = "sum.cpp: Assembler messages:\nsum.cpp:3: Error: no such instruction: `bogus %eax'\nmake: *** [Makefile:2: sum] Error 1\n";
        assert_eq!(first(inline), "\"sum.cpp\" Some(3) no such instruction: `bogus %eax'");
        // The place in what the compiler gave to the assembler tells nobody anything.
        let made = "/tmp/ccX1y2Z3.s: Assembler messages:\n/tmp/ccX1y2Z3.s:25: Error: symbol `f' is already defined\n";
        assert_eq!(first(made), "\"\" None symbol `f' is already defined");
        let option = "Assembler messages:\nFatal error: invalid -march= option: `bogus'\n";
        assert_eq!(first(option), "\"\" None invalid -march= option: `bogus'");
    }

    #[test]
    fn a_line_that_a_warning_quotes_is_no_error() {
        let text = "a.cpp:3:7: warning: unused variable 'x'\n    3 |   auto x = \"a: error: b: warning: c\";\na.cpp:4:1: error: expected ';'\n";
        assert_eq!(first(text), "\"a.cpp\" Some(4) expected ';'");
        assert_eq!(warnings(text).0.len(), 1);
        let rust = "a.rs:1:25: warning: unreachable statement\nwarning: 1 warning emitted\n";
        assert_eq!(warnings(rust).0.len(), 1);
    }

    #[test]
    fn warnings_have_their_place() {
        let (found, more) =
            warnings("a.cpp:3:7: warning: unused variable 'x' [-Wunused-variable]\n");
        assert_eq!((found[0].file.as_deref(), found[0].line, more), (Some("a.cpp"), Some(3), 0));
        let (long, _) = warnings(&format!("{}:3:7: warning: x\n", "a".repeat(1 << 20)));
        assert_eq!(long[0].file.as_ref().unwrap().chars().count(), MOST_CHARACTERS + 1);
    }
}
