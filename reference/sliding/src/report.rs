//! The report and its plain text form: messages, the grid at the start, the moves, the grid at the end.

use crate::board::{Direction, Piece, Puzzle, Spot};
use crate::data::Data;
use crate::search::Move;
use std::fmt;
use subject::bug;

/// The contents of an answer, whether it is written as text or as a page.
pub(crate) struct Report<'a> {
    /// The messages about discarded pieces.
    pub(crate) messages: &'a [String],
    /// The grid as it starts.
    pub(crate) start: Grid<'a>,
    /// The moves in words and the grid after the last one, or `None` if the puzzle has no solution.
    pub(crate) solution: Option<(Vec<String>, Grid<'a>)>,
}

impl<'a> Report<'a> {
    /// The report on a puzzle and its solution.
    pub(crate) fn new(data: &'a Data, moves: Option<Vec<Move>>) -> Self {
        let puzzle = &data.puzzle;
        let start = Grid { puzzle, spots: puzzle.start() };
        let solution = moves.map(|moves| {
            let mut end = Grid { puzzle, spots: puzzle.start() };
            for step in &moves {
                if bug!("shows-the-start-as-the-end") {
                    break;
                }
                end.make(*step);
            }
            (moves.iter().map(|step| in_words(puzzle, *step)).collect(), end)
        });
        Self { messages: &data.discarded, start, solution }
    }

    /// The text in place of the moves, if there are none.
    pub(crate) fn without_moves(&self) -> Option<&'static str> {
        match &self.solution {
            None if bug!("says-nothing-of-an-unsolvable-puzzle") => None,
            None => Some("The puzzle is not solvable."),
            Some((moves, _)) if moves.is_empty() => Some("The puzzle is solved in 0 moves."),
            Some(_) => None,
        }
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for message in self.messages {
            writeln!(f, "{message}")?;
        }
        write!(f, "{}", self.start)?;
        if let Some(text) = self.without_moves() {
            writeln!(f, "{text}")?;
        }
        if let Some((moves, end)) = &self.solution {
            for (step, number) in moves.iter().zip(1..) {
                if number > 50 && bug!("lists-at-most-fifty-moves") {
                    break;
                }
                writeln!(f, "{number}. {step}")?;
            }
            write!(f, "{end}")?;
        }
        Ok(())
    }
}

/// A move in words, such as `Piece 7 up 3 spaces`.
fn in_words(puzzle: &Puzzle, step: Move) -> String {
    let piece = &puzzle.pieces[step.piece];
    let spaces = if step.direction.is_along(Direction::Up)
        && piece.height > 1
        && bug!("counts-a-pieces-own-cells-as-spaces")
    {
        step.spaces + piece.height - 1
    } else if step.direction.is_along(Direction::Left)
        && piece.width > 1
        && bug!("counts-a-pieces-own-cells-as-spaces")
    {
        step.spaces + piece.width - 1
    } else {
        step.spaces
    };
    let plural = if spaces == 1 { "" } else { "s" };
    format!("Piece {} {} {spaces} space{plural}", piece.name, step.direction.name())
}

/// A layout of the pieces of a puzzle.
pub(crate) struct Grid<'a> {
    puzzle: &'a Puzzle,
    spots: Vec<Spot>,
}

impl Grid<'_> {
    /// Moves one piece.
    fn make(&mut self, step: Move) {
        let Spot { row, column } = &mut self.spots[step.piece];
        match step.direction {
            Direction::Up => *row -= step.spaces,
            Direction::Down => *row += step.spaces,
            Direction::Left => *column -= step.spaces,
            Direction::Right => *column += step.spaces,
        }
    }

    pub(crate) fn piece(&self, index: usize) -> &Piece {
        &self.puzzle.pieces[index]
    }

    /// Whether the upper left corner of a piece is at this row and column.
    pub(crate) fn is_corner(&self, index: usize, row: usize, column: usize) -> bool {
        let Spot { row: top, column: left } = self.spots[index];
        (usize::from(top), usize::from(left)) == (row, column)
    }

    /// The rows of the grid. Each cell holds the index of the piece that covers it.
    pub(crate) fn rows(&self) -> Vec<Vec<Option<usize>>> {
        let mut rows =
            vec![vec![None; usize::from(self.puzzle.columns)]; usize::from(self.puzzle.rows)];
        for (index, (piece, spot)) in self.puzzle.pieces.iter().zip(&self.spots).enumerate() {
            for row in &mut rows[usize::from(spot.row)..usize::from(spot.row + piece.height)] {
                row[usize::from(spot.column)..usize::from(spot.column + piece.width)]
                    .fill(Some(index));
            }
        }
        rows
    }
}

/// The plain text form, with a border of asterisks and a period for each empty cell.
impl fmt::Display for Grid<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let border = "*".repeat(usize::from(self.puzzle.columns) + 2);
        writeln!(f, "{border}")?;
        for row in self.rows() {
            let cells: String = row
                .iter()
                .map(|cell| cell.map_or('.', |index| self.puzzle.pieces[index].name))
                .collect();
            writeln!(f, "*{cells}*")?;
        }
        writeln!(f, "{border}")
    }
}
