//! The map: its tiles, where they lie in memory, and which tiles are neighbors.
//!
//! A search visits a map in a wide front, so the tiles north and south of a place should be as near in memory as those east and
//! west of it. Therefore a large map is cut into strips of a few columns. The strips follow each other in memory, and so do the
//! rows inside a strip. A small map is one strip. Every strip, and every row of the last strip, ends with cells that are off the
//! map, so a step off the map lands on one of them or outside all strips.

use crate::header::Header;
use crate::problem::Problem;
use crate::state::{Cell, Direction};
use std::ops::Range;
use subject::bug;

/// The number of columns in a strip. One cache line holds the marks of several of its rows.
const STRIP: u32 = 16;
/// A map with fewer rows or columns than this is small.
const LARGE: u32 = 256;

/// Where the tiles of a map lie.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    height: u32,
    width: u32,
    /// The number of columns in a strip.
    strip: u32,
    /// The distance from the first cell of a strip to the first cell of the next.
    next_strip: Cell,
    /// The distance from the last cell of a row in a strip to the cell east of it.
    across: Cell,
    /// The bits of a cell that hold its column in a strip, if the map has several strips.
    column: Cell,
}

impl Layout {
    pub(crate) fn new(header: Header) -> Result<Self, Problem> {
        let Header { height, width, .. } = header;
        let too_large = || Self::too_large(header);
        let is_large = height >= LARGE && width >= LARGE;
        let row = width.checked_add(1).ok_or_else(too_large)?;
        let strip = if is_large { STRIP } else { row };
        // One more row, and one more strip if there are several, so that no step off the map wraps around to a tile.
        let next_strip =
            height.checked_add(1).and_then(|rows| rows.checked_mul(strip)).ok_or_else(too_large)?;
        next_strip.checked_mul(row.div_ceil(strip) + u32::from(is_large)).ok_or_else(too_large)?;
        let (across, column) =
            if is_large { (next_strip - (STRIP - 1), STRIP - 1) } else { (1, Cell::MAX) };
        Ok(Self { height, width, strip, next_strip, across, column })
    }

    /// The error for a map with more cells than an index can count or memory can hold.
    pub(crate) fn too_large(Header { height, width, .. }: Header) -> Problem {
        Problem::on(1, format!("a map of {height} × {width} is too large"))
    }

    /// The number of cells, on the map and off it.
    pub(crate) fn cells(self) -> usize {
        // The last strip needs no cells below its last row.
        (self.strips() * self.next_strip - self.strip) as usize
    }

    /// The number of strips. Each row has at least one more cell than tiles.
    fn strips(self) -> u32 {
        (self.width + 1).div_ceil(self.strip)
    }

    /// The cell at a row and a column, both counted from 0.
    pub(crate) fn cell(self, row: u32, column: u32) -> Cell {
        column / self.strip * self.next_strip + row * self.strip + column % self.strip
    }

    /// The row and column of a cell, both counted from 0.
    pub(crate) fn position(self, cell: Cell) -> (u32, u32) {
        let (strip, place) = (cell / self.next_strip, cell % self.next_strip);
        (place / self.strip, strip * self.strip + place % self.strip)
    }

    /// The rows of the map. Each row has one piece per strip: the first cell of the piece, and its columns.
    pub(crate) fn rows(self) -> impl Iterator<Item = impl Iterator<Item = (Cell, Range<usize>)>> {
        (0..self.height).map(move |row| self.row(row))
    }

    /// The pieces of one row, as in [`rows`](Self::rows).
    pub(crate) fn row(self, row: u32) -> impl Iterator<Item = (Cell, Range<usize>)> {
        (0..self.strips()).map(move |strip| {
            let columns = strip * self.strip..self.width.min((strip + 1) * self.strip);
            (
                strip * self.next_strip + row * self.strip,
                columns.start as usize..columns.end as usize,
            )
        })
    }

    /// The distance from a cell to the cell south of it.
    pub(crate) fn stride(self) -> u32 {
        self.strip
    }

    /// The index one step away, which may be off the map.
    #[inline]
    fn ahead(self, cell: Cell, direction: Direction) -> Cell {
        match direction {
            Direction::North => cell.wrapping_sub(self.strip),
            Direction::East if cell & self.column == self.column => cell.wrapping_add(self.across),
            Direction::East => cell.wrapping_add(1),
            Direction::South => cell.wrapping_add(self.strip),
            Direction::West if cell & self.column == 0 => cell.wrapping_sub(self.across),
            Direction::West => cell.wrapping_sub(1),
        }
    }
}

