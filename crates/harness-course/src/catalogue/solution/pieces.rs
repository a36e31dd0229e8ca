//! A source as a list of pieces that can be dropped. What is left of them is the solution.

use crate::course::language::tokens::{Token, TokenKind};
use crate::course::language::{Grammar, Marks};
use std::fmt;
use std::ops::Range;

/// Why a bug cannot be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    Form,
    Effect,
}

/// A token, or a character of white space.
struct Piece<'a> {
    kind: TokenKind,
    text: &'a str,
    /// What it means: the same operator has the same word in every language.
    word: &'a str,
    /// The byte in the source.
    start: usize,
    is_dropped: bool,
}

/// The first and the last piece are empty, so every other piece has neighbors.
pub(super) struct Pieces<'a> {
    pub(super) grammar: Grammar,
    pieces: Vec<Piece<'a>>,
}

impl<'a> Pieces<'a> {
    pub(super) fn new(marks: &Marks, source: &'a str) -> Self {
        let tokens = (marks.tokens)(source);
        let mut pieces = Self { grammar: marks.grammar, pieces: Vec::new() };
        pieces.push(TokenKind::Mark, "", "", 0);
        let mut depth = 0_usize;
        for token in &tokens {
            pieces.push_token(token, token.text(source), &mut depth);
        }
        pieces.push(TokenKind::Mark, "", "", source.len());
        pieces
    }

    fn push_token(&mut self, token: &Token, text: &'a str, depth: &mut usize) {
        let start = token.range.start;
        match (token.kind, text) {
            (TokenKind::Space, _) if !text.starts_with('\\') => {
                for (at, c) in text.char_indices() {
                    let text = &text[at..at + c.len_utf8()];
                    let ends_statement =
                        self.grammar == Grammar::Python && c == '\n' && *depth == 0;
                    let (kind, word) = if ends_statement {
                        (TokenKind::Mark, ";")
                    } else {
                        (TokenKind::Space, text)
                    };
                    self.push(kind, text, word, start + at);
                }
                return;
            }
            (TokenKind::Mark, "(" | "[" | "{") => *depth += 1,
            (TokenKind::Mark, ")" | "]" | "}") => *depth = depth.saturating_sub(1),
            _ => {}
        }
        let word = match text {
            "and" if self.grammar != Grammar::Rust => "&&",
            "or" if self.grammar != Grammar::Rust => "||",
            "not" if self.grammar != Grammar::Rust => "!",
            // A closure without parameters.
            "||" if self.grammar == Grammar::Rust && self.is_start_of_value() => "|",
            _ if token.kind == TokenKind::Text => "\"",
            text => text,
        };
        self.push(token.kind, text, word, start);
    }

    fn is_start_of_value(&self) -> bool {
        let before = self.word(self.before(self.pieces.len()));
        matches!(before, "(" | "," | "=" | "{" | ";" | "=>" | "move" | "return")
    }

    fn push(&mut self, kind: TokenKind, text: &'a str, word: &'a str, start: usize) {
        self.pieces.push(Piece { kind, text, word, start, is_dropped: false });
    }

    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// The meaning of a piece.
    pub(super) fn word(&self, at: usize) -> &str {
        self.pieces[at].word
    }

    pub(super) fn text(&self, at: usize) -> &str {
        self.pieces[at].text
    }

    pub(super) fn is_name(&self, at: usize) -> bool {
        self.pieces[at].kind == TokenKind::Name
    }

    /// The byte in the source.
    pub(super) fn start(&self, at: usize) -> usize {
        self.pieces[at].start
    }

    /// Whether a piece is left, and a compiler sees it.
    pub(super) fn counts(&self, at: usize) -> bool {
        let piece = &self.pieces[at];
        !piece.is_dropped && !matches!(piece.kind, TokenKind::Space | TokenKind::Comment)
    }

    /// The token before this piece.
    pub(super) fn before(&self, at: usize) -> usize {
        (0..at).rev().find(|&at| self.counts(at)).unwrap_or(0)
    }

    /// The token after this piece.
    pub(super) fn after(&self, at: usize) -> usize {
        (at + 1..self.len()).find(|&at| self.counts(at)).unwrap_or(self.len() - 1)
    }

    /// The bracket that belongs to this one.
    pub(super) fn partner(&self, at: usize) -> Result<usize, Refused> {
        let mut depth = 0_isize;
        let mut closes = |&other: &usize| {
            match self.word(other) {
                "(" | "[" | "{" if self.counts(other) => depth += 1,
                ")" | "]" | "}" if self.counts(other) => depth -= 1,
                _ => {}
            }
            depth == 0
        };
        let found = match self.word(at) {
            "(" | "[" | "{" => (at..self.len()).find(&mut closes),
            _ => (0..=at).rev().find(&mut closes),
        };
        found.ok_or(Refused::Form)
    }

    /// The last piece of a group in brackets that starts here, or the token itself.
    pub(super) fn end(&self, at: usize) -> Result<usize, Refused> {
        if matches!(self.word(at), "(" | "[" | "{") { self.partner(at) } else { Ok(at) }
    }

