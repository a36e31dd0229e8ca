//! A line with the error in it marked, as it is displayed. Characters that a terminal would not show are escaped, and a long line
//! is cut around the mark. Pure.

use super::is_hidden;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use unicode_width::UnicodeWidthChar;

/// A line as it is displayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Excerpt {
    /// The line, or the part of it around the mark, with control characters escaped.
    pub text: String,
    /// The part that is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
}

/// A part of a line, measured in cells of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// The number of cells before it.
    pub start: usize,
    /// The number of cells it takes; 1 for a place after the end of the line.
    pub width: usize,
}

impl Excerpt {
    /// The greatest width in cells.
    const WIDTH: usize = 76;
    /// Replaces what was cut off.
    const CUT: &str = "…";

    /// `line` with its character at `column` marked. Columns count characters from 1.
    pub fn new(line: &str, column: Option<usize>) -> Self {
        let at = column.unwrap_or(1).saturating_sub(1).min(line.chars().count());
        // Every character takes at least one cell, so at most this many fit on either side.
        let first = at.saturating_sub(Self::WIDTH);
        let pieces: Vec<_> =
            line.chars().skip(first).take(2 * Self::WIDTH + 1).map(shown).collect();
        let is_whole = first == 0 && line.chars().nth(first + pieces.len()).is_none();
        let at = at - first;
        let (start, end) = if is_whole && cells(&pieces) <= Self::WIDTH {
            (0, pieces.len())
        } else {
            window(&pieces, at)
        };
        let before = if first + start > 0 { Self::CUT } else { "" };
        let behind = if line.chars().nth(first + end).is_some() { Self::CUT } else { "" };
        let mark = column.map(|_| Mark {
            start: before.chars().count() + cells(&pieces[start..at]),
            width: pieces.get(at).map_or(1, |(_, width)| *width),
        });
        let text = pieces[start..end].iter().map(|(text, _)| text.as_str()).collect::<String>();
        Self { text: format!("{before}{text}{behind}"), mark }
    }

    /// The text before the mark, what is marked, and the text behind it. A place after the end of the line is marked as a space.
    pub fn around_mark(&self) -> (&str, &str, &str) {
        let Some(mark) = self.mark else { return (&self.text, "", "") };
        let mut cells = 0;
        let starts = self.text.char_indices().map(|(at, c)| {
            cells += c.width().unwrap_or(0);
            (at, cells - c.width().unwrap_or(0))
        });
        let starts: Vec<_> = starts.collect();
        let at = |cell: usize| {
            let found = starts.iter().find(|(_, start)| *start >= cell);
            found.map_or(self.text.len(), |(at, _)| *at)
        };
        let (start, end) = (at(mark.start), at(mark.start + mark.width));
        let marked = if start == self.text.len() { " " } else { &self.text[start..end] };
        (&self.text[..start], marked, &self.text[end..])
    }

    /// The line of carets below the text.
    pub fn carets(&self) -> Option<String> {
        self.mark.map(|mark| format!("{}{}", " ".repeat(mark.start), "^".repeat(mark.width)))
    }
}

/// A character as it is displayed, and its width in cells.
fn shown(c: char) -> (String, usize) {
    match c.width() {
        Some(width) if width > 0 && !is_hidden(c) => (c.to_string(), width),
        // A caret cannot point at a character that has no width of its own.
        _ => {
            let text = if c.is_control() {
                c.escape_default().to_string()
            } else {
                c.escape_unicode().to_string()
            };
            let width = text.len();
            (text, width)
        }
    }
}

fn cells(pieces: &[(String, usize)]) -> usize {
    pieces.iter().map(|(_, width)| width).sum()
}

/// The range of pieces around `at` that fits between two cut marks: up to half of the width before `at`, the rest after it.
fn window(pieces: &[(String, usize)], at: usize) -> (usize, usize) {
    let room = Excerpt::WIDTH - 2;
    let (mut start, mut end) = (at, (at + 1).min(pieces.len()));
    let fits = |start: usize, end: usize, room: usize| cells(&pieces[start..end]) <= room;
    while start > 0 && fits(start - 1, end, room / 2) {
        start -= 1;
    }
    while end < pieces.len() && fits(start, end + 1, room) {
        end += 1;
    }
    while start > 0 && fits(start - 1, end, room) {
        start -= 1;
    }
    (start, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, column: usize, text: &str, carets: &str) {
        let excerpt = Excerpt::new(line, Some(column));
        assert_eq!(
            (excerpt.text.as_str(), excerpt.carets().unwrap().as_str()),
            (text, carets),
            "{line:?}"
        );
    }

    #[test]
    fn the_marked_part_is_what_the_carets_are_below() {
        let parts = |line: &str, column| {
            let excerpt = Excerpt::new(line, Some(column));
            let (before, marked, behind) = excerpt.around_mark();
            [before, marked, behind].map(str::to_owned)
        };
        assert_eq!(parts("@.b.", 3), ["@.", "b", "."]);
        assert_eq!(parts("漢字x", 2), ["漢", "字", "x"]);
        assert_eq!(parts("ab\tc", 3), ["ab", "\\t", "c"]);
        assert_eq!(parts("ab", 3), ["ab", " ", ""], "after the end of the line");
        assert_eq!(Excerpt::new("ab", None).around_mark(), ("ab", "", ""));
    }

    #[test]
    fn the_caret_is_below_the_error_whatever_comes_before_it() {
        check("@.b.", 3, "@.b.", "  ^");
        check("\t*", 2, "\\t*", "  ^");
        check("a\u{1b}[31mb", 2, "a\\u{1b}[31mb", " ^^^^^^");
        check("漢字*", 3, "漢字*", "    ^");
        check("漢字*", 2, "漢字*", "  ^^");
        check("e\u{301}*", 3, "e\\u{301}*", "        ^");
        check("a\u{202e}*", 3, "a\\u{202e}*", "         ^");
        check("", 1, "", "^");
        check("ab", 3, "ab", "  ^");
        check("ab", 9, "ab", "  ^");
        check("ab", 0, "ab", "^");
    }

    #[test]
    fn a_long_line_is_cut_around_the_mark() {
        let long: String = ('a'..='z').cycle().take(100_000).collect();
        for column in [1, 2, 30, 70, 77, 50_000, 99_990, 100_000, 100_001] {
            let excerpt = Excerpt::new(&long, Some(column));
            let mark = excerpt.mark.unwrap();
            assert!(excerpt.text.chars().count() <= Excerpt::WIDTH, "{column}");
            assert_eq!(
                excerpt.text.chars().nth(mark.start),
                long.chars().nth(column - 1),
                "{column}"
            );
            assert_eq!(excerpt.text.starts_with('…'), column >= 70, "{column}: {}", excerpt.text);
            assert_eq!(excerpt.text.ends_with('…'), column <= 50_000, "{column}: {}", excerpt.text);
        }
        assert!(Excerpt::new(&long, None).text.starts_with("abc"));
        let just: String = long.chars().take(Excerpt::WIDTH).collect();
        assert_eq!(Excerpt::new(&just, Some(Excerpt::WIDTH)).text, just);
    }

    #[test]
    fn a_line_of_wide_or_hidden_characters_is_cut_to_the_same_width() {
        for line in ["漢".repeat(1000), "\u{1b}".repeat(1000)] {
            for column in [1, 500, 1000] {
                let excerpt = Excerpt::new(&line, Some(column));
                let carets = excerpt.carets().unwrap();
                assert!(
                    carets.len() <= Excerpt::WIDTH && carets.ends_with('^'),
                    "{column}: {carets}"
                );
            }
        }
    }
}
