//! Finds the first error in what a compiler or interpreter of any language printed, by the names of the sources. Pure.

use super::diagnostic::shortened;
use crate::result::graded::Diagnostic;
use crate::sandbox::BOX;
use crate::submission::SourceFile;
use std::path::Path;

/// Words before the message itself.
const KINDS: [&str; 3] = ["fatal error: ", "error: ", "Error: "];
/// What begins a message that is no error.
const NO_ERRORS: [&str; 3] = ["warning", "note", "help"];

/// A place in a source, and what stands after it.
struct Said<'a> {
    file: &'a str,
    line: usize,
    column: Option<usize>,
    message: &'a str,
}

/// The first error with a place, or else the first one without, or else the last line.
pub(super) fn error(text: &str, sources: &[SourceFile]) -> Diagnostic {
    let mut after = text.lines();
    while let Some(line) = after.next() {
        let Some(said) = said(line, sources) else { continue };
        if NO_ERRORS.iter().any(|kind| said.message.starts_with(kind)) {
            continue;
        }
        // Interpreters name the error below the line that they quote.
        let named = || after.clone().find(|line| names_error(line)).unwrap_or_default();
        let message = if said.message.is_empty() { named() } else { said.message };
        let message = without_kind(message);
        let is_rust = Path::new(said.file).extension().is_some_and(|ending| ending == "rs");
        let message = shortened(if is_rust { once(message) } else { message });
        let (file, line) = (Some(shortened(said.file)), Some(said.line));
        return Diagnostic { file, line, column: said.column, message, hint: None };
    }
    let error = text.lines().find_map(|line| line.strip_prefix("error: "));
    let error = error.or_else(|| text.lines().find(|line| names_error(line)));
    let last = || text.lines().rfind(|line| !line.trim().is_empty());
    let said = error.or_else(last).map(|line| shortened(line.trim()));
    Diagnostic::plain(said.unwrap_or_else(|| "the build failed".to_owned()))
}

/// What an interpreter says of an error that nothing caught: the error itself, and where it was.
pub(in crate::submission) fn uncaught(text: &str) -> Option<String> {
    traced(text).or_else(|| thrown(text))
}

/// What Node.js says. It begins with the place and the line of the code, and the places of all calls follow the error. The program may
/// have said something before.
fn thrown(text: &str) -> Option<String> {
    let mut lines = text.lines();
    let own = |place: &str| {
        let mut parts = place.strip_prefix(BOX)?.strip_prefix('/')?.split(':');
        let (file, line) = (parts.next()?, parts.next()?.parse::<usize>().ok()?);
        Some(format!("{file}, line {line}: "))
    };
    let first = lines.find(|line| own(line).is_some() || line.starts_with("node:"))?;
    let mut place = own(first);
    let error = lines.find(|line| names_error(line))?;
    let calls = lines.filter_map(|line| line.trim_start().strip_prefix("at "));
    let mut calls = calls.map(|call| call.rsplit_once('(').map_or(call, |(_, place)| place));
    place = place.or_else(|| calls.find_map(own));
    Some(shortened(&format!("{}{error}", place.unwrap_or_default())))
}

/// What Python says.
fn traced(text: &str) -> Option<String> {
    let (_, traced) = text.rsplit_once("Traceback (most recent call last):\n")?;
    let error = traced.lines().find(|line| names_error(line))?;
    let places = traced.lines().filter_map(|line| line.trim_start().strip_prefix("File \""));
    let own = places.filter_map(|place| place.strip_prefix(BOX)?.strip_prefix('/')).next_back();
    let place = own.and_then(|place| place.split_once("\", line "));
    let place = place.map(|(file, rest)| {
        let line: String = rest.chars().take_while(char::is_ascii_digit).collect();
        format!("{file}, line {line}: ")
    });
    Some(shortened(&format!("{}{error}", place.unwrap_or_default())))
}

/// A line `FILE:LINE:COLUMN: MESSAGE`, without a column, or without a message; ` File "FILE", line LINE`; or
/// `Sorry: MESSAGE (FILE, line LINE)`, as Python says of tabs.
fn said<'a>(text: &'a str, sources: &[SourceFile]) -> Option<Said<'a>> {
    let is_source = |file: &str| sources.iter().any(|source| source.name == file);
    let own = |file: &'a str| {
        let inner = file.strip_prefix(BOX).and_then(|rest| rest.strip_prefix('/'));
        inner.or_else(|| file.strip_prefix("./")).unwrap_or(file)
    };
    if let Some(place) = text.trim_start().strip_prefix("File \"") {
        let (file, rest) = place.split_once("\", line ")?;
        let line = rest.split(',').next()?.trim().parse().ok()?;
        return Some(Said { file: own(file), line, column: None, message: "" })
            .filter(|said| is_source(said.file));
    }
    if let Some(sorry) = text.strip_prefix("Sorry: ") {
        let (message, place) = sorry.strip_suffix(')')?.rsplit_once(" (")?;
        let (file, line) = place.rsplit_once(", line ")?;
        return Some(Said { file: own(file), line: line.parse().ok()?, column: None, message })
            .filter(|said| is_source(said.file));
    }
    let (file, rest) = text.split_once(':')?;
    let (line, rest) = rest.split_once(':').unwrap_or((rest, ""));
    let line = line.trim().parse().ok()?;
    let column = rest.split_once(':').and_then(|(column, rest)| Some((column.parse().ok()?, rest)));
    let (column, message) = column.map_or((None, rest), |(column, rest)| (Some(column), rest));
    Some(Said { file: own(file), line, column, message: message.trim() })
        .filter(|said| is_source(said.file))
}

