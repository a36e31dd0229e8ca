//! Replaces a bug in an expression: `!`, `&&`, `||`, `?:` and parentheses around it.

use super::pieces::Pieces;
use crate::catalogue::tokens::Kind;
use std::ops::Range;

/// Whether a bug could be replaced by something simpler.
pub(super) enum Folded {
    Yes,
    No,
    /// Something with an effect would have to be removed. It is beside the bug at this index.
    Effect(usize),
}

/// Simplifies the expression around the constant at `at` by one step.
pub(super) fn fold(pieces: &mut Pieces, at: usize) -> Folded {
    let Some(value) = pieces.value(at) else { return Folded::No };
    let (before, after) = (pieces.before(at), pieces.after(at));
    match (pieces.text(before), pieces.text(after)) {
        ("!", _) => {
            pieces.fold(before.unwrap_or(at)..=at, at, !value);
            Folded::Yes
        }
        ("(", ")") if is_group(pieces, before) => {
            pieces.fold(before.unwrap_or(at)..=after.unwrap_or(at), at, value);
            Folded::Yes
        }
        (left, right) if !starts(left) || !ends(right) => Folded::No,
        (left, right) if left == "&&" || right == "&&" => chain(pieces, at, "&&", false),
        (left, right) if left == "||" || right == "||" => chain(pieces, at, "||", true),
        (_, "?") => choose(pieces, at, value),
        ("?", ":") => branches(pieces, at, value),
        _ => Folded::No,
    }
}

/// Whether an expression can start after this token.
fn starts(token: &str) -> bool {
    const BEFORE: [&str; 12] = ["", "(", "[", "{", "}", ",", ";", "return", "?", ":", "&&", "||"];
    BEFORE.contains(&token) || is_assignment(token)
}

/// Whether an expression can end before this token.
fn ends(token: &str) -> bool {
    matches!(token, ")" | "]" | "}" | "," | ";" | "?" | ":" | "&&" | "||")
}

/// Whether the parenthesis only groups: it belongs to no call, and to no statement.
fn is_group(pieces: &Pieces, parenthesis: Option<usize>) -> bool {
    let Some(before) = parenthesis.and_then(|at| pieces.before(at)) else { return true };
    match pieces.kind(before) {
        Kind::Name => matches!(pieces.text(Some(before)), "return" | "&&" | "||" | "!"),
        Kind::Mark => !matches!(pieces.text(Some(before)), ")" | "]" | ">" | "}"),
        _ => false,
    }
}

/// The start of the operands of `operator` that end before `at`.
fn left(pieces: &Pieces, at: usize, operator: &str) -> usize {
    let mut start = at;
    while let Some(before) = pieces.before(start) {
        let token = pieces.text(Some(before));
        let is_tighter = operator != "&&" && matches!(token, "&&" | "||");
        let value = if token == "}" { braced_value(pieces, before) } else { None };
        if starts(token) && token != operator && !is_tighter && value.is_none() {
            break;
        }
        start = match token {
            ")" | "]" => pieces.partner(before).unwrap_or(before),
            _ => value.unwrap_or(before),
        };
    }
    start
}

/// The opening brace of a value such as `Place{0, 0}` that ends at `at`. `None` if the braces are a block.
fn braced_value(pieces: &Pieces, at: usize) -> Option<usize> {
    let open = pieces.partner(at)?;
    let before = pieces.before(open)?;
    let word = pieces.text(Some(before));
    let is_type = pieces.kind(before) == Kind::Name && !matches!(word, "else" | "do" | "try");
    (is_type || word == ">").then_some(open)
}

fn is_assignment(token: &str) -> bool {
    token.ends_with('=') && !matches!(token, "==" | "!=" | "<=" | ">=")
}

/// The end of the operands of `operator` that start after `at`. With `:`, that is the rest of a conditional expression.
fn right(pieces: &Pieces, at: usize, operator: &str) -> usize {
    let (mut end, mut open) = (at, 0_usize);
    while let Some(after) = pieces.after(end) {
        match pieces.text(Some(after)) {
            ")" | "]" | "}" | "," | ";" => break,
            "||" if operator == "&&" => break,
            "?" | ":" if operator != ":" => break,
            "?" => open += 1,
            ":" if open == 0 => break,
            ":" => open -= 1,
            _ => {}
        }
        end = match pieces.text(Some(after)) {
            "(" | "[" | "{" => pieces.partner(after).unwrap_or(after),
            _ => after,
        };
    }
    end
}

