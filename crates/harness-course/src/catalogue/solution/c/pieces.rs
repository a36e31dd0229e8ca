//! A source as a list of tokens that can be replaced.

use crate::catalogue::tokens::{self, Kind};
use std::fmt;
use std::ops::{Range, RangeInclusive};

/// A token, or a bug.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    pub(super) kind: Kind,
    pub(super) text: String,
    /// The byte in the source where it was.
    offset: usize,
    /// The value in the reference of a bug, or of a condition that consists of bugs.
    value: Option<bool>,
}

#[derive(Clone)]
pub(super) struct Pieces(Vec<Piece>);

impl Pieces {
    pub(super) fn new(source: &str) -> Self {
        let tokens = tokens::c(source);
        let calls = tokens::calls(source, &tokens, "BUG");
        let mut pieces = Vec::new();
        for token in tokens {
            let call = calls.iter().find(|call| call.range.contains(&token.range.start));
            let offset = token.range.start;
            match call {
                Some(call) if call.range.start == offset => {
                    pieces.push(Self::constant(offset, false));
                }
                Some(_) => {}
                None => {
                    let text = token.text(source).to_owned();
                    pieces.push(Piece { kind: token.kind, text, offset, value: None });
                }
            }
        }
        Self(pieces)
    }

    fn constant(offset: usize, value: bool) -> Piece {
        Piece { kind: Kind::Name, text: "BUG".to_owned(), offset, value: Some(value) }
    }

    /// The bugs that are left.
    pub(super) fn constants(&self) -> impl Iterator<Item = usize> {
        (0..self.0.len()).filter(|&at| self.value(at).is_some())
    }

    pub(super) fn value(&self, at: usize) -> Option<bool> {
        self.0[at].value
    }

    pub(super) fn offset(&self, at: usize) -> usize {
        self.0[at].offset
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn kind(&self, at: usize) -> Kind {
        self.0[at].kind
    }

    /// The text of a piece, and nothing for what is past either end. Words that C++ has for operators are those operators.
    pub(super) fn text(&self, at: Option<usize>) -> &str {
        let Some(piece) = at.and_then(|at| self.0.get(at)) else { return "" };
        match piece.text.as_str() {
            "and" => "&&",
            "or" => "||",
            "not" => "!",
            _ if piece.value.is_some() => "",
            text => text,
        }
    }

    /// The text of this range as it is.
    pub(super) fn written(&self, range: Range<usize>) -> String {
        self.0[range].iter().map(|piece| piece.text.as_str()).collect()
    }

    fn counts(&self, at: usize) -> bool {
        !matches!(self.0[at].kind, Kind::Space | Kind::Comment)
    }

    /// The token before `at`.
    pub(super) fn before(&self, at: usize) -> Option<usize> {
        (0..at).rev().find(|&at| self.counts(at))
    }

    /// The token after `at`.
    pub(super) fn after(&self, at: usize) -> Option<usize> {
        (at + 1..self.len()).find(|&at| self.counts(at))
    }

    /// The bracket that belongs to the one at `at`.
    pub(super) fn partner(&self, at: usize) -> Option<usize> {
        let mut depth = 0_isize;
        let mut step = |other: usize| {
            match self.0[other].text.as_str() {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            depth == 0
        };
        match self.text(Some(at)) {
            "(" | "[" | "{" => (at..self.len()).find(|&other| step(other)),
            _ => (0..=at).rev().find(|&other| step(other)),
        }
    }

    /// Replaces tokens by a constant.
    pub(super) fn fold(&mut self, range: RangeInclusive<usize>, at: usize, value: bool) {
        let constant = Self::constant(self.offset(at), value);
        self.0.splice(range, [constant]);
    }

    /// Replaces a constant by its literal. `true` and `false` may be unknown to a source in C without `bool`.
    pub(super) fn write(&mut self, at: usize, value: bool) {
        let has_bool = self.names().any(|name| name == "bool");
        let text = if has_bool { value.to_string() } else { u8::from(value).to_string() };
        self.0[at] = Piece { text, value: None, ..self.0[at].clone() };
    }

    pub(super) fn remove(&mut self, range: Range<usize>) {
        self.0.drain(range);
    }

    /// Replaces a range by some of the pieces in it.
    pub(super) fn keep(&mut self, range: Range<usize>, kept: Range<usize>) {
        let kept = self.0[kept].to_vec();
        self.0.splice(range, kept);
    }

    /// Replaces a range by other pieces.
    pub(super) fn put(&mut self, range: Range<usize>, pieces: Pieces) {
        self.0.splice(range, pieces.0);
    }

    /// A copy of a range whose lines are indented by `less` characters less.
    pub(super) fn dedented(&self, range: Range<usize>, less: usize) -> Self {
        let mut pieces = self.0[range].to_vec();
        // Each character of white space is a token of its own.
        let mut left = 0;
        pieces.retain(|piece| {
            if piece.text == "\n" {
                left = less;
            } else if piece.kind != Kind::Space {
                left = 0;
            }
            let is_dropped = left > 0 && piece.kind == Kind::Space && piece.text != "\n";
            left -= usize::from(is_dropped);
            !is_dropped
        });
        Self(pieces)
    }

    /// The first piece of the line of `at`.
    pub(super) fn line_start(&self, at: usize) -> usize {
        (0..at).rev().find(|&at| self.0[at].text.ends_with('\n')).map_or(0, |newline| newline + 1)
    }

    /// Whether only white space is in this range.
    pub(super) fn is_blank(&self, mut range: Range<usize>) -> bool {
        range.all(|at| self.0[at].kind == Kind::Space)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let names = self.0.iter().filter(|piece| piece.kind == Kind::Name && piece.value.is_none());
        names.map(|piece| piece.text.as_str())
    }
}

impl fmt::Display for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|piece| f.write_str(&piece.text))
    }
}
