//! The moves of one layout: one piece, one direction, any number of spaces.
//!
//! This file decides what a move is, and in which order moves are tried. It does not know which layouts were seen.

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
    /// Where it goes.
    pub direction: Direction,
    /// How far it goes.
    pub spaces: u16,
}

/// The last move, as far as the next one depends on it: a place, and a direction.
pub(crate) type Last = Option<(u16, Direction)>;

/// A move in terms of layouts, and what it leads to.
pub(crate) struct Step<K> {
    pub(crate) place: u16,
    pub(crate) direction: Direction,
    pub(crate) spaces: u16,
    pub(crate) to: Spot,
    pub(crate) simplified: K,
}

/// A piece as the moves see it.
struct Mover<S> {
    shape: S,
    directions: &'static [Direction],
    last_row: u16,
    last_column: u16,
}

/// Finds the moves of one layout after the other.
pub(crate) struct Moves<C: Cells> {
    pub(crate) packing: Packing,
    movers: Vec<Mover<C::Shape>>,
    cells: C,
    spots: Vec<Spot>,
    simplified: Vec<Spot>,
}

impl<C: Cells> Moves<C> {
    /// The moves of a puzzle whose layouts are packed so.
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

    /// Replaces `steps` by all that one move makes of this layout. Pointless ones are left out.
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
                    let spaces = from.row.abs_diff(to.row) + from.column.abs_diff(to.column);
                    if !mover.is_one_move(spaces) {
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

/// Whether a move need not be tried: whatever a piece reaches along the line of the last move, that move could have reached too.
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
    /// Whether a slide over so many spaces is one move: always.
    fn is_one_move(&self, spaces: u16) -> bool {
        let is_more_than_one = spaces > 1 && bug!("counts-every-space-as-a-move");
        let is_too_far = spaces > self.last_row && bug!("slides-across-no-further-than-down");
        !is_more_than_one && !is_too_far
    }

    /// The spots that the piece can reach in one move in this direction, the nearest first. It has been lifted from the grid.
    fn slide<C: Cells<Shape = S>>(
        &self,
        cells: &C,
        from: Spot,
        direction: Direction,
    ) -> impl Iterator<Item = Spot> {
        let next = move |&spot: &Spot| self.next(spot, direction);
        let has_room = |spot: &Spot| cells.has_room(&self.shape, *spot);
        iter::successors(next(&from), next)
            .take_while(move |spot| has_room(spot) || bug!("jumps-over-pieces"))
            .filter(has_room)
    }

    /// The spot one space further, if the piece stays inside the grid.
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
