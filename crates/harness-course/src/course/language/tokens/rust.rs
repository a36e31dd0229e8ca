//! The tokens of Rust. Macros are not expanded.

use super::{Token, TokenKind, operator};

pub fn tokens(source: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = source[at..].chars().next() {
        let (kind, length) = token(&source[at..], first);
        tokens.push(Token { kind, range: at..at + length });
        at += length;
    }
    tokens
}

/// The token that a text starts with, and its length.
fn token(text: &str, first: char) -> (TokenKind, usize) {
    match first {
        '/' if text.starts_with("//") => {
            (TokenKind::Comment, text.find('\n').unwrap_or(text.len()))
        }
        '/' if text.starts_with("/*") => (TokenKind::Comment, comment(text)),
        '"' => (TokenKind::Text, quoted(text, 1, '"')),
        // The quote of a lifetime is a token of its own.
        '\'' => character(text).map_or((TokenKind::Mark, 1), |length| (TokenKind::Text, length)),
        '0'..='9' => (TokenKind::Number, number(text)),
        c if c.is_whitespace() => (TokenKind::Space, c.len_utf8()),
        c if is_name(c) => name(text),
        c => (TokenKind::Mark, operator(text).unwrap_or(c.len_utf8())),
    }
}

/// The length of a comment in `/*` and `*/`, which may contain others.
fn comment(text: &str) -> usize {
    let (mut at, mut depth) = (2, 1);
    while depth > 0 {
        match text.as_bytes().get(at..at + 2) {
            Some(b"/*") => (at, depth) = (at + 2, depth + 1),
            Some(b"*/") => (at, depth) = (at + 2, depth - 1),
            Some(_) => at += 1,
            None => return text.len(),
        }
    }
    at
}

/// The length of the literal whose first `open` bytes end with its opening quote.
fn quoted(text: &str, open: usize, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text[open..].char_indices() {
        if c == quote && !is_escaped {
            return open + at + 1;
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    text.len()
}

/// The length of the character that starts with this quote. `None` for a lifetime.
fn character(text: &str) -> Option<usize> {
    let first = text[1..].chars().next()?;
    let end = 1 + first.len_utf8();
    match first {
        '\\' => Some(quoted(text, 1, '\'')),
        _ => text[end..].starts_with('\'').then_some(end + 1),
    }
}

fn number(text: &str) -> usize {
    let mut end = length_of_name(text);
    let is_field_or_range =
        |rest: &str| rest.starts_with(|c: char| c == '.' || is_name(c) && !c.is_ascii_digit());
    if let Some(rest) = text[end..].strip_prefix('.').filter(|rest| !is_field_or_range(rest)) {
        end += 1 + length_of_name(rest);
    }
    let (number, rest) = text.split_at(end);
    let has_exponent = number.ends_with(['e', 'E']) && !number.starts_with("0x");
    if has_exponent && rest.starts_with(['+', '-']) {
        end += 1 + length_of_name(&rest[1..]);
    }
    end
}

/// A name, or a literal with a prefix.
fn name(text: &str) -> (TokenKind, usize) {
    let end = length_of_name(text);
    let (name, rest) = text.split_at(end);
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    let literal = match (name, rest[hashes..].chars().next()) {
        ("r" | "br" | "cr", Some('"')) => Some(raw(text, end + hashes + 1, hashes)),
        ("b" | "c", Some('"')) if hashes == 0 => Some(quoted(text, end + 1, '"')),
        ("b", Some('\'')) if hashes == 0 => character(rest).map(|length| end + length),
        ("r", Some(c)) if hashes == 1 && is_name(c) => {
            return (TokenKind::Name, end + 1 + length_of_name(&rest[1..]));
        }
        _ => None,
    };
    literal.map_or((TokenKind::Name, end), |length| (TokenKind::Text, length))
}

/// The length of the raw string whose first `open` bytes end with its opening quote. Nothing is special in it.
fn raw(text: &str, open: usize, hashes: usize) -> usize {
    let close = format!("\"{}", "#".repeat(hashes));
    text[open..].find(&close).map_or(text.len(), |at| open + at + close.len())
}

fn length_of_name(text: &str) -> usize {
    text.find(|c| !is_name(c)).unwrap_or(text.len())
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
