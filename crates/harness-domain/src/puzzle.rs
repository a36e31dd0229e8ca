//! The Puzzle Solver's maps: a header with the number of colours, rows and columns, then comments, then rows of cells.

mod draw;
mod map;
mod picture;
mod printed;

use super::{Domain, Draft, Flaw, Generator, InputLimits, Limit, LimitExceeded, Reason};
use crate::TestRules;
use crate::described::{Described, Wording};
use crate::picture::{View, Viewer};
use harness_diagnostic::Problem;
use map::{MOST_COLORS, Map, START, Style, TARGET, TRAP};
use std::sync::LazyLock;

pub(super) struct Puzzle;

/// Lists, draws, changes and shrinks maps.
static MAPS: LazyLock<Described> = LazyLock::new(|| {
    Described::embedded(include_str!("../../../docs/shapes/puzzle.yaml"), &Puzzle)
});

impl Domain for Puzzle {
    fn name(&self) -> &'static str {
        "puzzle"
    }

    fn limits(&self) -> Vec<Limit<'_>> {
        vec![Limit { name: "rows", default: 10 }, Limit { name: "columns", default: 10 }]
    }

    fn check(&self, input: &[u8], limits: &InputLimits) -> Result<(), LimitExceeded> {
        let header = input.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let mut sizes =
            header.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).skip(1);
        for (what, limit) in [("rows", limits["rows"]), ("columns", limits["columns"])] {
            let size =
                sizes.next().and_then(|word| std::str::from_utf8(word).ok()?.parse::<u64>().ok());
            if let Some(size) = size.filter(|&size| size > limit) {
                let problem = Problem::new(format!(
                    "the map has {size} {what}; a test may have at most {limit}"
                ));
                return Err(LimitExceeded {
                    line: 1,
                    column: None,
                    reason: Reason::Limit,
                    problem,
                });
            }
        }
        Ok(())
    }

    fn characters(&self, input: &[u8], line: usize, column: usize) -> Option<String> {
        let mut lines = input.split(|&byte| byte == b'\n').zip(1..);
        let header: Vec<_> = lines
            .next()?
            .0
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
            .collect();
        let number = |word: &&[u8]| std::str::from_utf8(word).ok()?.parse::<usize>().ok();
        let [colors, rows, columns] =
            header.iter().map(number).collect::<Option<Vec<_>>>()?.try_into().ok()?;
        let first_row = lines.find(|(text, _)| !text.starts_with(b"//"))?.1;
        if line < first_row || line - first_row >= rows || column > columns {
            return None;
        }
        let letters =
            |first: u8| (first..first + colors.min(usize::from(MOST_COLORS)) as u8).map(char::from);
        Some(".#@?^".chars().chain(letters(b'a')).chain(letters(b'A')).collect())
    }

    fn first_difference(&self, reference: &[u8], mutant: &[u8]) -> Option<String> {
        printed::first_difference(reference, mutant)
    }

    fn draw<'a>(&self, input: &'a str) -> Vec<(anstyle::Style, &'a str)> {
        draw::draw(input)
    }

    fn generator(&self) -> Option<&dyn Generator> {
        Some(&*MAPS)
    }

    fn viewer(&self) -> Option<&dyn Viewer> {
        Some(self)
    }
}

impl Viewer for Puzzle {
    fn recognizes(&self, input: &[u8]) -> bool {
        let header = input.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let is_number = |word: &[u8]| word.iter().all(u8::is_ascii_digit);
        let words = || header.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        words().count() == 3
            && words().all(is_number)
            && [START, TARGET].iter().all(|cell| input.contains(cell))
    }

    fn view(&self, draft: &Draft, answer: Option<&[u8]>) -> View {
        let Some(map) = Map::parse(&draft.input) else {
            let message = "the file is not a valid map: expected a header, optional comments, and as many rows and columns as the header says";
            let flaw = Flaw { line: None, column: None, message: message.to_owned() };
            return View { input_flaws: vec![flaw], answer_flaws: Vec::new(), picture: None };
        };
        let (picture, answer_flaws) = picture::draw(map, answer);
        View { input_flaws: Vec::new(), answer_flaws, picture: Some(Box::new(picture)) }
    }
}

impl Wording for Puzzle {
    fn plain(&self, draft: &Draft) -> Draft {
        with_style(draft, Style::plain)
    }

    fn lenient(&self, draft: &Draft, _rules: &TestRules) -> Vec<(&'static str, Draft)> {
        Style::LENIENT.iter().map(|(name, form)| (*name, with_style(draft, form))).collect()
    }

    fn describe(&self, draft: &Draft, stdout: &[u8]) -> String {
        let Some(map) = Map::parse(&draft.input) else { return "a map".to_owned() };
        let search = if draft.flags.contains('s') { "stack" } else { "queue" };
        let end = if stdout.starts_with(b"No solution") {
            "no path to the target"
        } else {
            "a path to the target"
        };
        let count = |is: fn(&u8) -> bool| map.cells.iter().filter(|cell| is(cell)).count();
        let things = [
            (count(|&cell| cell == TRAP), "trap"),
            (count(u8::is_ascii_lowercase), "button"),
            (count(u8::is_ascii_uppercase), "door"),
        ];
        let things: Vec<_> = things
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, thing)| format!("{count} {thing}{}", if *count == 1 { "" } else { "s" }))
            .collect();
        let with =
            if things.is_empty() { String::new() } else { format!(" with {}", things.join(", ")) };
        format!("{}x{} map{with}: {end}, {search}", map.rows(), map.columns)
    }
}

/// The same map in the style that `change` makes of its own.
fn with_style(draft: &Draft, change: impl Fn(Style) -> Style) -> Draft {
    let Some(map) = Map::parse(&draft.input) else { return draft.clone() };
    let map = Map { style: change(map.style), ..map };
    Draft { flags: draft.flags.clone(), input: map.render() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str) -> Option<String> {
        let limits = InputLimits::from([("rows".into(), 10), ("columns".into(), 10)]);
        Puzzle.check(input.as_bytes(), &limits).err().map(|exceeded| exceeded.problem.message)
    }

    #[test]
    fn a_map_within_the_limits_passes() {
        assert_eq!(check("26 10 10\n"), None);
    }

    #[test]
    fn the_first_side_that_exceeds_its_limit_is_reported() {
        assert_eq!(
            check("2 12 10 \r\n").unwrap(),
            "the map has 12 rows; a test may have at most 10"
        );
        assert_eq!(check("2 1 11").unwrap(), "the map has 11 columns; a test may have at most 10");
    }

    #[test]
    fn a_cell_is_one_of_the_characters_of_the_maps_colors() {
        let input = b"2 2 3\n// a comment\n@.*\n..?\n";
        assert_eq!(Puzzle.characters(input, 3, 3).unwrap(), ".#@?^abAB");
        for (line, column) in [(1, 1), (2, 4), (3, 4), (5, 1)] {
            assert_eq!(Puzzle.characters(input, line, column), None, "{line}:{column}");
        }
        assert!(Puzzle.characters(b"1 18446744073709551615 3\n@.*", 2, 3).is_some());
        assert_eq!(Puzzle.characters(b"1 2\n@.*", 2, 3), None);
    }

    #[test]
    fn an_invalid_header_is_left_to_the_reference() {
        assert_eq!(check(""), None);
        assert_eq!(check("// no header"), None);
    }
}
