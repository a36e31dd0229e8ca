//! Replaces an `if` whose condition is a bug by the branch that the reference takes.

use super::expression::Folded;
use super::pieces::Pieces;
use crate::catalogue::tokens::Kind;
use std::collections::HashSet;
use std::ops::Range;

/// An `if` statement. Indices are those of tokens.
struct If {
    start: usize,
    /// The first and the last token of the branches.
    then: (usize, usize),
    otherwise: Option<(usize, usize)>,
}

impl If {
    fn end(&self) -> usize {
        self.otherwise.unwrap_or(self.then).1
    }
}

/// Replaces the `if` whose whole condition is the constant at `at`.
pub(super) fn fold(pieces: &mut Pieces, at: usize) -> Folded {
    let Some((statement, value)) = find(pieces, at) else { return returned(pieces, at) };
    let before = pieces.before(statement.start);
    let kept = if value { Some(statement.then) } else { statement.otherwise };
    let after_else = pieces.text(before) == "else";
    let is_in_block = matches!(pieces.text(before), "" | "{" | "}" | ";" | ":");
    match (kept, before) {
        (None, Some(before)) if after_else => {
            let from = pieces.before(before).map_or(before, |last| last + 1);
            pieces.remove(from..statement.end() + 1);
        }
        (None, _) if is_in_block => remove(pieces, statement.start, statement.end()),
        (Some(kept), _) if is_in_block => keep_in_block(pieces, &statement, kept),
        (Some((start, end)), _) => {
            pieces.keep(statement.start..statement.end() + 1, start..end + 1);
        }
        (None, _) => return Folded::No,
    }
    Folded::Yes
}

/// Replaces the constant at `at` if a function returns it.
fn returned(pieces: &mut Pieces, at: usize) -> Folded {
    let around = (pieces.text(pieces.before(at)), pieces.text(pieces.after(at)));
    match (around, pieces.value(at)) {
        (("return", ";"), Some(value)) => {
            pieces.write(at, value);
            Folded::Yes
        }
        _ => Folded::No,
    }
}

/// The `if` whose whole condition is the constant at `at`, and the constant's value.
fn find(pieces: &Pieces, at: usize) -> Option<(If, bool)> {
    let value = pieces.value(at)?;
    let (open, close) = (pieces.before(at)?, pieces.after(at)?);
    if (pieces.text(Some(open)), pieces.text(Some(close))) != ("(", ")") {
        return None;
    }
    let mut start = pieces.before(open)?;
    if pieces.text(Some(start)) == "constexpr" {
        start = pieces.before(start)?;
    }
    if pieces.text(Some(start)) != "if" {
        return None;
    }
    let then = pieces.after(close)?;
    let then = (then, statement_end(pieces, then)?);
    Some((If { start, then, otherwise: else_branch(pieces, then.1) }, value))
}

/// The statement after the `else` that follows the token `at`.
fn else_branch(pieces: &Pieces, at: usize) -> Option<(usize, usize)> {
    let word = pieces.after(at).filter(|&word| pieces.text(Some(word)) == "else")?;
    let start = pieces.after(word)?;
    Some((start, statement_end(pieces, start)?))
}

/// The last token of the statement that starts at `at`.
fn statement_end(pieces: &Pieces, at: usize) -> Option<usize> {
    match pieces.text(Some(at)) {
        "{" => pieces.partner(at),
        "if" => {
            let end = after_head(pieces, at)?;
            Some(else_branch(pieces, end).map_or(end, |(_, end)| end))
        }
        "for" | "while" | "switch" => after_head(pieces, at),
        "do" => {
            let body = statement_end(pieces, pieces.after(at)?)?;
            statement_end(pieces, pieces.after(body)?)
        }
        _ => {
            let mut end = at;
            while pieces.text(Some(end)) != ";" {
                if matches!(pieces.text(Some(end)), "(" | "[" | "{") {
                    end = pieces.partner(end)?;
                }
                end = pieces.after(end)?;
            }
            Some(end)
        }
    }
}

/// The end of the statement after the parentheses that follow `at`.
fn after_head(pieces: &Pieces, at: usize) -> Option<usize> {
    let mut open = pieces.after(at)?;
    if pieces.text(Some(open)) == "constexpr" {
        open = pieces.after(open)?;
    }
    statement_end(pieces, pieces.after(pieces.partner(open)?)?)
}

/// Removes statements or declarations with their lines, and with the comment above them.
pub(super) fn remove(pieces: &mut Pieces, start: usize, end: usize) {
    let line = pieces.line_start(start);
    let mut to = end + 1;
    while to < pieces.len()
        && pieces.is_blank(to..to + 1)
        && !pieces.written(end + 1..to).ends_with('\n')
    {
        to += 1;
    }
    let has_lines = pieces.is_blank(line..start) && pieces.written(end + 1..to).ends_with('\n');
    if !has_lines {
        return pieces.remove(start..end + 1);
    }
    let from = comment_above(pieces, line);
    // A gap on both sides becomes one.
    let ends_gap = to < pieces.len() && pieces.written(to..to + 1) == "\n";
    let is_after_gap = pieces.written(from.saturating_sub(2)..from).ends_with("\n\n") || from == 0;
    let is_first = pieces.before(from).is_some_and(|before| pieces.text(Some(before)) == "{");
    pieces.remove(from..to + usize::from(ends_gap && (is_after_gap || is_first)));
}

