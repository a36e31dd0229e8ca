//! Removes functions and variables that only bugs used.

mod changing;

use super::expression::{has_effect, is_primary};
use super::pieces::Pieces;
use super::statement;
use crate::catalogue::tokens::Kind;
use std::collections::HashMap;
use std::ops::Range;

/// A declaration that nothing uses.
struct Unused {
    file: usize,
    /// What to remove: all of it, or the part before a call that must stay.
    range: Range<usize>,
    is_whole: bool,
}

/// Removes what is named once, where it is declared, and was named more often in the `originals`.
pub(super) fn remove(all: &mut [Pieces], originals: &[Pieces]) {
    let before = counts(originals);
    while let Some(Unused { file, range, is_whole }) = find(all, &before) {
        if is_whole {
            statement::remove(&mut all[file], range.start, range.end - 1);
        } else {
            all[file].remove(range);
        }
    }
}

fn find(all: &[Pieces], before: &HashMap<String, usize>) -> Option<Unused> {
    let now = counts(all);
    all.iter().enumerate().find_map(|(file, pieces)| {
        let names = (0..pieces.len()).filter(|&at| pieces.kind(at) == Kind::Name);
        let mut unused = names.filter(|&at| {
            let name = pieces.text(Some(at));
            let count = now.get(name).copied().unwrap_or_default();
            let is_less = before.get(name).is_some_and(|before| count < *before);
            is_less && (count == 1 || is_once_in_block(pieces, at))
        });
        unused.find_map(|at| declaration(all, file, at))
    })
}

fn counts(all: &[Pieces]) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for name in all.iter().flat_map(Pieces::names) {
        *counts.entry(name.to_owned()).or_default() += 1;
    }
    counts
}

/// Whether a local variable has this name, and its block names it nowhere else.
fn is_once_in_block(pieces: &Pieces, at: usize) -> bool {
    let block = statement::around(pieces, at);
    // The body of a class or a namespace follows a name.
    let header = pieces.before(block.start).map_or("", |before| pieces.text(Some(before)));
    let is_code = pieces.text(Some(block.start)) == "{"
        && matches!(header, ")" | "{" | "}" | ";" | "else" | "do" | "try" | "const" | "noexcept");
    let name = pieces.text(Some(at));
    is_code && block.into_iter().filter(|&other| pieces.text(Some(other)) == name).count() == 1
}

/// The declaration of the name at `at`, if it can be removed: a function that is not a member of a class, or a variable. If the
/// variable's value is a call that may change something, the call stays.
fn declaration(all: &[Pieces], file: usize, at: usize) -> Option<Unused> {
    let pieces = &all[file];
    let before = pieces.before(at)?;
    let has_type = pieces.kind(before) == Kind::Name && pieces.text(Some(before)) != "return"
        || matches!(pieces.text(Some(before)), "*" | "&" | ">");
    if !has_type {
        return None;
    }
    let start = start(pieces, at)?;
    let next = pieces.after(at)?;
    let whole = |end| Some(Unused { file, range: start..end + 1, is_whole: true });
    match pieces.text(Some(next)) {
        "(" => {
            let body = pieces.after(pieces.partner(next)?)?;
            (pieces.text(Some(body)) == "{").then(|| pieces.partner(body))?.and_then(whole)
        }
        ";" => whole(next),
        "=" => {
            let end = end(pieces, next)?;
            let value = pieces.after(next)?..pieces.before(end)? + 1;
            if has_effect(pieces, value.clone()) {
                None
            } else if changing::calls(all, pieces, value.clone()) {
                let range = start..value.start;
                is_primary(pieces, value).then_some(Unused { file, range, is_whole: false })
            } else {
                whole(end)
            }
        }
        _ => None,
    }
}

/// The first token of the declaration of the name at `at`. `None` if it is a part of another one.
fn start(pieces: &Pieces, at: usize) -> Option<usize> {
    let mut start = at;
    while let Some(before) = pieces.before(start) {
        match pieces.text(Some(before)) {
            ";" | "{" | "}" => return Some(start),
            // The end of a directive.
            _ if pieces.line_start(start) > before && is_directive(pieces, before) => {
                return Some(start);
            }
            "(" | ")" | "," | "=" | "return" => return None,
            _ => start = before,
        }
    }
    Some(start)
}

fn is_directive(pieces: &Pieces, at: usize) -> bool {
    let line = pieces.line_start(at);
    (line..=at)
        .find(|&at| pieces.kind(at) != Kind::Space)
        .is_some_and(|first| pieces.text(Some(first)) == "#")
}

/// The semicolon after `at`, if only one variable is declared.
fn end(pieces: &Pieces, mut at: usize) -> Option<usize> {
    loop {
        match pieces.text(Some(at)) {
            ";" => return Some(at),
            "," => return None,
            "(" | "[" | "{" => at = pieces.partner(at)?,
            _ => {}
        }
        at = pieces.after(at)?;
    }
}
