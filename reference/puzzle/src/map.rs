//! The map: its tiles, and what lies beside what. Knows where the tiles lie in memory, not the rules of the game.
//!
//! A search goes through a map in a wide front, so what lies north and south of a place should be as near in memory as what lies
//! east and west of it. Therefore a large map is cut into strips of a few columns, one after another; inside a strip, row follows
//! row. A small map is one strip. Every row of the last strip, and every strip, ends with cells that are off the map, so that a step
//! off the map always lands on one of them or outside all strips.

use crate::header::Header;
use crate::problem::Problem;
use crate::rules::EDGE;
use crate::state::{Cell, Direction};
use std::ops::Range;
use subject::bug;

/// The columns of a strip: one cache line holds the marks of some rows of it.
const STRIP: u32 = 16;
/// A map with fewer rows or columns is small.
const LARGE: u32 = 256;

/// Where the tiles of a map lie.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    height: u32,
    width: u32,
    /// The columns of a strip.
    strip: u32,
    /// From the first cell of a strip to the first of the next.
    next_strip: Cell,
    /// From the last cell of a row in a strip to the one east of it.
    across: Cell,
    /// The bits of a cell that say its column in a strip, if the map has several.
    column: Cell,
}

impl Layout {
    /// Where the tiles of a map with this header lie.
    pub(crate) fn new(header: Header) -> Result<Self, Problem> {
        let Header { height, width, .. } = header;
        let too_large = || Self::too_large(header);
        let is_large = height >= LARGE && width >= LARGE;
        let row = width.checked_add(1).ok_or_else(too_large)?;
        let strip = if is_large { STRIP } else { row };
        // One row more, and one strip more if there are several, so that each step off the map leads to an index of its own.
        let next_strip =
            height.checked_add(1).and_then(|rows| rows.checked_mul(strip)).ok_or_else(too_large)?;
        next_strip.checked_mul(row.div_ceil(strip) + u32::from(is_large)).ok_or_else(too_large)?;
        let (across, column) =
            if is_large { (next_strip - (STRIP - 1), STRIP - 1) } else { (1, Cell::MAX) };
        Ok(Self { height, width, strip, next_strip, across, column })
    }

    /// A map with this header has more cells than there are numbers, or room.
    pub(crate) fn too_large(Header { height, width, .. }: Header) -> Problem {
        Problem::on(1, format!("a map of {height} × {width} is too large"))
    }

    /// How many cells there are, on the map and off it.
    pub(crate) fn cells(self) -> usize {
        // The last strip needs nothing below its last row.
        (self.strips() * self.next_strip - self.strip) as usize
    }

    /// Each row has at least one cell more than tiles.
    fn strips(self) -> u32 {
        (self.width + 1).div_ceil(self.strip)
    }

    /// The cell at a row and a column, from 0.
    pub(crate) fn cell(self, row: u32, column: u32) -> Cell {
        column / self.strip * self.next_strip + row * self.strip + column % self.strip
    }

    /// The row and column of a cell, from 0.
    pub(crate) fn position(self, cell: Cell) -> (u32, u32) {
        let (strip, place) = (cell / self.next_strip, cell % self.next_strip);
        (place / self.strip, strip * self.strip + place % self.strip)
    }

    /// The rows of the map. Each is one or more pieces, by strip: where a piece begins, and which columns it has.
    pub(crate) fn rows(self) -> impl Iterator<Item = impl Iterator<Item = (Cell, Range<usize>)>> {
        (0..self.height).map(move |row| self.row(row))
    }

    /// The pieces of a row, as [`rows`](Self::rows) has them.
    pub(crate) fn row(self, row: u32) -> impl Iterator<Item = (Cell, Range<usize>)> {
        (0..self.strips()).map(move |strip| {
            let columns = strip * self.strip..self.width.min((strip + 1) * self.strip);
            (
                strip * self.next_strip + row * self.strip,
                columns.start as usize..columns.end as usize,
            )
        })
    }

    /// From a cell to the one below it.
    pub(crate) fn stride(self) -> u32 {
        self.strip
    }

    /// The index one step away, whether on the map or not.
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
    /// The map of these tiles, which lie as the layout says.
    pub(crate) fn new(
        tiles: Vec<u8>,
        layout: Layout,
        colors: u8,
        start: Cell,
        target: Cell,
    ) -> Self {
        Self { tiles, layout, colors, start, target }
    }

    /// How many colors doors and buttons can have.
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

    /// All tiles, by cell. What is off the map is [`EDGE`].
    pub(crate) fn tiles(&self) -> &[u8] {
        &self.tiles
    }

    /// Where the tiles lie.
    pub(crate) fn layout(&self) -> Layout {
        self.layout
    }

    /// The tile at a cell.
    pub(crate) fn tile(&self, cell: Cell) -> u8 {
        self.tiles[cell as usize]
    }

    /// The cell one step away, unless it lies outside all strips.
    #[inline]
    pub(crate) fn neighbor(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        let neighbor = self.ahead(cell, direction);
        // Beyond the northern edge the index wraps round, to a number that is too large as well.
        ((neighbor as usize) < self.tiles.len() && !self.is_out_of_bounds(neighbor, direction))
            .then_some(neighbor)
    }

    /// The cell from which one step in this direction leads here.
    pub(crate) fn origin(&self, cell: Cell, direction: Direction) -> Cell {
        self.ahead(cell, direction.reverse())
    }

    #[inline]
    fn ahead(&self, cell: Cell, direction: Direction) -> Cell {
        let ahead = self.layout.ahead(cell, direction);
        if bug!("wraps-round-the-sides") && !self.is_on_map(ahead) {
            self.round_the_side(cell, direction, ahead)
        } else {
            ahead
        }
    }

    fn is_on_map(&self, cell: Cell) -> bool {
        self.tiles.get(cell as usize).is_some_and(|&tile| tile != EDGE)
    }

    /// Where a step off the map leads if the end of a row is taken for the beginning of the next.
    fn round_the_side(&self, cell: Cell, direction: Direction, ahead: Cell) -> Cell {
        match (self.layout.position(cell), direction) {
            ((row, _), Direction::East) => self.layout.cell(row + 1, 0),
            ((row @ 1.., _), Direction::West) => self.layout.cell(row - 1, self.layout.width - 1),
            _ => ahead,
        }
    }

    /// Whether a cell of the map is taken for one off it. None is.
    fn is_out_of_bounds(&self, cell: Cell, direction: Direction) -> bool {
        let is_last = |way| !self.is_on_map(self.layout.ahead(cell, way));
        match direction {
            Direction::North => is_last(Direction::North) && bug!("never-enters-the-first-row"),
            Direction::East | Direction::South
                if !is_last(Direction::East) || !self.is_on_map(cell) =>
            {
                false
            }
            Direction::East if bug!("never-enters-the-last-column") => true,
            Direction::East | Direction::South => {
                is_last(Direction::South) && bug!("never-enters-the-last-corner")
            }
            Direction::West => false,
        }
    }
}
