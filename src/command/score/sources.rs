//! The source of the reference, with the places of its mutants.

use crate::catalogue::Mutant;
use crate::catalogue::sites;
use crate::course::{Assignment, Course, Program};
use crate::problem::Failure;
use crate::report::stryker::{MutantSpan, Position, Source};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The files that the mutants of `assignment` are in, by path: each mutant at its first `bug!`, or in its own file of the catalogue where
/// the program is no crate.
pub(super) fn of(
    course: &Course,
    assignment: &Assignment,
    mutants: &[Mutant],
) -> Result<Vec<Source>, Failure> {
    let asked = match &assignment.program {
        Program::Cargo(package) => sites::find(&package.folder)?,
        Program::Commands { .. } => Vec::new(),
    };
    let mut files: BTreeMap<PathBuf, Vec<(&Mutant, Option<Position>)>> = BTreeMap::new();
    for mutant in mutants {
        let site = asked.iter().find(|site| site.id == mutant.id).map(|site| &site.place);
        let start =
            site.map(|place| Position { line: place.line, column: place.column.unwrap_or(1) });
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
        MutantSpan { mutant: mutant.id.clone(), area: mutant.area.clone(), start, end, replacement }
    };
    let places = mutants.iter().map(place).collect();
    let language =
        if file.extension().is_some_and(|extension| extension == "rs") { "rust" } else { "yaml" };
    let path = file.strip_prefix(&course.folder).unwrap_or(file).to_string_lossy().into_owned();
    Ok(Source { path, language, text, places })
}

fn first_line(text: &str) -> usize {
    text.lines().next().unwrap_or_default().chars().count()
}

/// Where what follows the `bug!(…)` at `start` begins. It may be broken into lines.
fn end_of_call(text: &str, start: Position) -> Position {
    let Position { mut line, mut column } = Position { column: 1, line: start.line };
    let rest = text.split_inclusive('\n').skip(start.line - 1).flat_map(str::chars);
    for c in rest {
        let is_in_call = (line, column) >= (start.line, start.column);
        (line, column) = if c == '\n' { (line + 1, 1) } else { (line, column + 1) };
        if is_in_call && c == ')' {
            break;
        }
    }
    Position { line, column }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_ends_behind_its_parenthesis_on_whatever_line() {
        let end = |text, line, column| {
            let end = end_of_call(text, Position { line, column });
            (end.line, end.column)
        };
        assert_eq!(end("a\nlet x = (y) || bug!(\"b-c\");\n", 2, 16), (2, 27));
        assert_eq!(end("if bug!(\n    \"b-c\"\n) {}\n", 1, 4), (3, 2));
    }
}
