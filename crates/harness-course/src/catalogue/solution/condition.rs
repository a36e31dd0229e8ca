//! Removes a bug from the condition that it is in.

use super::pieces::{Pieces, Refused};
use crate::course::language::Grammar;
use std::ops::Range;

/// What can be before a condition, except for an assignment.
const BEFORE: [&str; 20] = [
    "", "(", "[", "{", "}", ";", ",", "=>", "?", ":", "|", "if", "elif", "while", "return", "else",
    "assert", "yield", "raise", "throw",
];

/// What can be after a condition.
const AFTER: [&str; 13] = ["", ")", "]", "}", ";", ",", "=>", "?", ":", "{", "if", "else", "for"];

/// Whether a token assigns what is after it.
pub(super) fn assigns(word: &str) -> bool {
    word.ends_with('=') && !matches!(word, "==" | "!=" | "<=" | ">=" | "..=")
}

/// A condition that consists of bugs: its value in the reference, and its first and last piece.
pub(super) struct Decided {
    pub(super) value: bool,
    pub(super) first: usize,
    pub(super) last: usize,
}

impl Pieces<'_> {
    /// Removes a bug from its condition. The result is the condition if bugs alone decide it.
    pub(super) fn fold(&mut self, bug: Range<usize>) -> Result<Option<Decided>, Refused> {
        let mut it = Decided { value: false, first: bug.start, last: bug.end - 1 };
        loop {
            let (before, after) = (self.before(it.first), self.after(it.last));
            let (left, right) = (self.word(before), self.word(after));
            let is_operand = |word| matches!(word, "&&" | "||");
            if !(is_operand(left) || left == "!" || self.is_before(before))
                || !(is_operand(right) || self.is_after(after))
            {
                return Err(Refused::Form);
            }
            match (left, right, it.value) {
                ("!", ..) => (it.first, it.value) = (before, !it.value),
                ("(", ")", _) if self.is_group(before) => (it.first, it.last) = (before, after),
                (_, "&&", false) => it.last = self.end_of(it.last, true)?,
                ("&&", _, false) => it.first = self.unevaluated(it.first, true)?,
                (_, "&&", true) | (_, "||", false) => {
                    self.drop_up_to_next(it.first..after + 1);
                    break;
                }
                ("&&", _, true) | ("||", _, false) => {
                    self.drop_with_space(before..it.last + 1);
                    break;
                }
                (_, "||", true) => it.last = self.end_of(it.last, false)?,
                ("||", _, true) => it.first = self.unevaluated(it.first, false)?,
                _ => return Ok(Some(it)),
            }
        }
        self.unwrap(it.first);
        Ok(None)
    }

    fn is_before(&self, at: usize) -> bool {
        match self.word(at) {
            "?" => self.grammar != Grammar::Rust,
            "}" => self.grammar == Grammar::Rust,
            // What a call gets is unpacked.
            "*" | "**" => self.grammar == Grammar::Python && self.is_before(self.before(at)),
            word => BEFORE.contains(&word) || assigns(word),
        }
    }

    fn is_after(&self, at: usize) -> bool {
        match self.word(at) {
            "?" => self.grammar != Grammar::Rust,
            "{" => self.grammar == Grammar::Rust,
            word => AFTER.contains(&word),
        }
    }

    /// Whether a parenthesis only groups: it belongs neither to a call nor to the `if` of C.
    fn is_group(&self, open: usize) -> bool {
        let before = self.before(open);
        match self.word(before) {
            "&&" | "||" => true,
            "!" => self.grammar != Grammar::Rust || !self.is_macro(before),
            "if" | "while" => self.grammar != Grammar::C,
            _ => self.is_before(before),
        }
    }

    /// Whether an exclamation mark belongs to the name of a macro.
    fn is_macro(&self, mark: usize) -> bool {
        let before = self.before(mark);
        self.is_name(before) && !self.is_before(before)
    }

    /// The last piece of the operands from `at` on, up to an `||` if `is_and`.
    pub(super) fn end_of(&self, at: usize, is_and: bool) -> Result<usize, Refused> {
        let mut end = at;
        loop {
            let next = self.after(end);
            end = match self.word(next) {
                "||" if is_and => return Ok(end),
                _ if self.is_after(next) => return Ok(end),
                "let" => {
                    let mut at = next;
                    while !matches!(self.word(at), "=" | ";" | "") {
                        at = self.end(self.after(at))?;
                    }
                    at
                }
                _ => self.end(next)?,
            };
        }
    }

    /// The first piece of the operands up to `at`, from an `||` on if `is_and`.
    pub(super) fn start_of(&self, at: usize, is_and: bool) -> Result<usize, Refused> {
        let mut start = at;
        loop {
            let next = self.before(start);
            start = match self.word(next) {
                "||" if is_and => return Ok(start),
                "=" if self.pattern(next).is_some() => self.pattern(next).unwrap_or(next),
                _ if self.is_before(next) => return Ok(start),
                "for" | "with" | "lambda" | "del" if self.grammar == Grammar::Python => {
                    return Err(Refused::Form);
                }
                _ => self.start_of_group(next)?,
            };
        }
    }

    /// The `let` of a condition in Rust, from its `=`.
    fn pattern(&self, equals: usize) -> Option<usize> {
        let mut at = equals;
        while self.word(at) != "let" {
            let last = self.before(at);
            at = self.start_of_group(last).ok()?;
            if at == last && self.is_before(at) && self.word(at) != "|" {
                return None;
            }
        }
        let is_condition = matches!(self.word(self.before(at)), "if" | "while" | "&&");
        is_condition.then_some(at)
    }

    /// The start of operands that the solution does not evaluate.
    fn unevaluated(&self, at: usize, is_and: bool) -> Result<usize, Refused> {
        let start = self.start_of(at, is_and)?;
        let has_effect = |at: &usize| match (self.grammar, self.word(*at)) {
            (Grammar::Rust, word) => word == "?",
            (Grammar::C, "++" | "--") => true,
            (Grammar::C, word) => assigns(word),
            (Grammar::Python, word) => word == ":=",
        };
        if (start..at).any(|at| self.counts(at) && has_effect(&at)) {
            return Err(Refused::Effect);
        }
        Ok(start)
    }

    /// Removes the parentheses around a place, if nothing needs them any more.
    pub(super) fn unwrap(&mut self, at: usize) {
        let mut open = self.before(at);
        while !matches!(self.word(open), "" | "(" | "[" | "{") {
            open = self.before(self.start_of_group(open).unwrap_or(0));
        }
        let Ok(close) = self.partner(open) else { return };
        let (before, after) = (self.before(open), self.after(close));
        let is_free = matches!(self.word(before), "&&" | "||") || self.is_before(before);
        let is_free = is_free && (matches!(self.word(after), "&&" | "||") || self.is_after(after));
        let mut is_needed = !is_free || self.word(open) != "(" || !self.is_group(open);
        is_needed |= self.grammar == Grammar::Python && self.has_newline(open..close);
        let mut inner = self.after(open);
        while inner < close {
            let word = self.word(inner);
            is_needed |= matches!(word, "&&" | "||" | "?" | "if" | "," | "for" | "|");
            is_needed |= assigns(word);
            inner = self.after(self.end(inner).unwrap_or(inner));
        }
        if !is_needed {
            self.drop_up_to_next(open..open + 1);
            self.drop_with_space(close..close + 1);
        }
    }
}