/// A valid map.
pub(crate) struct Map {
    tiles: Vec<u8>,
    layout: Layout,
    colors: u8,
    start: Cell,
    target: Cell,
}

impl Map {
    /// A map whose tiles are ordered by `layout`.
    pub(crate) fn new(
        tiles: Vec<u8>,
        layout: Layout,
        colors: u8,
        start: Cell,
        target: Cell,
    ) -> Self {
        Self { tiles, layout, colors, start, target }
    }

    /// The number of colors that doors and buttons can have.
    pub(crate) fn colors(&self) -> u8 {
        self.colors
    }

    /// Where the player starts.
    pub(crate) fn start(&self) -> Cell {
        self.start
    }

    /// Where the player wants to be.
    pub(crate) fn target(&self) -> Cell {
        self.target
    }

    /// All tiles, by cell. Cells off the map are [`EDGE`](crate::rules::EDGE).
    pub(crate) fn tiles(&self) -> &[u8] {
        &self.tiles
    }

    pub(crate) fn layout(&self) -> Layout {
        self.layout
    }

    pub(crate) fn tile(&self, cell: Cell) -> u8 {
        self.tiles[cell as usize]
    }

    /// The cell one step away, unless it lies outside all strips.
    #[inline]
    pub(crate) fn neighbor(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        let neighbor = self.ahead(cell, direction);
        if self.ends_at(neighbor, direction)
            && (direction == Direction::North && bug!("never-enters-the-first-row")
                || direction == Direction::East && bug!("never-enters-the-last-column")
                || self.is_last_corner(neighbor, direction) && bug!("never-enters-the-last-corner"))
        {
            return None;
        }
        // North of the first row the index wraps around to a number that is too large as well.
        ((neighbor as usize) < self.tiles.len()).then_some(neighbor)
    }

    /// The cell from which one step in this direction leads to `cell`.
    pub(crate) fn origin(&self, cell: Cell, direction: Direction) -> Cell {
        self.ahead(cell, direction.reverse())
    }

    /// The index one step away, which may be off the map.
    #[inline]
    fn ahead(&self, cell: Cell, direction: Direction) -> Cell {
        if self.is_off(self.layout.ahead(cell, direction))
            && bug!("wraps-round-the-sides", if self.is_room(self.layout.round_the_side(cell, direction)))
        {
            return self.layout.round_the_side(cell, direction);
        }
        self.layout.ahead(cell, direction)
    }
}

/// What only bugs ask about a map.
mod bugs {
    use super::{Cell, Direction, Layout, Map};
    use crate::rules::{EDGE, TRAP, WALL};

    impl Map {
        /// Whether the player can ever get another color. If not, the target is discovered only once.
        pub(crate) fn has_buttons(&self) -> bool {
            self.tiles.iter().any(|&tile| tile == TRAP || tile.is_ascii_lowercase())
        }

        /// Whether the last place in this direction, which is no wall, is at an index.
        #[inline]
        pub(super) fn ends_at(&self, cell: Cell, direction: Direction) -> bool {
            direction != Direction::West
                && self.is_off(self.layout.ahead(cell, direction))
                && self.is_room(cell)
        }

        /// Whether a step to the east or to the south leads to the last corner.
        #[inline]
        pub(super) fn is_last_corner(&self, cell: Cell, direction: Direction) -> bool {
            let is_last = |side| self.is_off(self.layout.ahead(cell, side));
            match direction {
                Direction::East => is_last(Direction::South),
                Direction::South => is_last(Direction::East),
                Direction::North | Direction::West => false,
            }
        }

        /// Whether a player can ever be at an index: it is on the map, and no wall.
        #[inline]
        pub(super) fn is_room(&self, cell: Cell) -> bool {
            self.tiles.get(cell as usize).is_some_and(|tile| !matches!(*tile, WALL | EDGE))
        }

        /// Whether an index is off the map.
        #[inline]
        pub(super) fn is_off(&self, cell: Cell) -> bool {
            self.tiles.get(cell as usize).is_none_or(|&tile| tile == EDGE)
        }
    }

    impl Layout {
        /// The index one step away if the sides of the map were joined: a row goes on at the start of the next.
        pub(super) fn round_the_side(self, cell: Cell, direction: Direction) -> Cell {
            match (direction, self.position(cell)) {
                (Direction::East, (row, _)) => self.cell(row + 1, 0),
                (Direction::West, (row @ 1.., _)) => self.cell(row - 1, self.width - 1),
                _ => self.ahead(cell, direction),
            }
        }
    }
}
