//! The terminal, pipe or file that text is written to: its width, its colour, and wrapping lines to fit.

use crate::result::discarded::{Discarded, Unjudged};
use crate::result::engines::SlowerProgram;
use anstream::adapter::strip_str;
use anstyle::{AnsiColor, Style};
use std::fmt::{self, Write};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A terminal, a pipe or a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Screen {
    /// The width of the terminal; `None` in a pipe or a file, where each record stays on one line.
    pub columns: Option<usize>,
    pub colored: bool,
}

/// A report that can be written as text. As JSON, the same type is serialized.
pub trait WriteText {
    /// # Errors
    /// Never: a `String` takes any text.
    fn write_text(&self, out: &mut String, screen: Screen) -> fmt::Result;
}

pub const STRONG: Style = Style::new().bold();
pub const FAINT: Style = Style::new().dimmed();
pub const GOOD: Style = AnsiColor::Green.on_default();
pub const BAD: Style = AnsiColor::Red.on_default();
pub const WARNING: Style = AnsiColor::Yellow.on_default();

/// The width of prose in a pipe or a file.
const PIPE_COLUMNS: usize = 80;

impl Screen {
    /// The width for text that is also wrapped in a pipe.
    pub fn width(self) -> usize {
        self.columns.unwrap_or(PIPE_COLUMNS)
    }

    /// `text` in `style`, if there is colour.
    pub fn styled(self, style: Style, text: &str) -> String {
        if self.colored && !style.is_plain() && !text.is_empty() {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }

    /// Writes prose, which is also wrapped in a pipe. Later lines are indented like the first.
    pub fn prose(self, out: &mut String, text: &str) -> fmt::Result {
        let indent = text.len() - text.trim_start().len();
        wrap(text.trim_start(), self.width().saturating_sub(indent))
            .iter()
            .try_for_each(|line| writeln!(out, "{:indent$}{line}", ""))
    }

    /// Writes a line for each program that ran by a slower engine.
    pub fn notes(self, out: &mut String, programs: &[SlowerProgram]) -> fmt::Result {
        programs.iter().try_for_each(|program| self.prose(out, &program.to_string()))
    }

    /// Writes how many inputs were discarded, if there are any that matter: those that a validator rejects, or most of them.
    pub fn discarded(self, out: &mut String, discarded: &Discarded) -> fmt::Result {
        let Discarded { tried, rejected, validated, refused, unjudged } = discarded;
        let is_most = discarded.is_most();
        if *refused == 0 && unjudged.is_none() && !is_most {
            return Ok(());
        }
        let mut text = format!("Discarded: the reference rejects {rejected} of {tried} inputs");
        if *validated > 0 {
            let which = "that it was asked about";
            write!(text, "; a validator rejects {refused} of {validated} {which}")?;
        }
        if let Some(Unjudged { count, .. }) = unjudged {
            write!(text, "; the checker fails on {count}")?;
        }
        self.prose(out, &text)?;
        if let Some(Unjudged { failure, .. }) = unjudged {
            self.prose(out, "The checker, or the reference, is wrong on the smallest of these:")?;
            failure.lines().try_for_each(|line| self.prose(out, &format!("  {line}")))?;
        }
        if is_most {
            let hint = "hint: most inputs are not valid; describe valid inputs more closely, for \
                example by `require` in a shape";
            self.prose(out, hint)?;
        }
        Ok(())
    }

    /// Writes `text` after `label`. A pipe gets one line. On a terminal, later lines are indented like the text.
    pub fn field(self, out: &mut String, label: &str, text: &str) -> fmt::Result {
        let Some(columns) = self.columns else { return writeln!(out, "{label}{text}") };
        let indent = width(label);
        let mut lines = wrap(text, columns.saturating_sub(indent)).into_iter();
        writeln!(out, "{label}{}", lines.next().unwrap_or_default())?;
        lines.try_for_each(|line| writeln!(out, "{:indent$}{line}", ""))
    }

    /// `text` with each line that is too wide for the terminal wrapped.
    pub fn fit(self, text: &str) -> String {
        let Some(columns) = self.columns else { return text.to_owned() };
        let mut fitted = Vec::new();
        for line in text.split('\n') {
            let indent = line.len() - line.trim_start().len();
            let lines = wrap(line.trim_start(), columns.saturating_sub(indent));
            fitted.extend(
                lines.iter().map(|line| format!("{:indent$}{line}", "").trim_end().to_owned()),
            );
        }
        fitted.join("\n")
    }

    /// A problem as text, of which the message and the hint are wrapped to fit the terminal. The lines that it shows stay as they are.
    pub fn problem(self, text: &str) -> String {
        const LABELS: [&str; 3] = ["error: ", "warning: ", "hint: "];
        let is_prose = |line: &str| LABELS.iter().any(|label| line.starts_with(label));
        let fit = |line: &str| if is_prose(line) { self.fit(line) } else { line.to_owned() };
        text.split('\n').map(fit).collect::<Vec<_>>().join("\n")
    }

    /// Writes a line that must not be wrapped, such as a row of a map. On a terminal it is cut to fit, and elsewhere if it is very long.
    pub fn cut(self, out: &mut String, line: &str) -> fmt::Result {
        /// An input may have a line of a million characters.
        const MOST: usize = 1_000;
        writeln!(out, "{}", shortened(line, self.columns.unwrap_or(MOST)))
    }
}

/// `line` cut to at most `columns` columns, with `…` at the end if it was cut.
pub fn shortened(line: &str, columns: usize) -> String {
    if width(line) <= columns {
        return line.to_owned();
    }
    let (start, _) = split(line, columns.saturating_sub(1));
    let reset = if start.contains('\u{1b}') { "\u{1b}[0m" } else { "" };
    format!("{start}{reset}…")
}

/// The number of columns that a text takes. Escape sequences take none.
pub(super) fn width(text: &str) -> usize {
    if text.contains('\u{1b}') {
        strip_str(text).to_string().width()
    } else if text.is_ascii() {
        text.len()
    } else {
        text.width()
    }
}

/// `text` wrapped into lines: between words, or within a word that is wider than a line.
pub(super) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    if width(text) <= columns {
        return vec![text.trim_start_matches(' ').trim_end().to_owned()];
    }
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && width(&line) + 1 + width(word) > columns {
            lines.push(std::mem::take(&mut line));
        } else if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        while width(&line) > columns {
            let (start, rest) = split(&line, columns);
            if start.is_empty() {
                break;
            }
            let (start, rest) = (start.to_owned(), rest.to_owned());
            lines.push(start);
            line = rest;
        }
    }
    lines.push(line);
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// `text` cut into pieces of at most `columns` columns. An empty text is one piece.
pub(super) fn chunks(text: &str, columns: usize) -> Vec<String> {
    let mut chunks = Vec::new();
    let (mut start, mut rest) = split(text, columns);
    while !rest.is_empty() && !start.is_empty() {
        chunks.push(start.to_owned());
        (start, rest) = split(rest, columns);
    }
    chunks.push(format!("{start}{rest}"));
    chunks
}

