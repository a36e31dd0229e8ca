//! Which cells of the grid are occupied: the bits of one word for a grid of up to 64 cells, or one flag per cell for a larger grid.
//!
//! Callers must ask only for spots inside the grid.

use crate::board::{Direction, Piece, Puzzle, Spot};
use std::ops::Range;
use subject::bug;

/// The occupied cells of a grid.
pub(crate) trait Cells {
    /// The cells that a piece covers, in the form that this set looks up fastest.
    type Shape;

    /// The empty grid.
    fn none(puzzle: &Puzzle) -> Self;

    /// The shape of a piece, independent of its spot.
    fn shape(piece: &Piece, puzzle: &Puzzle) -> Self::Shape;

    /// Removes every piece.
    fn clear(&mut self);

    /// Puts a piece on the grid.
    fn put(&mut self, shape: &Self::Shape, spot: Spot);

    /// Takes a piece off the grid; it must be at this spot.
    fn lift(&mut self, shape: &Self::Shape, spot: Spot);

    /// Whether all cells that a piece would cover at this spot are free.
    fn has_room(&self, shape: &Self::Shape, spot: Spot) -> bool;

    /// Whether a piece that was lifted from this spot may have room one space further. This is a quick look: only `false` is certain.
    fn may_go(&self, shape: &Self::Shape, spot: Spot, direction: Direction) -> bool;
}

/// A grid of up to 64 cells.
pub(crate) struct Bits {
    occupied: u64,
    columns: u32,
    /// By direction.
    edges: [Edge; 4],
}

/// What a step in one direction means for bits.
#[derive(Clone, Copy)]
struct Edge {
    /// The number of bits by which a piece moves to the left.
    turn: u32,
    /// The cells at this edge of the grid.
    last: u64,
}

impl Bits {
    /// The most cells that fit.
    pub(crate) const MAX: usize = 64;

    fn at(&self, shape: u64, spot: Spot) -> u64 {
        shape << (u32::from(spot.row) * self.columns + u32::from(spot.column))
    }
}

impl Cells for Bits {
    /// The piece in the upper left corner of the grid.
    type Shape = u64;

    fn none(puzzle: &Puzzle) -> Self {
        let (rows, columns) = (u32::from(puzzle.rows), u32::from(puzzle.columns));
        let row = ((1_u128 << columns) - 1) as u64;
        let column = (0..rows).fold(0, |column, row| column | 1 << (row * columns));
        let edges = [
            Edge { turn: u64::BITS - columns, last: row },
            Edge { turn: columns, last: row << ((rows - 1) * columns) },
            Edge { turn: u64::BITS - 1, last: column },
            Edge { turn: 1, last: column << (columns - 1) },
        ];
        Self { occupied: 0, columns, edges }
    }

    fn shape(piece: &Piece, puzzle: &Puzzle) -> u64 {
        let row = if piece.width > 2
            && puzzle.pieces.len() > 1
            && bug!("occupies-only-the-ends-of-a-wide-piece")
        {
            1 | 1 << (piece.width - 1)
        } else {
            ((1_u128 << piece.width) - 1) as u64
        };
        (0..piece.height).fold(0, |shape, below| shape | row << (below * puzzle.columns))
    }

    fn clear(&mut self) {
        self.occupied = 0;
    }

    fn put(&mut self, shape: &u64, spot: Spot) {
        self.occupied |= self.at(*shape, spot);
    }

    fn lift(&mut self, shape: &u64, spot: Spot) {
        self.occupied &= !self.at(*shape, spot);
    }

    fn has_room(&self, shape: &u64, spot: Spot) -> bool {
        self.occupied & self.at(*shape, spot) == 0
    }

    fn may_go(&self, shape: &u64, spot: Spot, direction: Direction) -> bool {
        let cells = self.at(*shape, spot);
        let Edge { turn, last } = self.edges[direction as usize];
        cells & last | cells.rotate_left(turn) & self.occupied == 0
    }
}

/// A grid of any size.
pub(crate) struct Flags {
    occupied: Vec<bool>,
    columns: usize,
}

/// The number of columns and rows that a piece covers.
pub(crate) struct Size {
    width: u16,
    height: u16,
}

impl Flags {
    /// The ranges of cells that a piece covers, one per row.
    fn rows(&self, size: &Size, spot: Spot) -> impl Iterator<Item = Range<usize>> + use<> {
        let (columns, left, width) =
            (self.columns, usize::from(spot.column), usize::from(size.width));
        (spot.row..spot.row + size.height).map(move |row| {
            let first = usize::from(row) * columns + left;
            first..first + width
        })
    }

    fn fill(&mut self, size: &Size, spot: Spot, occupied: bool) {
        for row in self.rows(size, spot) {
            self.occupied[row].fill(occupied);
        }
    }
}

impl Cells for Flags {
    type Shape = Size;

    fn none(puzzle: &Puzzle) -> Self {
        let columns = usize::from(puzzle.columns);
        Self { occupied: vec![false; usize::from(puzzle.rows) * columns], columns }
    }

    fn shape(piece: &Piece, _: &Puzzle) -> Size {
        Size { width: piece.width, height: piece.height }
    }

    fn clear(&mut self) {
        self.occupied.fill(false);
    }

    fn put(&mut self, size: &Size, spot: Spot) {
        self.fill(size, spot, true);
    }

    fn lift(&mut self, size: &Size, spot: Spot) {
        self.fill(size, spot, false);
    }

    fn has_room(&self, size: &Size, spot: Spot) -> bool {
        self.rows(size, spot).all(|row| !self.occupied[row].contains(&true))
    }

    fn may_go(&self, _: &Size, _: Spot, _: Direction) -> bool {
        true
    }
}
