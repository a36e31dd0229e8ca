//! Which functions of a program may change something, by their declarations.

use super::Pieces;
use super::statement;
use crate::catalogue::tokens::Kind;
use std::ops::Range;

/// Whether a function that is called in `range` of `pieces` may change something. Functions that no source in `all` declares do not.
pub(super) fn calls(all: &[Pieces], pieces: &Pieces, mut range: Range<usize>) -> bool {
    range.any(|at| {
        let is_call = pieces.kind(at) == Kind::Name && pieces.text(pieces.after(at)) == "(";
        is_call && changes(all, pieces.text(Some(at)))
    })
}

/// Whether a function `name` may change something: a method that has no `const` form, or a function with a pointer or a reference to
/// something that is not `const`.
fn changes(all: &[Pieces], name: &str) -> bool {
    let mut changes = false;
    for pieces in all {
        for at in (0..pieces.len()).filter(|&at| pieces.text(Some(at)) == name) {
            let Some((open, close)) = parameters(pieces, at) else { continue };
            if pieces.text(pieces.after(close)) == "const" {
                return false;
            }
            changes |= is_method(pieces, at) || changes_a_parameter(pieces, open + 1..close);
        }
    }
    changes
}

/// The parentheses of the parameters, if a function is declared at `at`.
fn parameters(pieces: &Pieces, at: usize) -> Option<(usize, usize)> {
    let (before, open) = (pieces.before(at)?, pieces.after(at)?);
    let close = (pieces.text(Some(open)) == "(").then(|| pieces.partner(open))??;
    let next = pieces.text(pieces.after(close));
    let is_declared = match pieces.text(Some(before)) {
        "::" => matches!(next, "{" | "const" | "noexcept"),
        "return" | "else" | "throw" => false,
        "*" | "&" | ">" => matches!(next, "{" | "const" | "noexcept" | ";"),
        _ => pieces.kind(before) == Kind::Name && matches!(next, "{" | "const" | "noexcept" | ";"),
    };
    is_declared.then_some((open, close))
}

/// Whether the function that is declared at `at` belongs to a class.
fn is_method(pieces: &Pieces, at: usize) -> bool {
    if pieces.text(pieces.before(at)) == "::" {
        return true;
    }
    let block = statement::around(pieces, at);
    let mut at = block.start;
    while let Some(before) = pieces.before(at) {
        match pieces.text(Some(before)) {
            "class" | "struct" => return true,
            ";" | "{" | "}" | ")" => return false,
            _ => at = before,
        }
    }
    false
}

fn changes_a_parameter(pieces: &Pieces, range: Range<usize>) -> bool {
    let tokens: Vec<_> = range.map(|at| pieces.text(Some(at))).collect();
    let mut parameters = tokens.split(|token| *token == ",");
    parameters.any(|words| {
        words.iter().any(|word| matches!(*word, "&" | "*")) && !words.contains(&"const")
    })
}
