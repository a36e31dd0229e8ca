//! The tokens of C and C++. The preprocessor is not run, so code that it leaves out counts.

use super::{Token, TokenKind, operator};

pub fn tokens(source: &str) -> Vec<Token> {
    let scanner = Scanner { source };
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < source.len() {
        let (kind, end) = scanner.token(at);
        tokens.push(Token { kind, range: at..end });
        at = end;
    }
    tokens
}

/// The longest delimiter of a raw string, in bytes.
const LONGEST_DELIMITER: usize = 16;

struct Scanner<'a> {
    source: &'a str,
}

impl Scanner<'_> {
    /// The first character at or after `at` that no continued line hides, and the position after it.
    fn next(&self, mut at: usize) -> Option<(char, usize)> {
        while let Some(end) = self.splice(at) {
            at = end;
        }
        self.source[at..].chars().next().map(|c| (c, at + c.len_utf8()))
    }

    /// The end of the backslash and the line end at `at`.
    fn splice(&self, at: usize) -> Option<usize> {
        let splices = ["\\\n", "\\\r\n"];
        let splice = splices.iter().find(|splice| self.source[at..].starts_with(**splice))?;
        Some(at + splice.len())
    }

    /// The end of the longest part from `at` on whose characters are `wanted`.
    fn while_(&self, mut at: usize, wanted: impl Fn(char) -> bool) -> usize {
        while let Some((_, end)) = self.next(at).filter(|(c, _)| wanted(*c)) {
            at = end;
        }
        at
    }

    fn token(&self, at: usize) -> (TokenKind, usize) {
        if let Some(end) = self.splice(at) {
            return (TokenKind::Space, end);
        }
        let Some((c, end)) = self.next(at) else { return (TokenKind::Space, self.source.len()) };
        match c {
            c if c.is_whitespace() => (TokenKind::Space, end),
            '/' => self.slash(end),
            '"' | '\'' => (TokenKind::Text, self.quoted(end, c)),
            '.' | '0'..='9' => self.number(at, end, c),
            c if is_name(c) => self.name(at),
            _ => (TokenKind::Mark, self.operator(at).unwrap_or(end)),
        }
    }

    /// What starts with a slash that ends at `at`.
    fn slash(&self, at: usize) -> (TokenKind, usize) {
        match self.next(at) {
            Some(('/', end)) => (TokenKind::Comment, self.while_(end, |c| c != '\n')),
            Some(('*', end)) => {
                let rest = &self.source[end..];
                (TokenKind::Comment, rest.find("*/").map_or(self.source.len(), |at| end + at + 2))
            }
            Some(('=', end)) => (TokenKind::Mark, end),
            _ => (TokenKind::Mark, at),
        }
    }

    /// The end of the literal whose opening quote ends at `at`. One that is not closed ends with its line.
    fn quoted(&self, mut at: usize, quote: char) -> usize {
        while let Some((c, end)) = self.next(at).filter(|(c, _)| *c != '\n') {
            at = match c {
                '\\' => self.next(end).map_or(end, |(_, end)| end),
                _ => end,
            };
            if c == quote {
                break;
            }
        }
        at
    }

    fn number(&self, start: usize, end: usize, first: char) -> (TokenKind, usize) {
        let digit_after = self.next(end).is_some_and(|(c, _)| c.is_ascii_digit());
        if first == '.' && !digit_after {
            return (TokenKind::Mark, self.operator(start).unwrap_or(end));
        }
        let (mut at, mut last) = (end, first);
        while let Some((c, end)) = self.next(at) {
            let is_sign = matches!(c, '+' | '-') && matches!(last, 'e' | 'E' | 'p' | 'P');
            let separates = c == '\'' && self.next(end).is_some_and(|(c, _)| is_name(c));
            if !(is_name(c) || c == '.' || is_sign || separates) {
                break;
            }
            (at, last) = (end, c);
        }
        (TokenKind::Number, at)
    }

    /// A name, or a literal with a prefix.
    fn name(&self, start: usize) -> (TokenKind, usize) {
        let end = self.while_(start, is_name);
        let name = super::unspliced(&self.source[start..end]);
        let quote = self.source[end..].chars().next();
        match (name.as_str(), quote) {
            ("R" | "u8R" | "uR" | "UR" | "LR", Some('"')) => {
                (TokenKind::Text, self.raw(end).unwrap_or_else(|| self.quoted(end + 1, '"')))
            }
            ("u8" | "u" | "U" | "L", Some(quote @ ('"' | '\''))) => {
                (TokenKind::Text, self.quoted(end + 1, quote))
            }
            _ => (TokenKind::Name, end),
        }
    }

    /// The end of the raw string whose opening quote is at `at`. Nothing is special in it.
    fn raw(&self, at: usize) -> Option<usize> {
        let rest = &self.source[at + 1..];
        let open = rest.bytes().take(LONGEST_DELIMITER + 1).position(|byte| byte == b'(')?;
        let (delimiter, contents) = (&rest[..open], &rest[open + 1..]);
        let is_delimiter = |c: char| !c.is_whitespace() && !matches!(c, '"' | '\\' | ')');
        if !delimiter.chars().all(is_delimiter) {
            return None;
        }
        let close = format!("){delimiter}\"");
        let end = contents.find(&close).map_or(contents.len(), |at| at + close.len());
        Some(self.source.len() - contents.len() + end)
    }

    fn operator(&self, at: usize) -> Option<usize> {
        operator(&self.source[at..]).map(|length| at + length)
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}
