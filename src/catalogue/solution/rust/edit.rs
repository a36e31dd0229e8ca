//! Changes to a text: what to replace, and how to take out a statement with all that belongs to it.

use std::ops::Range;
use syn::spanned::Spanned;

/// One range of bytes, and what replaces it.
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

impl Edit {
    pub(super) fn new(range: Range<usize>, text: impl Into<String>) -> Self {
        Self { range, text: text.into() }
    }

    /// Removes a statement, an item or a match arm: its lines, and the comments that stand directly above it.
    pub(super) fn removal(source: &str, range: Range<usize>) -> Self {
        Self::new(whole_lines(source, range), "")
    }
}

/// The bytes of a piece of syntax.
pub(super) fn range(node: &impl Spanned) -> Range<usize> {
    node.span().byte_range()
}

/// Applies edits that do not overlap; of two that do, only the first.
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
    // Of the blank lines on either side, one is enough.
    let is_blank_above =
        first == 0 || source[..first].ends_with("\n\n") || source[..first].ends_with("{\n");
    let rest = if is_blank_above && source[rest..].starts_with('\n') { rest + 1 } else { rest };
    first..rest
}
