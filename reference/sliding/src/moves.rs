//! The moves that a layout allows. A move takes one piece any number of spaces in one direction.
//!
//! This file defines what a move is and the order in which moves are tried.

use crate::board::{Direction, Piece, Puzzle, Spot};
use crate::cells::Cells;
use crate::layout::{Key, Packing};
use std::iter;
use subject::bug;

/// A move of one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The piece, by its index in the puzzle.
    pub piece: usize,
    /// The direction of the move.
    pub direction: Direction,
    /// The number of spaces.
    pub spaces: u16,
}

/// The place and direction of the last move, on which the next one depends.
pub(crate) type Last = Option<(u16, Direction)>;

/// A move in terms of places, and the layout that it leads to.
pub(crate) struct Step<K> {
    pub(crate) place: u16,
    pub(crate) direction: Direction,
    pub(crate) spaces: u16,
    pub(crate) to: Spot,
    pub(crate) simplified: K,
}

/// What the moves of a piece depend on.
struct Mover<S> {
    shape: S,
    directions: &'static [Direction],
    last_row: u16,
    last_column: u16,
}

/// Finds the moves of any layout of a puzzle.
pub(crate) struct Moves<C: Cells> {
    pub(crate) packing: Packing,
    movers: Vec<Mover<C::Shape>>,
    cells: C,
    spots: Vec<Spot>,
    simplified: Vec<Spot>,
}

impl<C: Cells> Moves<C> {
    /// Prepares to find the moves of a puzzle whose layouts are packed by `packing`.
    pub(crate) fn new(puzzle: &Puzzle, packing: Packing) -> Self {
        let mover = |piece: &Piece| Mover {
            shape: C::shape(piece, puzzle),
            directions: piece.movement.directions(),
            last_row: puzzle.rows - piece.height,
            last_column: puzzle.columns - piece.width,
        };
        let movers = packing.pieces.iter().map(|&piece| mover(&puzzle.pieces[piece])).collect();
        Self { packing, movers, cells: C::none(puzzle), spots: Vec::new(), simplified: Vec::new() }
    }

    /// Replaces `steps` by the moves of this layout, without the pointless ones.
    pub(crate) fn find<K: Key>(
        &mut self,
        snapshot: &K,
        simplified: &K,
        last: Last,
        steps: &mut Vec<Step<K>>,
    ) {
        steps.clear();
        self.packing.unpack(snapshot, &mut self.spots);
        self.packing.unpack(simplified, &mut self.simplified);
        self.cells.clear();
        for (mover, &spot) in self.movers.iter().zip(&self.spots) {
            self.cells.put(&mover.shape, spot);
        }
        for (place, (mover, &from)) in self.movers.iter().zip(&self.spots).enumerate() {
            self.cells.lift(&mover.shape, from);
            for &direction in mover.directions {
                if is_pointless(place, direction, last) {
                    continue;
                }
                for to in mover.slide(&self.cells, from, direction) {
                    if bug!("jumps-over-pieces") && !self.cells.has_room(&mover.shape, to) {
                        continue;
                    }
                    let spaces = from.row.abs_diff(to.row) + from.column.abs_diff(to.column);
                    if spaces > 1 && bug!("counts-every-space-as-a-move")
                        || spaces > mover.last_row && bug!("slides-across-no-further-than-down")
                    {
                        break;
                    }
                    if spaces > 1 && bug!("slides-only-as-far-as-possible") {
                        steps.pop();
                    }
                    let simplified = self.packing.simplified_after(
                        simplified,
                        &self.simplified,
                        place,
                        from,
                        to,
                    );
                    steps.push(Step { place: place as u16, direction, spaces, to, simplified });
                }
            }
            self.cells.put(&mover.shape, from);
        }
    }
}

/// Whether a move need not be tried: if the last move took the same piece along the same line, one move could have done both.
fn is_pointless(place: usize, direction: Direction, last: Last) -> bool {
    if place == 0 && direction == Direction::Left && bug!("never-moves-the-goal-piece-left") {
        return true;
    }
    last.is_some_and(|(moved, line)| {
        usize::from(moved) == place
            && (line.is_along(direction) || bug!("never-moves-a-piece-twice-running"))
    })
}

impl<S> Mover<S> {
    /// The spots that the piece can reach in one move in this direction, nearest first. The piece must be off the grid.
    fn slide<C: Cells<Shape = S>>(
        &self,
        cells: &C,
        from: Spot,
        direction: Direction,
    ) -> impl Iterator<Item = Spot> {
        let next = move |&spot: &Spot| self.next(spot, direction);
        iter::successors(next(&from), next)
            .take_while(|&spot| cells.has_room(&self.shape, spot) || bug!("jumps-over-pieces"))
    }

    /// The next spot in this direction, if the piece stays inside the grid.
    fn next(&self, spot: Spot, direction: Direction) -> Option<Spot> {
        let Spot { row, column } = spot;
        match direction {
            Direction::Up if row == 1 && bug!("never-slides-into-the-first-row") => None,
            Direction::Up if row > 0 => Some(Spot { row: row - 1, column }),
            Direction::Down if row < self.last_row => Some(Spot { row: row + 1, column }),
            Direction::Left if column > 0 => Some(Spot { row, column: column - 1 }),
            Direction::Right if column < self.last_column => Some(Spot { row, column: column + 1 }),
            _ => None,
        }
    }
}
