//! Finds the warnings and the first error in what a build printed. Pure.

use crate::problem::printable;
use crate::result::graded::Diagnostic;
use crate::sandbox::{Ending, Ran};

/// The most warnings that are listed.
const MOST_WARNINGS: usize = 20;
/// The most characters of a message.
const MOST_CHARACTERS: usize = 300;

/// The compiler's warnings, and how many more there are.
pub(super) fn warnings(text: &str) -> (Vec<Diagnostic>, usize) {
    let mut all: Vec<_> =
        text.lines().filter_map(|line| diagnostic(line, &["warning: "])).collect();
    let more = all.len().saturating_sub(MOST_WARNINGS);
    all.truncate(MOST_WARNINGS);
    (all, more)
}

/// Why a build failed: the first error in `text`, or how it ended.
pub(super) fn error(text: &str, ran: &Ran, missing: Option<&str>, seconds: f64) -> Diagnostic {
    let plain = |message: String| Diagnostic { file: None, line: None, column: None, message };
    match &ran.ending {
        Ending::TimeLimit | Ending::WallLimit => {
            return plain(format!("the build was stopped after {seconds} seconds"));
        }
        Ending::MemoryLimit => return plain("the build used too much memory".to_owned()),
        Ending::OutputLimit => return plain("the build wrote too much".to_owned()),
        Ending::ProcessLimit => return plain("the build started too many processes".to_owned()),
        Ending::NotStarted(why) => return plain(format!("the build cannot be started: {why}")),
        Ending::Exited(_) | Ending::Signal(_) => {}
    }
    if ran.disk_is_full {
        return plain("the build filled its disk".to_owned());
    }
    let first = text.lines().find_map(|line| diagnostic(line, &["fatal error: ", "error: "]));
    let linker = || text.lines().find_map(linker);
    let make = || {
        let line = text.lines().find(|line| line.contains("*** "))?;
        let (place, message) = line.split_once("*** ")?;
        let mut parts = place.trim_end_matches(": ").split(':');
        let (file, line) = (parts.next()?, parts.next().and_then(|line| line.parse().ok()));
        let file = line.map(|_: usize| shortened(file));
        Some(Diagnostic { file, line, column: None, message: shortened(message) })
    };
    let last =
        || text.lines().rfind(|line| !line.trim().is_empty()).map(|line| plain(shortened(line)));
    match (first.or_else(linker).or_else(make), ran.ending == Ending::Exited(0), missing) {
        (None, true, Some(missing)) => plain(format!("the build made no program `{missing}`")),
        (Some(found), ..) => found,
        (None, ..) => last().unwrap_or_else(|| plain("the build failed".to_owned())),
    }
}

/// What a line `FILE:LINE:COLUMN: KIND: MESSAGE` says, if its kind is one of these.
fn diagnostic(line: &str, kinds: &[&str]) -> Option<Diagnostic> {
    let (place, message) = kinds.iter().find_map(|kind| line.split_once(&format!(": {kind}")))?;
    let mut parts = place.split(':');
    let file = parts.next().filter(|file| !file.is_empty()).map(shortened);
    let mut number = || parts.next().and_then(|part| part.parse().ok());
    let (line, column) = (number(), number());
    Some(Diagnostic { file, line, column, message: shortened(message) })
}

/// What a line of the linker says.
fn linker(line: &str) -> Option<Diagnostic> {
    let at = ["undefined reference to", "multiple definition of", "cannot find "]
        .iter()
        .find_map(|what| line.find(what))?;
    let file = line[..at].split(": ").find_map(|part| {
        let name = part.split(':').next()?.rsplit('/').next()?;
        name.contains('.').then(|| shortened(name))
    });
    Some(Diagnostic { file, line: None, column: None, message: shortened(&line[at..]) })
}

fn shortened(text: &str) -> String {
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
        let ran = Ran {
            ending: Ending::Exited(2),
            stdout: Vec::new(),
            stderr: Vec::new(),
            cpu: std::time::Duration::ZERO,
            wall: std::time::Duration::ZERO,
            peak_memory: 0,
            disk_is_full: false,
            not_kept: Vec::new(),
        };
        let found = error(text, &ran, Some("puzzle"), 60.0);
        format!("{:?} {:?} {}", found.file.unwrap_or_default(), found.line, found.message)
    }

    #[test]
    fn the_first_error_is_that_of_the_compiler_the_linker_or_make() {
        let compiler = "main.cpp:1:5: warning: unused\nmain.cpp:3:7: error: expected ';'\nmain.cpp:4:1: error: more\nmake: *** [Makefile:3: all] Error 1\n";
        assert_eq!(first(compiler), "\"main.cpp\" Some(3) expected ';'");
        let linker = "/usr/bin/ld: /tmp/cc1.o: in function `main':\n/usr/bin/ld: main.cpp:(.text+0x5): undefined reference to `f()'\n";
        assert_eq!(first(linker), "\"main.cpp\" None undefined reference to `f()'");
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
    fn warnings_have_their_place() {
        let (found, more) =
            warnings("a.cpp:3:7: warning: unused variable 'x' [-Wunused-variable]\n");
        assert_eq!((found[0].file.as_deref(), found[0].line, more), (Some("a.cpp"), Some(3), 0));
        let (long, _) = warnings(&format!("{}:3:7: warning: x\n", "a".repeat(1 << 20)));
        assert_eq!(long[0].file.as_ref().unwrap().chars().count(), MOST_CHARACTERS + 1);
    }
}
