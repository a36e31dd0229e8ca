//! The tokens of Python. White space is not told apart by its meaning.

use super::{Token, TokenKind, operator};

pub fn tokens(source: &str) -> Vec<Token> {
    let mut scanner = Scanner { source, at: 0, depth: 0, tokens: Vec::new() };
    while scanner.at < source.len() {
        scanner.token();
    }
    scanner.tokens
}

/// How deep expressions in f-strings are looked into. Below it, braces are text.
const DEEPEST: usize = 32;

struct Scanner<'a> {
    source: &'a str,
    at: usize,
    /// In so many expressions of f-strings.
    depth: usize,
    tokens: Vec<Token>,
}

/// How a string ends, and what is special in it.
#[derive(Clone, Copy)]
struct Quote {
    mark: char,
    is_triple: bool,
    is_formatted: bool,
}

impl Scanner<'_> {
    fn rest(&self) -> &str {
        &self.source[self.at..]
    }

    fn push(&mut self, kind: TokenKind, end: usize) {
        if end > self.at {
            self.tokens.push(Token { kind, range: self.at..end });
            self.at = end;
        }
    }

    /// The end of the part from here on whose characters are `wanted`.
    fn while_(&self, wanted: impl Fn(char) -> bool) -> usize {
        self.rest().find(|c| !wanted(c)).map_or(self.source.len(), |length| self.at + length)
    }

    fn token(&mut self) {
        let c = self.rest().chars().next().expect("there is text left");
        match c {
            '\\' => {
                let continued = ["\\\n", "\\\r\n"];
                let splice = continued.iter().find(|line| self.rest().starts_with(**line));
                let (kind, length) =
                    splice.map_or((TokenKind::Mark, 1), |it| (TokenKind::Space, it.len()));
                self.push(kind, self.at + length);
            }
            c if c.is_whitespace() => self.push(TokenKind::Space, self.while_(char::is_whitespace)),
            '#' => self.push(TokenKind::Comment, self.while_(|c| c != '\n')),
            '"' | '\'' => self.string(0, ""),
            '0'..='9' => self.push(TokenKind::Number, self.while_(|c| is_name(c) || c == '.')),
            c if is_name(c) => self.name(),
            c => {
                let length = operator(self.rest()).unwrap_or(c.len_utf8());
                self.push(TokenKind::Mark, self.at + length);
            }
        }
    }

    fn name(&mut self) {
        const PREFIXES: [&str; 11] = ["r", "u", "b", "f", "t", "br", "rb", "fr", "rf", "tr", "rt"];
        let end = self.while_(is_name);
        let name = self.source[self.at..end].to_lowercase();
        if self.source[end..].starts_with(['"', '\'']) && PREFIXES.contains(&name.as_str()) {
            self.string(name.len(), &name);
        } else {
            self.push(TokenKind::Name, end);
        }
    }

    /// A string whose opening quote comes after `prefix`, which has this length in the source.
    fn string(&mut self, length: usize, prefix: &str) {
        let quoted = &self.rest()[length..];
        let mark = quoted.chars().next().expect("a string starts with a quote");
        let is_triple = quoted.starts_with(&mark.to_string().repeat(3));
        let is_formatted = prefix.contains(['f', 't']);
        let quote = Quote { mark, is_triple, is_formatted };
        let after = self.at + length + if is_triple { 3 } else { 1 };
        self.text(after, quote, false);
    }

    /// The part of a string up to its end, from `at` on. With `in_format`, it is what follows a colon in braces.
    fn text(&mut self, mut at: usize, quote: Quote, in_format: bool) {
        let close = quote.mark.to_string().repeat(if quote.is_triple { 3 } else { 1 });
        while let Some(c) = self.source[at..].chars().next() {
            let rest = &self.source[at..];
            let next = at + c.len_utf8();
            if rest.starts_with(&close) {
                // In braces, the string's own end closes everything.
                return self.push(TokenKind::Text, if in_format { at } else { at + close.len() });
            }
            match c {
                '\n' if !quote.is_triple => return self.push(TokenKind::Text, at),
                '\\' => {
                    let escaped = if rest.starts_with("\\\r\n") { Some('\n') } else { None };
                    let width = escaped.map_or_else(
                        || self.source[next..].chars().next().map_or(0, char::len_utf8),
                        |_| 2,
                    );
                    at = next + width;
                }
                '{' | '}'
                    if quote.is_formatted
                        && !in_format
                        && rest.starts_with(&c.to_string().repeat(2)) =>
                {
                    at = next + 1;
                }
                '}' if in_format => return self.push(TokenKind::Text, at),
                '{' if quote.is_formatted && self.depth < DEEPEST => {
                    self.push(TokenKind::Text, at);
                    self.push(TokenKind::Mark, next);
                    self.depth += 1;
                    self.braces(quote);
                    self.depth -= 1;
                    at = self.at;
                }
                _ => at = next,
            }
        }
        self.push(TokenKind::Text, self.source.len());
    }

    /// The tokens of an expression in an f-string, after its opening brace, with the closing brace.
    fn braces(&mut self, quote: Quote) {
        let mut depth = 0_usize;
        while let Some(c) = self.rest().chars().next() {
            match c {
                '}' if depth == 0 => return self.push(TokenKind::Mark, self.at + 1),
                ':' if depth == 0 => {
                    self.push(TokenKind::Mark, self.at + 1);
                    self.text(self.at, quote, true);
                    if !self.rest().starts_with('}') {
                        return;
                    }
                }
                '(' | '[' | '{' => {
                    depth += 1;
                    self.token();
                }
                ')' | ']' | '}' => {
                    depth = depth.saturating_sub(1);
                    self.token();
                }
                _ => self.token(),
            }
        }
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
