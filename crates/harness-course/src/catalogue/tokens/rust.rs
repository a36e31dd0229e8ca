//! The tokens of Rust, as the compiler's own scanner finds them, and the comments between them.

use super::{Kind, Token, operator};
use proc_macro2::{Delimiter, LexError, TokenStream, TokenTree};

/// # Errors
/// If the source is not Rust.
pub fn tokens(source: &str) -> Result<Vec<Token>, LexError> {
    let stream = source.parse()?;
    let mut scanner = Scanner { source, at: 0, tokens: Vec::new() };
    scanner.stream(stream);
    scanner.gap(source.len());
    Ok(scanner.tokens)
}

struct Scanner<'a> {
    source: &'a str,
    at: usize,
    tokens: Vec<Token>,
}

impl Scanner<'_> {
    fn stream(&mut self, stream: TokenStream) {
        for tree in stream {
            let range = tree.span().byte_range();
            match tree {
                TokenTree::Group(group) if group.delimiter() != Delimiter::None => {
                    self.token(Kind::Mark, range.start, range.start + 1);
                    self.stream(group.stream());
                    self.token(Kind::Mark, range.end - 1, range.end);
                }
                TokenTree::Group(group) => self.stream(group.stream()),
                TokenTree::Ident(_) => self.token(Kind::Name, range.start, range.end),
                TokenTree::Literal(_) => self.token(Kind::Text, range.start, range.end),
                TokenTree::Punct(_) => {
                    let length = operator(&self.source[range.start..]).unwrap_or(1);
                    // The tokens of a documentation comment all have its range.
                    let is_comment = range.len() > 1;
                    let kind = if is_comment { Kind::Comment } else { Kind::Mark };
                    let end = if is_comment { range.end } else { range.start + length };
                    self.token(kind, range.start, end);
                }
            }
        }
    }

    /// Adds a token, unless it is in the previous one.
    fn token(&mut self, kind: Kind, start: usize, end: usize) {
        if start >= self.at {
            self.gap(start);
            self.push(kind, end);
        }
    }

    fn push(&mut self, kind: Kind, end: usize) {
        self.tokens.push(Token { kind, range: self.at..end });
        self.at = end;
    }

    /// The white space and the comments before `end`.
    fn gap(&mut self, end: usize) {
        while let Some(c) = self.source[self.at..end].chars().next() {
            let rest = &self.source[self.at..end];
            let (kind, length) = if rest.starts_with("//") {
                (Kind::Comment, rest.find('\n').unwrap_or(rest.len()))
            } else if rest.starts_with("/*") {
                (Kind::Comment, rest.rfind("*/").map_or(rest.len(), |at| at + 2))
            } else {
                (Kind::Space, c.len_utf8())
            };
            self.push(kind, self.at + length);
        }
    }
}
