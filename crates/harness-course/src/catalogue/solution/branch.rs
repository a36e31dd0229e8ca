//! Replaces what a bug decides by its correct branch: `if`, a conditional expression, or an arm of a `match`.

use super::condition::{Decided, assigns};
use super::pieces::{Pieces, Refused};
use crate::course::language::Grammar;

impl Pieces<'_> {
    /// Replaces the statement or the expression that a condition belongs to.
    pub(super) fn replace(&mut self, condition: &Decided) -> Result<(), Refused> {
        let (before, after) = (self.before(condition.first), self.after(condition.last));
        match (self.grammar, self.word(before), self.word(after)) {
            (Grammar::Rust, "if", "{") => self.replace_if(condition.value, before, after),
            (Grammar::Rust, "if", "=>") => self.replace_guard(condition.value, before, after),
            (Grammar::C, "(", ")") if self.word(self.before(before)) == "if" => {
                self.replace_if(condition.value, self.before(before), self.after(after))
            }
            (Grammar::C, _, "?") if !condition.value => self.keep_right(condition.first, after),
            (Grammar::Python, "if", "else") if !condition.value => {
                let start = self.start_of(before, false)?;
                self.drop_up_to_next(start..after + 1);
                self.unwrap(start);
                Ok(())
            }
            (Grammar::Python, "if" | "elif", ":") => {
                self.replace_block(condition.value, before, after)
            }
            _ => Err(Refused::Form),
        }
    }

    /// Replaces `condition ? wrong : right` by `right`.
    fn keep_right(&mut self, first: usize, question: usize) -> Result<(), Refused> {
        let (mut at, mut depth) = (question, 1);
        while depth > 0 {
            at = self.end(self.after(at))?;
            match self.word(at) {
                "?" => depth += 1,
                ":" => depth -= 1,
                "" | ";" => return Err(Refused::Form),
                _ => {}
            }
        }
        self.drop_up_to_next(first..at + 1);
        self.unwrap(first);
        self.drop_shadow(self.after(at));
        Ok(())
    }

    /// Replaces an `if` with braces, whose first branch starts at `open`.
    fn replace_if(&mut self, value: bool, start: usize, open: usize) -> Result<(), Refused> {
        if self.word(open) != "{" {
            return Err(Refused::Form);
        }
        let close = self.partner(open)?;
        let otherwise = Some(self.after(close)).filter(|&at| self.word(at) == "else");
        let before = self.before(start);
        let continues = self.word(before) == "else";
        let is_statement = matches!(self.word(before), "{" | "}" | ";")
            || self.grammar == Grammar::C && self.word(before) == ":";
        let is_value = self.grammar == Grammar::Rust
            && otherwise.is_some()
            && (matches!(self.word(before), "(" | "," | "[" | "=>" | "return" | "|" | ":")
                || assigns(self.word(before)));
        let end = self.end_of_if(close)?;
        let is_whole = matches!(self.word(self.after(end)), ")" | "," | ";" | "}" | "]");
        let is_guard = self.word(self.after(close)) == "=>";
        if is_guard || !(continues || is_statement || is_value && is_whole) {
            return Err(Refused::Form);
        }
        match (value, otherwise) {
            (true, _) => {
                self.drop_with_space(close + 1..end + 1);
                self.drop_up_to_next(start..self.before(open) + 1);
                self.open(continues, is_statement, open)
            }
            (false, Some(otherwise)) => {
                let branch = self.after(otherwise);
                self.drop_up_to_next(start..otherwise + 1);
                if self.word(branch) == "{" {
                    self.open(continues, is_statement, branch)?;
                }
                Ok(())
            }
            (false, None) if continues => {
                self.drop_with_space(before..close + 1);
                Ok(())
            }
            (false, None) => {
                self.drop_statement(start, close);
                Ok(())
            }
        }
    }

    /// The last piece of an `if` whose first branch ends at `close`.
    fn end_of_if(&self, mut close: usize) -> Result<usize, Refused> {
        while self.word(self.after(close)) == "else" {
            let branch = self.after(self.after(close));
            let at = match (self.word(branch), self.grammar) {
                ("if", Grammar::C) => self.after(self.end(self.after(branch))?),
                ("if", _) => self.after(self.end_of(branch, false)?),
                _ => branch,
            };
            if self.word(at) != "{" {
                return Err(Refused::Form);
            }
            close = self.partner(at)?;
        }
        Ok(close)
    }

    /// Removes the braces of a branch that is left, unless they are of use.
    fn open(&mut self, continues: bool, is_statement: bool, open: usize) -> Result<(), Refused> {
        let close = self.partner(open)?;
        let (first, last) = (self.after(open), self.before(close));
        let (mut statements, mut blocks, mut declares, mut at) = (0, 0, false, first);
        while at < close {
            match self.word(at) {
                ";" => statements += 1,
                "let" => declares = true,
                "{" => blocks += 1,
                _ => {}
            }
            at = self.after(self.end(at)?);
        }
        let is_last = self.word(self.after(close)) == "}";
        let is_flat = match self.grammar {
            Grammar::Rust => !declares,
            _ => statements + blocks <= 1,
        };
        let is_open = if is_statement { is_last || is_flat } else { statements == 0 && !declares };
        if continues || !is_open {
            return Ok(());
        }
        let less = self.indent(first).saturating_sub(self.indent(open));
        self.dedent(open..close, less);
        self.drop_up_to_next(open..open + 1);
        if is_statement && !is_last && !matches!(self.word(last), ";" | "}") {
            self.put(close, ";");
            self.drop_with_space(close..close);
        } else {
            self.drop_with_space(close..close + 1);
        }
        self.drop_shadow(first);
        Ok(())
    }

    /// Removes an assignment of a variable to itself, as in `let x = x;`. In Python, it may be all that a block has.
    fn drop_shadow(&mut self, value: usize) {
        let equals = self.before(value);
        let name = self.before(equals);
        let keyword = self.before(name);
        let start = if self.word(keyword) == "let" { keyword } else { name };
        let end = self.after(value);
        let is_same = self.is_name(value) && self.word(name) == self.word(value);
        if is_same
            && (self.word(equals), self.word(end)) == ("=", ";")
            && matches!(self.word(self.before(start)), ";" | "{" | "}")
            && self.grammar != Grammar::Python
        {
            self.drop_lines(start, end);
        }
    }

    /// Removes the arm of a `match` that a bug alone selects, or a guard that is always true.
    fn replace_guard(&mut self, value: bool, start: usize, arrow: usize) -> Result<(), Refused> {
        if value {
            self.drop_with_space(start..self.before(arrow) + 1);
            return Ok(());
        }
        let (first, last) = (self.start_of_arm(start)?, self.end_of_arm(arrow)?);
        self.drop_statement(first, last);
        Ok(())
    }

    /// The first piece of the arm whose guard starts at `guard`.
    fn start_of_arm(&self, guard: usize) -> Result<usize, Refused> {
        let mut first = guard;
        loop {
            let before = self.before(first);
            first = match self.word(before) {
                "{" | "," | "" => return Ok(first),
                // A brace ends a pattern here, or the arm before.
                "}" if !matches!(self.word(first), "if" | "|") => return Ok(first),
                _ => self.start_of_group(before)?,
            };
        }
    }

    /// The last piece of an arm, with its comma.
    fn end_of_arm(&self, arrow: usize) -> Result<usize, Refused> {
        let mut last = arrow;
        loop {
            let next = self.after(last);
            let is_block = last == arrow && self.word(next) == "{";
            last = match self.word(next) {
                "," => return Ok(next),
                "}" | "" => return Ok(last),
                _ => self.end(next)?,
            };
            if is_block {
                let comma = self.after(last);
                return Ok(if self.word(comma) == "," { comma } else { last });
            }
        }
    }
}
