//! Counts the uses of each name. Declarations and imports are not uses.

use proc_macro2::{LineColumn, Spacing, TokenStream, TokenTree};
use std::collections::HashMap;

/// The keywords that declare the next name.
const DECLARING: [&str; 8] = ["fn", "const", "static", "struct", "enum", "type", "mod", "trait"];

/// The number of uses of each name.
#[derive(Default)]
pub(super) struct Names {
    all: HashMap<String, usize>,
    /// The same without those after `.` or `::`. Uses of an import are never after one of these.
    bare: HashMap<String, usize>,
}

impl Names {
    /// Counts the names in a text of whole tokens.
    pub(super) fn of(text: &str) -> Self {
        let mut names = Self::default();
        names.add(text.parse().unwrap_or_default());
        names
    }

    pub(super) fn of_all<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut names = Self::default();
        texts.for_each(|text| names.add(text.parse().unwrap_or_default()));
        names
    }

    pub(super) fn uses(&self, name: &str) -> usize {
        self.all.get(name).copied().unwrap_or(0)
    }

    pub(super) fn bare_uses(&self, name: &str) -> usize {
        self.bare.get(name).copied().unwrap_or(0)
    }

    pub(super) fn into_names(self) -> impl Iterator<Item = String> {
        self.all.into_keys()
    }

    fn add(&mut self, tokens: TokenStream) {
        let (mut declares, mut is_part, mut before) = (false, false, None);
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            let declared = std::mem::take(&mut declares);
            let is_bare = !std::mem::take(&mut is_part);
            match token {
                TokenTree::Ident(ident) => {
                    let name = ident.to_string();
                    let captures = matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == '<');
                    if name == "use" && !captures {
                        tokens.by_ref().find(|token| token.to_string() == ";");
                    }
                    declares = DECLARING.contains(&name.as_str());
                    if !declared {
                        self.count(&name, is_bare);
                    }
                }
                TokenTree::Group(group) => self.add(group.stream()),
                TokenTree::Literal(literal) => self.add_captured(&literal.to_string()),
                TokenTree::Punct(punct) => {
                    // `.name` and `::name`, but not `..name` or `: name`.
                    let mark = punct.as_char();
                    is_part =
                        mark == '.' && before != Some('.') || mark == ':' && before == Some(':');
                    before = (punct.spacing() == Spacing::Joint).then_some(mark);
                }
            }
        }
    }

    /// The names that a format string captures.
    fn add_captured(&mut self, literal: &str) {
        for part in literal.split('{').skip(1) {
            let end = part.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(part.len());
            self.count(&part[..end], true);
        }
    }

    fn count(&mut self, name: &str, is_bare: bool) {
        *self.all.entry(name.to_owned()).or_default() += 1;
        *self.bare.entry(name.to_owned()).or_default() += usize::from(is_bare);
    }
}

/// How often a text of whole tokens uses a name.
pub(super) fn mentions(text: &str, name: &str) -> usize {
    // Searching for the letters is faster than parsing the tokens.
    if text.contains(name) { Names::of(text).uses(name) } else { 0 }
}

/// The position where a text of whole tokens first calls a macro, also inside the definition of another.
pub(super) fn macro_call(text: &str, name: &str) -> Option<LineColumn> {
    fn find(tokens: TokenStream, name: &str) -> Option<LineColumn> {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            let is_call =
                matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == '!');
            match token {
                TokenTree::Ident(ident) if is_call && ident == name => {
                    return Some(ident.span().start());
                }
                TokenTree::Group(group) => match find(group.stream(), name) {
                    None => {}
                    found => return found,
                },
                _ => {}
            }
        }
        None
    }
    find(Some(text).filter(|text| text.contains(name))?.parse().ok()?, name)
}