/// The longest start of `text` that takes at most `columns`, and the rest. Escape sequences are not split.
fn split(text: &str, columns: usize) -> (&str, &str) {
    let (mut taken, mut in_escape) = (0, false);
    for (at, character) in text.char_indices() {
        if in_escape {
            in_escape = character != 'm';
        } else if character == '\u{1b}' {
            in_escape = true;
        } else {
            taken += character.width().unwrap_or(0);
            if taken > columns {
                return text.split_at(at);
            }
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("", 8), [""]);
    }

    #[test]
    fn a_word_that_is_too_wide_is_broken() {
        assert_eq!(wrap("a 木木木 b", 4), ["a", "木木", "木 b"]);
    }

    #[test]
    fn escape_sequences_take_no_columns() {
        let red = "\u{1b}[31mred\u{1b}[0m";
        assert_eq!(wrap(&format!("{red} {red}"), 7), [format!("{red} {red}")]);
        assert_eq!(shortened(red, 2), "\u{1b}[31mr\u{1b}[0m…");
    }

    #[test]
    fn in_a_pipe_prose_is_wrapped_and_a_field_is_not() {
        let (mut prose, mut field) = (String::new(), String::new());
        let text = "word ".repeat(30);
        Screen::default().prose(&mut prose, &text).unwrap();
        Screen::default().field(&mut field, "label  ", &text).unwrap();
        assert!(prose.lines().count() == 2 && prose.lines().all(|line| line.len() <= 80));
        assert_eq!(field.lines().count(), 1);
    }
}
