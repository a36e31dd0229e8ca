//! Removes the bugs from sources, and what they need: an import, a header, and the count of steps.
//!
//! The solution is the source without some of its tokens. So comments and layout stay, and there is no syntax tree. Only the forms that
//! docs/adding-an-assignment.md lists are replaced. Every other form is refused with its place.

use super::SourceFile;
use super::pieces::{Pieces, Refused};
use crate::course::language::{Grammar, Marks};
use crate::diagnostic::{Failure, Place, Problem};
use std::ops::Range;
use std::path::Path;

/// Removes the bugs from the sources in `folder`.
///
/// # Errors
/// If a bug has a form that cannot be replaced.
pub(super) fn clean(files: &mut [SourceFile], marks: &Marks, folder: &Path) -> Result<(), Failure> {
    for file in files {
        let path = folder.join(&file.path);
        let mut pieces = Pieces::new(marks, &file.text);
        remove_imports(&mut pieces);
        remove_bugs(&mut pieces, marks).map_err(|(at, why)| {
            let (message, hint) = texts(marks, why);
            let place = Place::at_offset(&path, &file.text, at);
            Failure::broken_course(Problem::new(message).at(place).hint(hint))
        })?;
        remove_steps(&mut pieces);
        file.text = pieces.to_string();
    }
    Ok(())
}

fn texts(marks: &Marks, why: Refused) -> (String, &'static str) {
    let mark = marks.name;
    match why {
        Refused::Effect => (
            format!("the condition before this `{mark}` has an effect, so it cannot be removed"),
            "put the bug first, or move the effect to a statement of its own",
        ),
        Refused::Form => {
            (format!("this `{mark}` cannot be replaced by its correct branch"), marks.forms)
        }
    }
}

/// Removes all bugs. An error has the place of the bug.
fn remove_bugs(pieces: &mut Pieces<'_>, marks: &Marks) -> Result<(), (usize, Refused)> {
    let (owner, name) = marks.parts();
    for at in 0..pieces.len() {
        let Some(bug) = call(pieces, at, name, owner) else { continue };
        let start = pieces.start(if owner.is_some() { bug.start } else { at });
        let removed = match pieces.fold(bug) {
            Ok(Some(condition)) => pieces.replace(&condition),
            Ok(None) => Ok(()),
            Err(why) => Err(why),
        };
        removed.map_err(|why| (start, why))?;
    }
    Ok(())
}

/// The call of a macro or function, if its name is at this place. It belongs to `owner`, if there is one.
fn call(pieces: &Pieces<'_>, at: usize, name: &str, owner: Option<&str>) -> Option<Range<usize>> {
    if pieces.word(at) != name || !pieces.is_name(at) || !pieces.counts(at) {
        return None;
    }
    let before = pieces.before(at);
    let start = match pieces.word(before) {
        "def" | "class" | "define" | "->" => return None,
        "." | "::" => {
            let owner = owner.unwrap_or("subject");
            Some(pieces.before(before)).filter(|&it| pieces.word(it) == owner)?
        }
        _ if owner.is_some() => return None,
        _ => at,
    };
    let mark = if pieces.grammar == Grammar::Rust { pieces.after(at) } else { at };
    let open = pieces.after(mark);
    let is_call = pieces.word(open) == "(" && (mark == at || pieces.word(mark) == "!");
    Some(start..pieces.partner(open).ok().filter(|_| is_call)? + 1)
}

/// Removes what imports the names of this crate.
fn remove_imports(pieces: &mut Pieces<'_>) {
    for at in 0..pieces.len() {
        let before = pieces.before(at);
        if !pieces.counts(at) {
            continue;
        }
        match (pieces.grammar, pieces.word(before), pieces.word(at)) {
            (Grammar::Rust, "use", "subject") => remove_names(pieces, before),
            (Grammar::Rust, "mod", "bugs") if pieces.word(pieces.after(at)) == "{" => {
                if let Ok(end) = pieces.partner(pieces.after(at)) {
                    pieces.drop_statement(before, end);
                }
            }
            (Grammar::C, "include", _) if pieces.text(at).ends_with("subject.h\"") => {
                pieces.drop_lines(pieces.before(before), at);
            }
            (Grammar::Python, "from", "subject") => {
                let end = pieces.before(pieces.next_line(at));
                pieces.drop_lines(before, pieces.before(end));
            }
            (Grammar::Python, "import", "subject") if pieces.word(pieces.after(at)) == ";" => {
                pieces.drop_lines(before, at);
            }
            _ => {}
        }
    }
}

/// Removes what only bugs need from `use subject::{bug, tick}`, or the whole import.
fn remove_names(pieces: &mut Pieces<'_>, start: usize) {
    let (mut at, mut names, mut is_used) = (start, Vec::new(), false);
    while !matches!(pieces.word(at), ";" | "") {
        match pieces.word(at) {
            "bug" | "tick" | "Cycles" => names.push(at),
            "use" | "subject" => {}
            word => is_used |= pieces.is_name(at) || word == "*",
        }
        at = pieces.after(at);
    }
    if !is_used {
        return pieces.drop_lines(start, at);
    }
    for name in names {
        let comma = pieces.after(name);
        let end = if pieces.word(comma) == "," { comma } else { name };
        pieces.drop_up_to_next(name..end + 1);
    }
}

/// Removes every `tick!`, and the variables that it needs.
fn remove_steps(pieces: &mut Pieces<'_>) {
    if pieces.grammar != Grammar::Rust {
        return;
    }
    for at in 0..pieces.len() {
        if let Some(tick) = call(pieces, at, "tick", None) {
            let end = pieces.after(tick.end - 1);
            let is_statement = pieces.word(end) == ";";
            pieces.drop_lines(tick.start, if is_statement { end } else { tick.end - 1 });
        }
        if pieces.counts(at) && pieces.word(at) == "Cycles" && pieces.word(pieces.after(at)) == "::"
        {
            let mut start = at;
            while !matches!(pieces.word(start), "let" | ";" | "") {
                start = pieces.before(start);
            }
            let mut end = at;
            while !matches!(pieces.word(end), ";" | "") {
                end = pieces.after(end);
            }
            if pieces.word(start) == "let" {
                pieces.drop_lines(start, end);
            }
        }
    }
}
