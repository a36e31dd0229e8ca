//! Replaces an `if` of Python by its correct branch.

use super::pieces::{Pieces, Refused};

/// A clause of an `if`: the first piece of its line, and the one after its last line.
struct Clause {
    start: usize,
    end: usize,
}

impl Pieces<'_> {
    /// Replaces the clause whose keyword and colon are at these places.
    pub(super) fn replace_block(
        &mut self,
        value: bool,
        keyword: usize,
        colon: usize,
    ) -> Result<(), Refused> {
        let start = self.line_start(keyword);
        let body = self.next_line(colon);
        if !self.is_blank(start..keyword) || !self.is_blank(colon + 1..body) {
            return Err(Refused::Form);
        }
        let clause = Clause { start, end: self.end_of_block(body, self.indent(keyword)) };
        let continues = self.word(keyword) == "elif";
        let next = self.next_clause(&clause, keyword);
        match (value, next) {
            (true, _) => {
                let mut others = Clause { start: clause.end, end: clause.end };
                while let Some(next) = self.next_clause(&others, keyword) {
                    let body = self.next_logical_line(next);
                    others.end = self.end_of_block(body, self.indent(keyword));
                }
                self.drop(others.start..others.end);
                if continues {
                    self.put(keyword, "else");
                    self.drop(keyword + 1..colon);
                } else {
                    self.shift(body, clause.end, keyword);
                    self.drop(start..body);
                }
            }
            (false, _) if continues => self.drop(start..clause.end),
            (false, None) if self.is_alone(&clause, keyword) => {
                self.put(keyword, "pass");
                self.drop(keyword + 1..self.last_of(&clause) + 1);
            }
            (false, None) => self.drop_statement(keyword, self.last_of(&clause)),
            (false, Some(next)) if self.word(next) == "elif" => {
                self.put(next, "if");
                self.drop(start..self.line_start(next));
            }
            (false, Some(next)) => {
                let body = self.next_line(next);
                if !self.is_blank(self.after(next) + 1..body) {
                    return Err(Refused::Form);
                }
                let end = self.end_of_block(body, self.indent(keyword));
                self.shift(body, end, keyword);
                self.drop(start..body);
            }
        }
        Ok(())
    }

    /// The place after the last line that is indented more than `indent`, from the line of `at` on.
    fn end_of_block(&self, at: usize, indent: usize) -> usize {
        let (mut line, mut end) = (at, at);
        while line < self.len() - 1 {
            let next = self.next_logical_line(line);
            if !self.is_blank(line..next) {
                if self.indent(line) <= indent {
                    break;
                }
                end = next;
            }
            line = next;
        }
        end
    }

    /// The first piece after the end of a statement.
    fn next_logical_line(&self, at: usize) -> usize {
        let last = self.len() - 1;
        let ends =
            |&at: &usize| self.counts(at) && self.word(at) == ";" && self.has_newline(at..at + 1);
        (at..last).find(ends).map_or(last, |newline| newline + 1)
    }

    /// The last token of a clause, without line ends.
    fn last_of(&self, clause: &Clause) -> usize {
        let mut last = self.before(clause.end);
        while self.word(last) == ";" {
            last = self.before(last);
        }
        last
    }

    /// The `elif` or `else` after a clause.
    fn next_clause(&self, clause: &Clause, keyword: usize) -> Option<usize> {
        let mut next = clause.end;
        while self.word(next) == ";" || !self.counts(next) {
            next += 1;
        }
        let is_next =
            matches!(self.word(next), "elif" | "else") && self.indent(next) == self.indent(keyword);
        is_next.then_some(next)
    }

    /// Whether nothing else is in the block of an `if`.
    fn is_alone(&self, clause: &Clause, keyword: usize) -> bool {
        let before = self.last_of(&Clause { start: 0, end: clause.start });
        let mut after = clause.end;
        while self.word(after) == ";" || !self.counts(after) && after < self.len() - 1 {
            after += 1;
        }
        self.word(before) == ":"
            && (after == self.len() - 1 || self.indent(after) < self.indent(keyword))
    }

    /// Indents the lines of a block as its `if` is.
    fn shift(&mut self, body: usize, end: usize, keyword: usize) {
        let mut first = body;
        while self.word(first) == ";" || !self.counts(first) {
            first += 1;
        }
        let less = self.indent(first) - self.indent(keyword);
        self.dedent(body - 1..end, less);
    }
}
