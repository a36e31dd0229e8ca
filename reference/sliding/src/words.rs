//! The words of a data file, separated by white space, and their positions.

/// A word and where it begins. Lines and columns count from 1, and columns are bytes.
#[derive(Clone, Copy)]
pub(crate) struct Word<'a> {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) text: &'a str,
}

impl Word<'_> {
    /// The value of a decimal integer, clamped to the range of the type.
    pub(crate) fn integer(&self) -> Option<i64> {
        let digits = self.text.strip_prefix(['+', '-']).unwrap_or(self.text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let limit = if self.text.starts_with('-') { i64::MIN } else { i64::MAX };
        Some(self.text.parse().unwrap_or(limit))
    }
}

/// An iterator over the words of a text.
pub(crate) struct Words<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Words<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { rest: text, line: 1, column: 1 }
    }

    /// The current line.
    pub(crate) fn line(&self) -> usize {
        self.line
    }

    /// The line of the next word, if there is one.
    pub(crate) fn line_of_next(&mut self) -> Option<usize> {
        self.skip_while(char::is_whitespace);
        (!self.rest.is_empty()).then_some(self.line)
    }

    /// Skips the rest of the line.
    pub(crate) fn skip_line(&mut self) {
        self.skip_while(|character| character != '\n');
    }

    /// Skips characters while `wanted` holds, and returns them.
    fn skip_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let length = self.rest.find(|character| !wanted(character)).unwrap_or(self.rest.len());
        let (skipped, rest) = self.rest.split_at(length);
        for character in skipped.chars() {
            (self.line, self.column) = if character == '\n' {
                (self.line + 1, 1)
            } else {
                (self.line, self.column + character.len_utf8())
            };
        }
        self.rest = rest;
        skipped
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        self.line_of_next()?;
        let (line, column) = (self.line, self.column);
        Some(Word { line, column, text: self.skip_while(|character| !character.is_whitespace()) })
    }
}

/// What only bugs ask about the words.
mod bugs {
    use super::Words;

    impl Words<'_> {
        /// Whether there is a blank line before the next word.
        pub(crate) fn is_before_blank_line(&mut self) -> bool {
            self.line + 1 < self.line_of_next().unwrap_or(0)
        }
    }
}
