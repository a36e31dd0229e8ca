//! Solves a board by trying every move, as the tests' own idea of what is right.

use super::super::board::Board;
use super::super::layout::Layout;
use super::super::moves::{Direction, Move};
use std::collections::{HashSet, VecDeque};

/// The grid that shows a layout.
pub(super) fn cells(layout: &Layout, board: &Board) -> Vec<Vec<char>> {
    let mut cells = vec![vec!['.'; board.columns as usize]; board.rows as usize];
    for (name, piece) in &layout.pieces {
        for row in piece.row..piece.row + piece.height {
            for column in piece.column..piece.column + piece.width {
                cells[row as usize - 1][column as usize - 1] = *name;
            }
        }
    }
    cells
}

/// The error for a board that has too many layouts to try all of them.
pub(super) struct TooMany;

/// A shortest solution, if there is one, found by trying every move.
pub(super) fn solve(board: &Board, start: &Layout) -> Result<Option<Vec<Move>>, TooMany> {
    const MOST: usize = 600;
    let mut seen = HashSet::from([cells(start, board)]);
    let mut queue = VecDeque::from([(start.clone(), Vec::new())]);
    while let Some((layout, moves)) = queue.pop_front() {
        if layout.is_solved() {
            return Ok(Some(moves));
        }
        for (piece, _) in &layout.pieces {
            for direction in [Direction::Up, Direction::Down, Direction::Left, Direction::Right] {
                for spaces in 1..=4 {
                    let step = Move { piece: *piece, direction, spaces };
                    let mut next = layout.clone();
                    if next.apply(step).is_ok() && seen.insert(cells(&next, board)) {
                        queue.push_back((next, [&moves[..], &[step]].concat()));
                    }
                }
            }
        }
        if seen.len() > MOST {
            return Err(TooMany);
        }
    }
    Ok(None)
}
