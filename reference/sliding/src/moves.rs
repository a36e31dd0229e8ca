//! The moves that a layout allows. A move takes one piece any number of spaces in one direction.
//!
//! This file defines what a move is, the order in which moves are tried, and which moves need not be tried.

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
    width: u16,
    height: u16,
    last_row: u16,
    last_column: u16,
}

/// The cells that a piece covers on its way from one spot to another.
#[derive(Clone, Copy)]
struct Way {
    /// The first row and column.
    first: Spot,
    /// The row and column after the last.
    end: Spot,
}

impl Way {
    fn meets(self, other: Self) -> bool {
        self.first.row < other.end.row
            && other.first.row < self.end.row
            && self.first.column < other.end.column
            && other.first.column < self.end.column
    }
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
            width: piece.width,
            height: piece.height,
            last_row: puzzle.rows - piece.height,
            last_column: puzzle.columns - piece.width,
        };
        let movers = packing.pieces.iter().map(|&piece| mover(&puzzle.pieces[piece])).collect();
        Self { packing, movers, cells: C::none(puzzle), spots: Vec::new(), simplified: Vec::new() }
    }

    /// Replaces `steps` by the moves of this layout, without the pointless ones and those that were tried before. Returns whether there
    /// is a move that is not pointless.
    pub(crate) fn find<K: Key>(
        &mut self,
        snapshot: &K,
        simplified: &K,
        last: Last,
        steps: &mut Vec<Step<K>>,
    ) -> bool {
        steps.clear();
        self.packing.unpack(snapshot, &mut self.spots);
        self.packing.unpack(simplified, &mut self.simplified);
        self.cells.clear();
        for (mover, &spot) in self.movers.iter().zip(&self.spots) {
            self.cells.put(&mover.shape, spot);
        }
        let (last_way, mut can_move) = (self.way_of(last), false);
        for (place, (mover, &from)) in self.movers.iter().zip(&self.spots).enumerate() {
            self.cells.lift(&mover.shape, from);
            for &direction in mover.directions {
                let may_go = self.cells.may_go(&mover.shape, from, direction)
                    || bug!("jumps-over-pieces", if mover.is_short());
                if !may_go || is_pointless(place, direction, last) {
                    continue;
                }
                for to in mover.spots(from, direction) {
                    if !self.cells.has_room(&mover.shape, to) {
                        if bug!("jumps-over-pieces", if mover.is_short()) {
                            continue;
                        }
                        break;
                    }
                    let spaces = from.row.abs_diff(to.row) + from.column.abs_diff(to.column);
                    if spaces > 1 && bug!("counts-every-space-as-a-move")
                        || spaces > mover.last_row && bug!("slides-across-no-further-than-down")
                    {
                        break;
                    }
                    if spaces > 1
                        && steps.last().is_some_and(|step| step.is_by(place, direction))
                        && bug!("slides-only-as-far-as-possible")
                    {
                        steps.pop();
                    }
                    can_move = true;
                    if was_tried_before(place, mover.way(from, to), last_way) {
                        continue;
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
        can_move
    }

    /// The place and the way of the piece that moved last. The way is the longest that ends at its spot.
    fn way_of(&self, last: Last) -> Option<(usize, Way)> {
        let (place, direction) = last?;
        let place = usize::from(place);
        Some((place, self.movers[place].way_to(self.spots[place], direction)))
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

/// Whether the search has tried a move before, in another order. If two pieces do not meet on their ways, both orders of their moves lead
/// to the same layout. The search tries the piece at the lower place first, so it has seen that layout if the other piece moved last.
fn was_tried_before(place: usize, way: Way, last: Option<(usize, Way)>) -> bool {
    last.is_some_and(|(last_place, last_way)| {
        place < last_place
            && !way.meets(last_way)
            && !bug!("forgets-where-a-layout-first-came-from")
    })
}

impl<S> Mover<S> {
    /// The cells on the way from one spot to another on the same line.
    fn way(&self, from: Spot, to: Spot) -> Way {
        Way {
            first: Spot { row: from.row.min(to.row), column: from.column.min(to.column) },
            end: Spot {
                row: from.row.max(to.row) + self.height,
                column: from.column.max(to.column) + self.width,
            },
        }
    }

    /// The cells on the longest way in this direction that leads to a spot.
    fn way_to(&self, to: Spot, direction: Direction) -> Way {
        let from = match direction {
            Direction::Up => Spot { row: self.last_row, ..to },
            Direction::Down => Spot { row: 0, ..to },
            Direction::Left => Spot { column: self.last_column, ..to },
            Direction::Right => Spot { column: 0, ..to },
        };
        self.way(from, to)
    }

    /// The spots between this one and the edge of the grid, nearest first.
    fn spots(&self, from: Spot, direction: Direction) -> impl Iterator<Item = Spot> {
        let next = move |&spot: &Spot| self.next(spot, direction);
        iter::successors(next(&from), next)
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

/// What only bugs ask about a piece and a move.
mod bugs {
    use super::{Direction, Mover, Step};

    impl<S> Mover<S> {
        /// Whether a line of the grid has room for the piece on both sides of another.
        pub(super) fn is_short(&self) -> bool {
            self.last_row > self.height || self.last_column > self.width
        }
    }

    impl<K> Step<K> {
        pub(super) fn is_by(&self, place: usize, direction: Direction) -> bool {
            usize::from(self.place) == place && self.direction == direction
        }
    }
}