    /// The first piece of a group in brackets that ends here, or the token itself.
    pub(super) fn start_of_group(&self, at: usize) -> Result<usize, Refused> {
        if matches!(self.word(at), ")" | "]" | "}") { self.partner(at) } else { Ok(at) }
    }

    /// Replaces a token.
    pub(super) fn put(&mut self, at: usize, text: &'static str) {
        let piece = &mut self.pieces[at];
        (piece.text, piece.word, piece.is_dropped) = (text, text, false);
    }

    pub(super) fn drop(&mut self, range: Range<usize>) {
        self.pieces[range].iter_mut().for_each(|piece| piece.is_dropped = true);
    }

    /// Drops a range, and the white space after it.
    pub(super) fn drop_up_to_next(&mut self, range: Range<usize>) {
        let spaces = (range.end..self.len()).take_while(|&at| self.is_space(at)).count();
        self.drop(range.start..range.end + spaces);
    }

    /// Drops a range, and the white space before it.
    pub(super) fn drop_with_space(&mut self, range: Range<usize>) {
        let spaces = (0..range.start).rev().take_while(|&at| self.is_space(at)).count();
        self.drop(range.start - spaces..range.end);
    }

    fn is_space(&self, at: usize) -> bool {
        self.pieces[at].is_dropped || self.pieces[at].kind == TokenKind::Space
    }

    fn ends_line(&self, at: usize) -> bool {
        !self.pieces[at].is_dropped && self.pieces[at].text.ends_with('\n')
    }

    /// The first piece of a line.
    pub(super) fn line_start(&self, at: usize) -> usize {
        (1..at).rev().find(|&at| self.ends_line(at)).map_or(1, |newline| newline + 1)
    }

    /// The first piece of the next line.
    pub(super) fn next_line(&self, at: usize) -> usize {
        let last = self.len() - 1;
        (at..last).find(|&at| self.ends_line(at)).map_or(last, |newline| newline + 1)
    }

    /// Whether a range has no token.
    pub(super) fn is_blank(&self, mut range: Range<usize>) -> bool {
        range.all(|at| !self.counts(at) || self.pieces[at].text == "\n")
    }

    fn has_comment(&self, mut range: Range<usize>) -> bool {
        range.any(|at| !self.pieces[at].is_dropped && self.pieces[at].kind == TokenKind::Comment)
    }

    pub(super) fn has_newline(&self, mut range: Range<usize>) -> bool {
        range.any(|at| self.ends_line(at))
    }

    /// How far the line of a piece is indented.
    pub(super) fn indent(&self, at: usize) -> usize {
        let is_indent =
            |&at: &usize| self.pieces[at].kind == TokenKind::Space && !self.ends_line(at);
        let line = self.line_start(at)..self.len();
        line.filter(|&at| !self.pieces[at].is_dropped).take_while(is_indent).count()
    }

    /// Indents the lines of a range by `less` characters less, from the first line end on.
    pub(super) fn dedent(&mut self, range: Range<usize>, less: usize) {
        let mut left = 0;
        for at in range {
            if self.ends_line(at) {
                left = less;
            } else if !self.is_space(at) {
                left = 0;
            } else if left > 0 && !self.pieces[at].is_dropped {
                self.pieces[at].is_dropped = true;
                left -= 1;
            }
        }
    }

    /// Drops a statement with the comment above it.
    pub(super) fn drop_statement(&mut self, first: usize, last: usize) {
        let mut start = first;
        while self.is_blank(self.line_start(start)..start) {
            let line = self.line_start(start);
            let above = self.line_start(line - 1);
            if above == line || !self.is_blank(above..line) || !self.has_comment(above..line) {
                break;
            }
            start = above;
        }
        self.drop_lines(start, last);
    }

    /// Drops a range, with its lines if nothing else is in them.
    pub(super) fn drop_lines(&mut self, first: usize, last: usize) {
        let (start, end) = (self.line_start(first), self.next_line(last));
        if !self.is_blank(start..first) || !self.is_blank(last + 1..end) {
            return self.drop_up_to_next(first..last + 1);
        }
        self.drop(start..end);
        let (above, below) = (self.line_start(start - 1), self.next_line(end));
        let is_empty = |line: Range<usize>| self.is_blank(line.clone()) && !self.has_comment(line);
        if start > 1 && is_empty(above..start) {
            if is_empty(end..below) || self.word(self.after(end - 1)) == "}" {
                self.drop(above..start);
            }
        } else if is_empty(end..below) && (start == 1 || self.word(self.before(start)) == "{") {
            self.drop(end..below);
        }
    }
}

impl fmt::Display for Pieces<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_word =
            |at: usize| matches!(self.pieces[at].kind, TokenKind::Name | TokenKind::Number);
        let mut before = 0;
        for at in (0..self.len()).filter(|&at| !self.pieces[at].is_dropped) {
            // Two words stay apart.
            if at > before + 1 && is_word(before) && is_word(at) {
                formatter.write_str(" ")?;
            }
            formatter.write_str(self.pieces[at].text)?;
            before = at;
        }
        Ok(())
    }
}
