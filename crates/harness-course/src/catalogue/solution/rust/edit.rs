//! Edits of a text: replacing a range, and removing a statement with its comments.

use std::ops::Range;
use syn::spanned::Spanned;

/// A range of bytes, and its replacement.
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

impl Edit {
    pub(super) fn new(range: Range<usize>, text: impl Into<String>) -> Self {
        Self { range, text: text.into() }
    }

    /// Removes a statement, an item or a match arm, with the comments directly above it.
    pub(super) fn removal(source: &str, range: Range<usize>) -> Self {
        Self::new(whole_lines(source, range), "")
    }
}

/// The range of a syntax node in bytes.
pub(super) fn range(node: &impl Spanned) -> Range<usize> {
    node.span().byte_range()
}

/// Applies the edits. If two overlap, only the first is applied.
pub(super) fn apply(source: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let mut text = String::with_capacity(source.len());
    let mut at = 0;
    for Edit { range, text: new } in edits {
        if range.start >= at {
            text.push_str(&source[at..range.start]);
            text.push_str(&new);
            at = range.end;
        }
    }
    text.push_str(&source[at..]);
    text
}

fn whole_lines(source: &str, Range { start, end }: Range<usize>) -> Range<usize> {
    let first = source[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let rest = source[end..].find('\n').map_or(source.len(), |newline| end + newline + 1);
    let behind = source[end..rest].trim();
    let shares_its_lines =
        !source[first..start].trim().is_empty() || !(behind.is_empty() || behind.starts_with("//"));
    if shares_its_lines {
        return start..end;
    }
    let mut first = first;
    while let Some(line) = source[..first].trim_end_matches([' ', '\t']).strip_suffix('\n') {
        let above = line.rfind('\n').map_or(0, |newline| newline + 1);
        let text = line[above..].trim_start();
        if !text.starts_with("//") || text.starts_with("//!") {
            break;
        }
        first = above;
    }
    // If there are blank lines on both sides, keep one.
    let is_blank_above =
        first == 0 || source[..first].ends_with("\n\n") || source[..first].ends_with("{\n");
    let rest = if is_blank_above && source[rest..].starts_with('\n') { rest + 1 } else { rest };
    first..rest
}
