//! Removes functions and variables that only bugs used.

use super::expression::has_effect;
use super::pieces::Pieces;
use super::statement;
use crate::catalogue::tokens::Kind;
use std::collections::HashMap;
use std::ops::Range;

/// Removes what is named once in `all`, where it is declared, and was named more often in the `originals`.
pub(super) fn remove(all: &mut [Pieces], originals: &[Pieces]) {
    let before = counts(originals);
    loop {
        let now = counts(all);
        let is_unused = |name: &str| now[name] == 1 && before[name] > 1;
        let found = all.iter().enumerate().find_map(|(file, pieces)| {
            let names = (0..pieces.len()).filter(|&at| pieces.kind(at) == Kind::Name);
            let mut unused = names.filter(|&at| is_unused(pieces.text(Some(at))));
            unused.find_map(|at| Some((file, declaration(pieces, at)?)))
        });
        let Some((file, range)) = found else { return };
        statement::remove(&mut all[file], range.start, range.end - 1);
    }
}

fn counts(all: &[Pieces]) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for name in all.iter().flat_map(Pieces::names) {
        *counts.entry(name.to_owned()).or_default() += 1;
    }
    counts
}

/// The declaration of the name at `at`, if it can be removed: a function that is not a member of a class, or a variable whose value
/// has no effect.
fn declaration(pieces: &Pieces, at: usize) -> Option<Range<usize>> {
    let before = pieces.before(at)?;
    let has_type = pieces.kind(before) == Kind::Name && pieces.text(Some(before)) != "return"
        || matches!(pieces.text(Some(before)), "*" | "&" | ">");
    if !has_type {
        return None;
    }
    let start = start(pieces, at)?;
    let next = pieces.after(at)?;
    let end = match pieces.text(Some(next)) {
        "(" => {
            let body = pieces.after(pieces.partner(next)?)?;
            (pieces.text(Some(body)) == "{").then(|| pieces.partner(body))??
        }
        "=" | ";" => {
            let end = end(pieces, next)?;
            if has_effect(pieces, next + 1..end) {
                return None;
            }
            end
        }
        _ => return None,
    };
    Some(start..end + 1)
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