/// The start of the comment in the lines directly above `line`.
fn comment_above(pieces: &Pieces, line: usize) -> usize {
    let mut from = line;
    while let Some(end) = from.checked_sub(2) {
        let start = pieces.line_start(end);
        let is_comment = pieces.kind(end) == Kind::Comment && pieces.is_blank(start..end);
        if !is_comment {
            break;
        }
        from = start;
    }
    from
}

/// Replaces an `if` in a block by one of its branches: by the contents of a block, unless its names would clash.
fn keep_in_block(pieces: &mut Pieces, statement: &If, (start, end): (usize, usize)) {
    let range = statement.start..statement.end() + 1;
    let is_block = pieces.text(Some(start)) == "{";
    let stays = is_block && clash(pieces, range.clone(), start + 1..end);
    let (first, last) = match contents(pieces, start, end) {
        _ if !is_block || stays => (start, end),
        Some(contents) => contents,
        None => return remove(pieces, range.start, range.end - 1),
    };
    let indent = |at: usize| {
        let line = pieces.line_start(at);
        pieces.is_blank(line..at).then_some(at - line)
    };
    let less = match (indent(first), indent(range.start)) {
        (Some(inner), Some(outer)) if !stays => inner.saturating_sub(outer),
        _ => 0,
    };
    let kept = pieces.dedented(first..last + 1, less);
    let leaves = leaves(pieces, first, last);
    let end = range.start + kept.len() - 1;
    pieces.put(range, kept);
    if leaves {
        remove_rest(pieces, end);
    }
}

/// The first and the last piece in the braces of a block. `None` if there is none.
fn contents(pieces: &Pieces, start: usize, end: usize) -> Option<(usize, usize)> {
    let counts = |at: &usize| pieces.kind(*at) != Kind::Space;
    Some(((start + 1..end).find(counts)?, (start + 1..end).rev().find(counts)?))
}

/// Whether the last statement of a branch always leaves the block.
fn leaves(pieces: &Pieces, first: usize, last: usize) -> bool {
    let mut at = first;
    loop {
        while at < last && matches!(pieces.kind(at), Kind::Space | Kind::Comment) {
            at += 1;
        }
        let Some(end) = statement_end(pieces, at) else { return false };
        match pieces.after(end) {
            Some(next) if next <= last => at = next,
            _ => return matches!(pieces.text(Some(at)), "return" | "break" | "continue" | "throw"),
        }
    }
}

/// Removes what comes after the token `at` in its block, because it is not reached. Code with a label stays.
fn remove_rest(pieces: &mut Pieces, at: usize) {
    let Some(first) = pieces.after(at) else { return };
    let mut end = first;
    while pieces.text(Some(end)) != "}" {
        if matches!(pieces.text(Some(end)), "case" | "default" | ":") {
            return;
        }
        if matches!(pieces.text(Some(end)), "(" | "[" | "{") {
            let Some(close) = pieces.partner(end) else { return };
            end = close;
        }
        let Some(next) = pieces.after(end) else { return };
        end = next;
    }
    if let Some(last) = pieces.before(end).filter(|&last| last >= first) {
        pieces.remove(at + 1..last + 1);
    }
}

/// Whether a name that is declared in a block may have another meaning in the block around it.
fn clash(pieces: &Pieces, range: Range<usize>, inner: Range<usize>) -> bool {
    let is_name = |at: usize| pieces.kind(at) == Kind::Name;
    let is_mark = |at: usize| matches!(pieces.text(Some(at)), "*" | "&" | "&&" | ">");
    let declared: HashSet<_> = inner
        .filter(|&at| is_name(at))
        .filter(|&at| {
            let before = pieces.before(at);
            let follows_type = before.is_some_and(|before| {
                let ends_type =
                    || pieces.before(before).is_some_and(|at| is_name(at) || is_mark(at));
                is_name(before) && pieces.text(Some(before)) != "return"
                    || is_mark(before) && ends_type()
            });
            let after = pieces.text(pieces.after(at));
            follows_type && matches!(after, "=" | ";" | "{" | "(" | "[" | "," | ":")
                || pieces.text(before) == "[" && matches!(after, "," | "]")
        })
        .map(|at| pieces.text(Some(at)).to_owned())
        .collect();
    let around = around(pieces, range.start);
    let others = around.filter(|at| !range.contains(at) && is_name(*at));
    others.into_iter().any(|at| declared.contains(pieces.text(Some(at))))
}

/// The tokens of the block around `at`.
pub(super) fn around(pieces: &Pieces, at: usize) -> Range<usize> {
    let mut start = at;
    while let Some(before) = pieces.before(start) {
        start = match pieces.text(Some(before)) {
            "}" => pieces.partner(before).unwrap_or(0),
            "{" => return before..pieces.partner(before).unwrap_or(pieces.len()),
            _ => before,
        };
    }
    0..pieces.len()
}

/// Removes `#include "subject.h"`.
pub(super) fn remove_include(pieces: &mut Pieces) {
    let is_include = |at: &usize| {
        let words = pieces.before(*at).zip(pieces.before(*at).and_then(|at| pieces.before(at)));
        let words = words.map(|(word, mark)| (pieces.text(Some(mark)), pieces.text(Some(word))));
        let file = pieces.text(Some(*at)).trim_matches('"');
        words == Some(("#", "include"))
            && (file == "subject.h" || file.ends_with("/subject.h"))
            && pieces.kind(*at) == Kind::Text
    };
    let found = (0..pieces.len()).find(is_include);
    let start = found.and_then(|at| pieces.before(at)).and_then(|at| pieces.before(at));
    if let (Some(start), Some(end)) = (start, found) {
        remove(pieces, start, end);
    }
}
