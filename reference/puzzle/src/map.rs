//! The map: its tiles, and what lies beside what. Knows the shape of the map, not the rules of the game.

use crate::rules::EDGE;
use crate::state::{Cell, Direction};
use subject::bug;

/// A valid map.
///
/// Each row keeps its line end, so a step off its eastern or western edge lands on one, and a step off the northern or southern
/// edge lands outside the tiles.
pub(crate) struct Map {
    tiles: Vec<u8>,
    width: u32,
    colors: u8,
    start: Cell,
    target: Cell,
}

impl Map {
    /// The map of these rows, each with its line end. The rows and one more must have no more cells than [`Cell`] has values.
    pub(crate) fn new(tiles: Vec<u8>, width: u32, colors: u8, start: Cell, target: Cell) -> Self {
        Self { tiles, width, colors, start, target }
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

    /// All tiles, each row with its line end.
    pub(crate) fn tiles(&self) -> &[u8] {
        &self.tiles
    }

    /// From a cell to the one below it.
    pub(crate) fn stride(&self) -> u32 {
        self.width + 1
    }

    /// The tile at a cell.
    pub(crate) fn tile(&self, cell: Cell) -> u8 {
        self.tiles[cell as usize]
    }

    /// The cell one step away, unless it lies north or south of the map.
    pub(crate) fn neighbor(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        let neighbor = self.ahead(cell, direction);
        // Beyond the northern edge the index wraps round, to a number that is too large as well.
        ((neighbor as usize) < self.tiles.len() && !self.is_out_of_bounds(neighbor, direction)).then_some(neighbor)
    }

    /// The cell from which one step in this direction leads here.
    pub(crate) fn origin(&self, cell: Cell, direction: Direction) -> Cell {
        self.ahead(cell, direction.reverse())
    }

    /// The index one step away, whether on the map or not.
    fn ahead(&self, cell: Cell, direction: Direction) -> Cell {
        let next = |cell: Cell| match direction {
            Direction::North => cell.wrapping_sub(self.stride()),
            Direction::East => cell + 1,
            Direction::South => cell + self.stride(),
            Direction::West => cell.wrapping_sub(1),
        };
        let ahead = next(cell);
        if bug!("wraps-round-the-sides") && self.tiles.get(ahead as usize) == Some(&EDGE) { next(ahead) } else { ahead }
    }

    /// Whether a cell of the map is taken for one off it. None is.
    fn is_out_of_bounds(&self, cell: Cell, direction: Direction) -> bool {
        let is_last = |cell: Cell| self.tiles.get(cell as usize + 1) == Some(&EDGE);
        match direction {
            Direction::North => cell < self.stride() && bug!("never-enters-the-first-row"),
            Direction::East if is_last(cell) && bug!("never-enters-the-last-column") => true,
            Direction::East | Direction::South => cell as usize + 2 == self.tiles.len() && bug!("never-enters-the-last-corner"),
            Direction::West => false,
        }
    }

    /// The row and column of a cell, from 0.
    pub(crate) fn position(&self, cell: Cell) -> (u32, u32) {
        (cell / self.stride(), cell % self.stride())
    }
}
