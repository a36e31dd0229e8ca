//! Finds the one thing that a program draws wrongly: what an input's grid has in every cell that is wrong, and what is printed there.

use super::look::sort;
use crate::domain::Draft;
use crate::generate::comparer::Discrepancy;
use std::collections::{BTreeMap, BTreeSet};
use subject::How;

/// A sort of cell that is drawn wrongly in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Drawing {
    /// The sort of character that the input has there.
    cell: char,
    /// The sort of character that is printed there.
    printed: char,
}

/// What is wrong with each wrong cell, if it is the same with all, and nothing else is wrong.
pub(super) fn of(draft: &Draft, difference: &Discrepancy) -> Option<Drawing> {
    if difference.how != How::Output || difference.reference.files != difference.program.files {
        return None;
    }
    let wanted = lines(&difference.reference.stdout);
    let printed = lines(&difference.program.stdout);
    if wanted.len() != printed.len() {
        return None;
    }
    let rows = rows(&lines(&draft.input), &wanted);
    let mut drawings = Vec::new();
    for (at, (wanted, printed)) in wanted.iter().zip(&printed).enumerate() {
        if wanted == printed {
            continue;
        }
        let row = *rows.get(&at)?;
        if printed.len() != wanted.len() {
            return None;
        }
        let cells = row.iter().zip(*printed).zip(*wanted);
        let wrong = cells.filter(|((_, printed), wanted)| printed != wanted);
        drawings.extend(
            wrong
                .map(|((cell, printed), _)| Drawing { cell: sort(*cell), printed: sort(*printed) }),
        );
    }
    let first = *drawings.first()?;
    drawings.iter().all(|drawing| *drawing == first).then_some(first)
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split(|&byte| byte == b'\n').collect()
}

/// The row of the input that each line of an output draws, by the number of the line. Other lines separate the grids of an output. They
/// show the input's grids in order. If there are more of them, each shows the input's last grid.
fn rows<'a>(input: &[&'a [u8]], output: &[&[u8]]) -> BTreeMap<usize, &'a [u8]> {
    let widths: BTreeSet<_> = output.iter().map(|line| line.len()).filter(|&it| it > 0).collect();
    let mut rows = BTreeMap::new();
    for width in widths {
        let grid: Vec<&[u8]> = input.iter().copied().filter(|it| it.len() == width).collect();
        let drawn: Vec<_> = (0..output.len()).filter(|&at| output[at].len() == width).collect();
        let is_again = drawn.len() > grid.len();
        let mut from = grid.len().saturating_sub(drawn.len());
        for block in drawn.chunk_by(|a, b| a + 1 == *b) {
            if is_again {
                from = grid.len().saturating_sub(block.len());
            }
            rows.extend(block.iter().copied().zip(grid[from..].iter().copied()));
            from += block.len();
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use subject::{End, Outcome};

    fn drawing(input: &str, wanted: &str, printed: &str) -> Option<(char, char)> {
        let outcome = |text: &str| Outcome {
            end: End::Exit(0),
            stdout: text.as_bytes().to_vec(),
            stderr: Vec::new(),
            files: BTreeMap::new(),
        };
        let difference = Discrepancy {
            how: How::Output,
            why: None,
            reference: outcome(wanted),
            program: outcome(printed),
        };
        let draft = Draft { flags: String::new(), input: input.as_bytes().to_vec() };
        of(&draft, &difference).map(|Drawing { cell, printed }| (cell, printed))
    }

    #[test]
    fn what_the_input_has_in_each_wrong_cell_is_the_thing_that_is_drawn_wrongly() {
        let input = "2 3\n@.B\n.A?\n";
        let twice = "one\n@.B\n.A?\nand two\n..B\n.A+\n";
        assert_eq!(drawing(input, twice, &twice.replace(['A', 'B'], "#")), Some(('A', '#')));
        let start = "one\n@.B\n.A?\nand two\n@.B\n.A+\n";
        assert_eq!(drawing(input, twice, start), Some(('@', '@')), "in the second grid only");
        assert_eq!(drawing(input, twice, &twice.replace('A', "#").replace('?', "!")), None);
        assert_eq!(drawing(input, twice, &twice.replace("two", "too")), None, "it is no row");
        assert_eq!(drawing(input, twice, "one\n@.B\n"), None, "lines are missing");
    }

    #[test]
    fn grids_after_each_other_are_those_of_the_input() {
        let input = "a1\nb2\nc3\nd4\n";
        let wanted = "first\n..\n..\nsecond\n..\n..\n";
        let printed = "first\n..\n..\nsecond\n..\n.!\n";
        assert_eq!(drawing(input, wanted, printed), Some(('0', '!')));
        let printed = "first\n!.\n..\nsecond\n..\n!.\n";
        assert_eq!(drawing(input, wanted, printed), Some(('a', '!')));
    }
}
