//! The words of a data file: what stands between white space, and where. It knows nothing of what they mean.

/// One word, and where it begins; line and column count from 1, a column in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Word<'a> {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) text: &'a str,
}

impl Word<'_> {
    /// The value of a whole decimal number; one too large for the type is as large as the type allows.
    pub(crate) fn integer(&self) -> Option<i64> {
        let digits = self.text.strip_prefix(['+', '-']).unwrap_or(self.text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let limit = if self.text.starts_with('-') { i64::MIN } else { i64::MAX };
        Some(self.text.parse().unwrap_or(limit))
    }
}

/// The words of a text, one after the other.
pub(crate) struct Words<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Words<'a> {
    /// The words of this text.
    pub(crate) fn new(text: &'a str) -> Self {
        Self { rest: text, line: 1, column: 1 }
    }

    /// The line that has been reached.
    pub(crate) fn line(&self) -> usize {
        self.line
    }

    /// The line of the next word, if there is one.
    pub(crate) fn line_of_next(&mut self) -> Option<usize> {
        self.skip_while(char::is_whitespace);
        (!self.rest.is_empty()).then_some(self.line)
    }

    /// Skips what is left of the line of the last word.
    pub(crate) fn skip_line(&mut self) {
        self.skip_while(|character| character != '\n');
    }

    /// Skips characters, counts them, and returns them.
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