/// Whether a line begins with the name of an error, as in `SyntaxError: invalid syntax`.
fn names_error(line: &str) -> bool {
    let name = line.split(':').next().unwrap_or_default();
    // Node.js adds a code: `TypeError [ERR_INVALID_ARG_TYPE]: …`.
    let name = name.split(" [").next().unwrap_or_default();
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '.' || c == '_');
    is_name
        && (name.ends_with("Error") || name.ends_with("Exception") || name.ends_with("Interrupt"))
}

/// A message without the words before it: `error: `, or `error[E0308]: `.
fn without_kind(message: &str) -> &str {
    let numbered = message.strip_prefix("error[").and_then(|rest| rest.split_once("]: "));
    if let Some((_, message)) = numbered {
        return message;
    }
    KINDS.iter().find_map(|kind| message.strip_prefix(kind)).unwrap_or(message)
}

/// A message of `rustc` without its label, if that only repeats the beginning.
fn once(message: &str) -> &str {
    let parts = message.rsplit_once(": ");
    parts.filter(|(message, label)| message.starts_with(label)).map_or(message, |(it, _)| it)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let source = |name: &str| SourceFile { name: name.to_owned(), bytes: Vec::new() };
        let found = error(
            text,
            &["tally.py", "Tally.java", "tally.rs", "tally.go", "tally.js"].map(source),
        );
        let line = found.line.map(|line| format!(" {line}"));
        let place = format!("{}{}", found.file.unwrap_or_default(), line.unwrap_or_default());
        assert_eq!(format!("{place}: {}", found.message), expected, "{text}");
    }

    #[test]
    fn the_first_error_of_each_language_has_its_place() {
        check(
            "  File \"tally.py\", line 3\n    def f(:\n          ^\nSyntaxError: invalid syntax\n",
            "tally.py 3: SyntaxError: invalid syntax",
        );
        check(
            "warning: old\nTally.java:7: warning: [x] y\nTally.java:12: error: ';' expected\n    int x\n",
            "Tally.java 12: ';' expected",
        );
        check(
            "tally.rs:2:9: warning: unused variable: `x`\ntally.rs:3:5: error[E0308]: mismatched types\nerror: aborting\n",
            "tally.rs 3: mismatched types",
        );
        check(
            "Sorry: TabError: inconsistent use of tabs (tally.py, line 11)\n",
            "tally.py 11: TabError: inconsistent use of tabs",
        );
        check(
            "tally.rs:13:17: error: expected identifier, found keyword `async`: expected identifier, found keyword\n",
            "tally.rs 13: expected identifier, found keyword `async`",
        );
        check(
            "# command-line-arguments\n./tally.go:5:2: undefined: x\n",
            "tally.go 5: undefined: x",
        );
        // Only `rustc` says the beginning twice.
        check("./tally.go:5:2: undefined: u\n", "tally.go 5: undefined: u");
        check("./tally.go:5:2: declared and not used: d\n", "tally.go 5: declared and not used: d");
        check(
            "/box/tally.js:3\n  let = ;\n      ^\n\nSyntaxError: Unexpected token ';'\n    at node\n",
            "tally.js 3: SyntaxError: Unexpected token ';'",
        );
    }

    #[test]
    fn without_a_place_the_last_line_is_shown() {
        check("loading\nno main module\n\n", ": no main module");
        check("/etc/other.py:3: secret\n", ": /etc/other.py:3: secret");
        check(
            "error: couldn't read `tally.rs`: No such file\nerror: aborting due to 1 previous error\n",
            ": couldn't read `tally.rs`: No such file",
        );
        check("", ": the build failed");
    }

    #[test]
    fn an_uncaught_error_is_named_with_the_last_own_place() {
        let text = "Traceback (most recent call last):\n  File \"/box/tally.py\", line 9, in <module>\n    main()\n  File \"/usr/lib/python3/json.py\", line 2, in f\nValueError: no\n";
        assert_eq!(uncaught(text).as_deref(), Some("tally.py, line 9: ValueError: no"));
        assert_eq!(uncaught("line 1: no number\n"), None);
    }

    #[test]
    fn an_error_that_javascript_throws_is_named_with_the_first_own_place() {
        let text = "no number\n/box/tally.js:3\nnothing();\n^\n\nReferenceError: nothing is not defined\n    at Object.<anonymous> (/box/tally.js:3:1)\n\nNode.js v20.20.2\n";
        let says = "tally.js, line 3: ReferenceError: nothing is not defined";
        assert_eq!(uncaught(text).as_deref(), Some(says));
        let inner = "node:internal/errors:5\n    throw error;\n    ^\n\nTypeError [ERR_X]: no\n    at open (node:fs:5:1)\n    at main (/box/tally.js:7:9)\n";
        assert_eq!(uncaught(inner).as_deref(), Some("tally.js, line 7: TypeError [ERR_X]: no"));
        assert_eq!(uncaught("/box/tally.js:3 is wrong\nError: x\n"), None);
        check(
            "node:internal/modules:1\n  throw err;\n\nError: Cannot find module '/box/x.js'\n    at node:1:1\n\nNode.js v20.20.2\n",
            ": Error: Cannot find module '/box/x.js'",
        );
    }
}
