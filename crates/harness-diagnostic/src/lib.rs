//! Error messages for people: what is wrong, where, and what to do about it.
//!
//! The caller decides whether a problem is fatal.

mod command_line;
mod excerpt;

pub mod progress;
pub mod similar_path;

pub use command_line::command_line;

pub use excerpt::{Excerpt, Mark};

use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A place in a file. Lines and columns count from 1, and columns count characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The file, as the user would name it.
    pub file: PathBuf,
    pub line: usize,
    pub column: Option<usize>,
    /// The text of the line, not escaped. [`excerpt`](Self::excerpt) escapes it for display.
    pub text: Option<String>,
}

impl Place {
    /// The place at `line` and `column` of `source`, the text of `file`.
    pub fn new(file: &Path, source: &str, line: usize, column: Option<usize>) -> Self {
        let text =
            line.checked_sub(1).and_then(|index| source.lines().nth(index)).map(str::to_owned);
        Self { file: file.to_owned(), line, column, text }
    }

    /// The place at the byte `at` of `source`, the text of `file`.
    pub fn at_offset(file: &Path, source: &str, at: usize) -> Self {
        let before = &source[..at];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.matches('\n').count() + 1;
        Self::new(file, source, line, Some(before[start..].chars().count() + 1))
    }

    /// The line as it is displayed.
    pub fn excerpt(&self) -> Option<Excerpt> {
        self.text.as_ref().map(|text| Excerpt::new(text, self.column))
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// What is wrong, without a final period.
    pub message: String,
    pub place: Option<Place>,
    /// The file's name with the error marked, if the name is wrong.
    pub name: Option<Excerpt>,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Problem {
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), place: None, name: None, hint: None }
    }

    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Escapes the message and the hint, which may quote what a student wrote.
    #[must_use]
    pub fn printable(self) -> Self {
        Self {
            message: printable(&self.message),
            hint: self.hint.as_deref().map(printable),
            ..self
        }
    }

    /// Sets the place to a line of a test's input. The place names no file.
    #[must_use]
    pub fn at_line(self, input: &[u8], line: usize, column: Option<usize>) -> Self {
        self.at(Place::new(Path::new(""), &String::from_utf8_lossy(input), line, column))
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    #[must_use]
    pub fn maybe_hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }
}

/// A problem that does not stop the command.
pub struct Warning(pub Problem);

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write("error", f)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write("warning", f)
    }
}

impl Problem {
    fn write(&self, label: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{label}: {}", self.message)?;
        if let Some(place) = &self.place {
            write!(f, "\n{place}")?;
        }
        if let Some(name) = &self.name {
            write!(f, "\n  {}", name.text)?;
            if let Some(carets) = name.carets() {
                write!(f, "\n  {carets}")?;
            }
        }
        if let Some(hint) = &self.hint {
            write!(f, "\nhint: {hint}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.line.to_string();
        let margin = " ".repeat(number.len());
        write!(f, "{margin}--> {}:{number}", self.file.display())?;
        if let Some(column) = self.column {
            write!(f, ":{column}")?;
        }
        if let Some(excerpt) = self.excerpt() {
            write!(f, "\n{margin} |\n{number} | {}", excerpt.text)?;
            if let Some(carets) = excerpt.carets() {
                write!(f, "\n{margin} | {carets}")?;
            }
        }
        Ok(())
    }
}

/// Whose fault a failure is, and so who can mend it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// What was asked for is wrong: the command line.
    Request,
    /// The course file is wrong.
    CourseFile,
    /// The course is broken: a build fails, or the reference and the combined build disagree.
    Course,
    /// There is nothing valid to score.
    NothingValid,
    /// The system failed: a file cannot be written, or a process cannot be started.
    Machine,
    /// The reader of the output closed its pipe.
    ClosedPipe,
    /// Somebody asked the work to end.
    Interrupted,
}

/// Why the work stopped.
#[derive(Debug)]
pub struct Failure {
    pub kind: FailureKind,
    /// The problems in the order in which they were found.
    pub problems: Vec<Problem>,
}

impl Failure {
    pub fn new(kind: FailureKind, problem: Problem) -> Self {
        Self { kind, problems: vec![problem] }
    }

    /// What was asked for is wrong.
    pub fn usage(problem: Problem) -> Self {
        Self::new(FailureKind::Request, problem)
    }

    pub fn broken_course(problem: Problem) -> Self {
        Self::new(FailureKind::Course, problem)
    }

    /// `what` cannot be written. A closed pipe is not reported, because its reader stopped on purpose.
    pub fn unwritten(what: &str, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => {
                Self { kind: FailureKind::ClosedPipe, problems: Vec::new() }
            }
            _ => Self::machine(format!("write {what}"), error),
        }
    }

    /// A file or folder cannot be written.
    pub fn unwritable(path: &Path, error: &io::Error) -> Self {
        Self::unwritable_as(&path.display().to_string(), error)
    }

