//! The source of the reference with the places of its mutants.

use crate::catalogue::Mutant;
use crate::catalogue::sites;
use crate::course::{Assignment, Course};
use crate::diagnostic::Failure;
use crate::report::stryker::{MutantSpan, Position, Source};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The files that the mutants of `assignment` are in, by path. A mutant is at its first bug in the source, or else in its own program
/// or its catalogue file.
pub(super) fn of(
    course: &Course,
    assignment: &Assignment,
    mutants: &[Mutant],
) -> Result<Vec<Source>, Failure> {
    let asked = sites::of(assignment)?;
    let mut files: BTreeMap<PathBuf, Vec<(&Mutant, Option<Position>)>> = BTreeMap::new();
    for mutant in mutants {
        let site = asked.iter().find(|site| site.id == mutant.id).map(|site| &site.place);
        let start =
            site.and_then(|place| Some(Position { line: place.line, column: place.column? }));
        files
            .entry(site.map_or_else(|| mutant.file.clone(), |place| place.file.clone()))
            .or_default()
            .push((mutant, start));
    }
    files.into_iter().map(|(file, mutants)| source(course, &file, &mutants)).collect()
}

fn source(
    course: &Course,
    file: &Path,
    mutants: &[(&Mutant, Option<Position>)],
) -> Result<Source, Failure> {
    let text = fs::read_to_string(file)
        .map_err(|error| Failure::machine(format!("read {}", file.display()), error))?;
    let place = |&(mutant, start): &(&Mutant, Option<Position>)| {
        let whole_line = || {
            (
                Position { line: 1, column: 1 },
                Position { line: 1, column: 1 + first_line(&text) },
                None,
            )
        };
        let call = |start| (start, end_of_call(&text, start), Some("true"));
        let (start, end, replacement) = start.map_or_else(whole_line, call);
        MutantSpan {
            mutant: mutant.id.clone(),
            topic: mutant.topic.clone(),
            start,
            end,
            replacement,
        }
    };
    let places = mutants.iter().map(place).collect();
    let language = match file.extension().and_then(|extension| extension.to_str()) {
        Some("rs") => "rust",
        Some("yaml") => "yaml",
        Some("py") => "python",
        Some("java") => "java",
        Some("c" | "h") => "c",
        _ => "cpp",
    };
    let path = file.strip_prefix(&course.folder).unwrap_or(file).to_string_lossy().into_owned();
    Ok(Source { path, language, text, places })
}

fn first_line(text: &str) -> usize {
    text.lines().next().unwrap_or_default().chars().count()
}

/// The position after the call at `start`, which may span several lines and contain other calls.
fn end_of_call(text: &str, start: Position) -> Position {
    let Position { mut line, mut column } = Position { column: 1, line: start.line };
    let mut open = 0;
    let rest = text.split_inclusive('\n').skip(start.line - 1).flat_map(str::chars);
    for c in rest {
        let is_in_call = (line, column) >= (start.line, start.column);
        (line, column) = if c == '\n' { (line + 1, 1) } else { (line, column + 1) };
        match c {
            '(' if is_in_call => open += 1,
            ')' if is_in_call && open == 1 => break,
            ')' if is_in_call => open -= 1,
            _ => {}
        }
    }
    Position { line, column }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_ends_after_its_parenthesis_on_any_line() {
        let end = |text, line, column| {
            let end = end_of_call(text, Position { line, column });
            (end.line, end.column)
        };
        assert_eq!(end("a\nlet x = (y) || bug!(\"b-c\");\n", 2, 16), (2, 27));
        assert_eq!(end("if bug!(\n    \"b-c\"\n) {}\n", 1, 4), (3, 2));
        assert_eq!(end("(bug!(\"b-c\", if a(b())))\n", 1, 2), (1, 24));
    }
}