/// Simplifies operands of `&&` or `||`. `decides` is the value of an operand that decides the whole.
fn chain(pieces: &mut Pieces, at: usize, operator: &str, decides: bool) -> Folded {
    let value = pieces.value(at).unwrap_or_default();
    let (start, end) = (left(pieces, at, operator), right(pieces, at, operator));
    if value == decides {
        if has_effect(pieces, start..at) {
            return Folded::Effect(at);
        }
        pieces.fold(start..=end, at, value);
        return Folded::Yes;
    }
    let (before, after) = (pieces.before(at), pieces.after(at));
    if pieces.text(before) == operator {
        let from = before.and_then(|before| pieces.before(before)).map_or(0, |before| before + 1);
        pieces.remove(from..at + 1);
    } else {
        let to = after.and_then(|after| pieces.after(after)).unwrap_or(end);
        pieces.remove(at..to);
    }
    Folded::Yes
}

/// Replaces `bug ? wrong : right` by the correct branch.
fn choose(pieces: &mut Pieces, at: usize, value: bool) -> Folded {
    let Some(question) = pieces.after(at) else { return Folded::No };
    let Some(colon) = colon(pieces, question) else { return Folded::No };
    let end = right(pieces, colon, ":") + 1;
    let branch = if value { question + 1..colon } else { colon + 1..end };
    let kept = trimmed(pieces, branch);
    let (open, close) = (pieces.before(at), pieces.after(end - 1));
    let is_grouped =
        pieces.text(open) == "(" && pieces.text(close) == ")" && is_group(pieces, open);
    match (open, close) {
        (Some(open), Some(close)) if is_grouped && is_primary(pieces, kept.clone()) => {
            pieces.keep(open..close + 1, kept);
        }
        _ => pieces.keep(at..end, kept),
    }
    Folded::Yes
}

/// The colon that belongs to this question mark.
fn colon(pieces: &Pieces, question: usize) -> Option<usize> {
    let (mut at, mut open) = (question, 0_usize);
    loop {
        at = pieces.after(at)?;
        match pieces.text(Some(at)) {
            "(" | "[" | "{" => at = pieces.partner(at)?,
            "?" => open += 1,
            ":" if open == 0 => return Some(at),
            ":" => open -= 1,
            ")" | "]" | "}" | ";" => return None,
            _ => {}
        }
    }
}

/// Replaces `condition ? bug : bug`, if both branches have the same value.
fn branches(pieces: &mut Pieces, at: usize, value: bool) -> Folded {
    let colon = pieces.after(at);
    let other = colon.and_then(|colon| pieces.after(colon));
    let is_last = other.and_then(|other| pieces.after(other));
    let is_same = other.is_some_and(|other| pieces.value(other) == Some(value));
    let (Some(question), Some(other)) = (pieces.before(at), other) else { return Folded::No };
    if !is_same || !matches!(pieces.text(is_last), ")" | ";" | ",") {
        return Folded::No;
    }
    let start = left(pieces, question, "?");
    if has_effect(pieces, start..question) {
        return Folded::Effect(at);
    }
    pieces.fold(start..=other, at, value);
    Folded::Yes
}

/// Without white space at both ends.
fn trimmed(pieces: &Pieces, range: Range<usize>) -> Range<usize> {
    let is_space = |at: &usize| pieces.kind(*at) == Kind::Space;
    let start = range.clone().find(|at| !is_space(at)).unwrap_or(range.end);
    let end = range.rev().find(|at| !is_space(at)).map_or(start, |at| at + 1);
    start..end
}

/// Whether no operator around this expression could tear it apart: a name or a literal, with calls, indices and members.
pub(super) fn is_primary(pieces: &Pieces, range: Range<usize>) -> bool {
    let mut at = range.start;
    while at < range.end {
        at = match (pieces.kind(at), pieces.text(Some(at))) {
            (Kind::Name | Kind::Number | Kind::Text, _) | (_, "." | "->" | "::") => at + 1,
            (_, "(" | "[") => pieces.partner(at).map_or(range.end, |close| close + 1),
            _ => return false,
        };
    }
    true
}

/// Functions of the standard libraries that change something.
#[rustfmt::skip]
const CHANGING: [&str; 25] = [
    "clear", "emplace", "emplace_back", "erase", "exit", "fgetc", "fgets", "fputs", "fscanf",
    "get", "getc", "getchar", "getline", "ignore", "insert", "pop", "pop_back", "pop_front",
    "printf", "push", "push_back", "push_front", "putchar", "puts", "scanf",
];

/// Whether these tokens certainly have an effect. The functions of the course that are called in a condition beside a bug are not
/// expected to have one.
pub(super) fn has_effect(pieces: &Pieces, range: Range<usize>) -> bool {
    range.into_iter().any(|at| {
        let token = pieces.text(Some(at));
        let calls = || pieces.text(pieces.after(at)) == "(";
        let is_call = pieces.kind(at) == Kind::Name && CHANGING.contains(&token) && calls();
        matches!(token, "++" | "--" | "=" | "new" | "delete" | "throw")
            || is_assignment(token)
            || is_call
    })
}