    /// The same for `what`, such as `into DIR`.
    pub fn unwritable_as(what: &str, error: &io::Error) -> Self {
        let hint = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                "make room on that disk, or name another place"
            }
            io::ErrorKind::AlreadyExists => "name a new file; existing files are never overwritten",
            _ => "name a place where you may write, or make this one writable",
        };
        let problem = Problem::new(format!("cannot write {what}: {error}"));
        Self::new(FailureKind::Machine, problem.hint(hint))
    }

    /// The system failed to do `what`.
    pub fn machine(what: impl fmt::Display, error: impl fmt::Display) -> Self {
        Self::new(FailureKind::Machine, Problem::new(format!("cannot {what}: {error}")))
    }
}

/// Escapes every character that could control a terminal or hide another. Students choose these texts.
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|c| if is_hidden(c) { c.escape_default().to_string() } else { c.to_string() })
        .collect()
}

/// Replaces every such character by U+FFFD. The number of characters stays the same, as drawings in columns need.
pub fn visible(text: &str) -> String {
    text.chars().map(|c| if is_hidden(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// What a program wrote, but of a traceback in Python only the last line, which says what is wrong.
pub fn without_traceback(text: &str) -> &str {
    const START: &str = "Traceback (most recent call last):";
    let last = || text.lines().rev().find(|line| !line.trim().is_empty());
    if text.lines().any(|line| line == START) { last().unwrap_or(text) } else { text }
}

/// Whether `c` is a control character, is invisible, or changes the direction of writing.
fn is_hidden(c: char) -> bool {
    let is_invisible = matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
    );
    c.is_control() || is_invisible
}

/// The hint "did you mean …?" with the candidate nearest to `word`, if one is near enough.
pub fn did_you_mean<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    nearest(word, candidates).map(|near| format!("{DID_YOU_MEAN} `{near}`?"))
}

/// How such a hint begins.
pub const DID_YOU_MEAN: &str = "did you mean";

/// The candidate most similar to `word`: one that begins with `word`, or else the one with the smallest edit distance, if that is at
/// most a third of its length. Among equals, the one with the longest common beginning.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// Many names begin with the same one or two characters.
    const SHORTEST_BEGINNING: usize = 3;
    let word = word.to_lowercase();
    let similarity = |candidate: &'a str| {
        let other = candidate.to_lowercase();
        let common = word.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
        let distance = strsim::damerau_levenshtein(&word, &other);
        let is_beginning = word.len() >= SHORTEST_BEGINNING && other.starts_with(&word);
        let is_near = distance <= other.len().min(word.len()).div_ceil(3);
        (is_beginning || is_near).then_some((!is_beginning, distance, Reverse(common)))
    };
    let ranked =
        candidates.into_iter().filter_map(|candidate| Some((similarity(candidate)?, candidate)));
    ranked.min_by_key(|&(rank, _)| rank).map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_shows_its_line_a_caret_and_a_hint() {
        let place = Place::new(Path::new("harness.yaml"), "course: x\n  tite: y\n", 2, Some(3));
        let problem = Problem::new("unknown key `tite`").at(place).hint("did you mean `title`?");
        let expected = "error: unknown key `tite`\n --> harness.yaml:2:3\n  |\n2 |   tite: y\n  |   ^\nhint: did you mean `title`?";
        assert_eq!(problem.to_string(), expected);
    }

    #[test]
    fn characters_that_control_a_terminal_are_escaped() {
        assert_eq!(printable("a\u{1b}[31m\u{202e}b"), "a\\u{1b}[31m\\u{202e}b");
    }

    #[test]
    fn a_traceback_is_told_by_its_last_line() {
        let text = "a warning\nTraceback (most recent call last):\n  File \"a.py\", line 1\nValueError: no\n";
        assert_eq!(without_traceback(text), "ValueError: no");
        assert_eq!(without_traceback("line 1: no\nhint: yes\n"), "line 1: no\nhint: yes\n");
    }

    #[test]
    fn replaced_characters_keep_the_columns() {
        assert_eq!(visible("a\u{1b}[\u{61c}b"), "a\u{fffd}[\u{fffd}b");
    }

    #[test]
    fn only_a_near_word_is_suggested() {
        assert_eq!(nearest("tite", ["title", "tests"]), Some("title"));
        assert_eq!(nearest("zebra", ["title", "tests"]), None);
    }

    #[test]
    fn a_name_that_begins_with_the_word_is_suggested_first() {
        let mazes = ["puzzle", "maze-solver", "maze-generator"];
        assert_eq!(nearest("maze", mazes), Some("maze-solver"));
        assert_eq!(nearest("maze-gen", mazes), Some("maze-generator"));
        assert_eq!(nearest("flag", ["flat", "flags"]), Some("flags"));
        assert_eq!(nearest("tests", ["fests", "testy"]), Some("testy"));
        assert_eq!(nearest("ma", mazes), None, "too many names begin like this");
    }
}
