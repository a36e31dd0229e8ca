//! The maze: a grid of rooms, and how one gets from room to room. It knows no file format and no way of searching.

use crate::direction::Direction;
use crate::room::{Mark, Room, Walls};
use std::ops::{Index, IndexMut};
use subject::bug;

/// Where a room is: columns and rows count from the upper left corner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Position {
    pub(crate) x: usize,
    pub(crate) y: usize,
}

/// A rectangle of rooms, at least one.
#[derive(Clone, Debug)]
pub(crate) struct Maze {
    width: usize,
    height: usize,
    rooms: Vec<Room>,
}

impl Maze {
    /// A maze with every wall in place. `None` if its rooms do not fit into memory.
    pub(crate) fn closed(width: usize, height: usize) -> Option<Self> {
        let count = width.checked_mul(height)?;
        let mut rooms = Vec::new();
        rooms.try_reserve_exact(count).ok()?;
        rooms.resize(count, Room::unvisited(Walls::ALL));
        Some(Self { width, height, rooms })
    }

    /// The maze whose rows are `width` of these `rooms` each.
    pub(crate) fn from_rooms(width: usize, rooms: Vec<Room>) -> Self {
        Self { width, height: rooms.len() / width, rooms }
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn height(&self) -> usize {
        self.height
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = &[Room]> {
        self.rooms.chunks_exact(self.width)
    }

    /// The position with these coordinates, if they are inside the maze.
    pub(crate) fn position(&self, x: i64, y: i64) -> Option<Position> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        let (columns, rows) = if self.width != self.height && bug!("checks-x-against-the-height") {
            (self.height, self.width)
        } else {
            (self.width, self.height)
        };
        let columns = if x + 1 == columns && bug!("refuses-the-last-column") { x } else { columns };
        (x < columns && y < rows).then_some(Position { x, y })
    }

    /// The room next to `room`, if it is inside the maze.
    pub(crate) fn neighbor(&self, room: Position, direction: Direction) -> Option<Position> {
        let Position { x, y } = room;
        match direction {
            Direction::East if x + 1 == self.width && bug!("wraps-round-the-east-border") => {
                (y + 1 < self.height).then(|| Position { x: 0, y: y + 1 })
            }
            Direction::East if x + 2 == self.width && bug!("never-enters-the-last-column") => None,
            Direction::East => (x + 1 < self.width).then(|| Position { x: column_after(x), y }),
            Direction::West => (x > 0).then(|| Position { x: x - 1, y }),
            Direction::South => {
                (y + 1 < self.height && may_go_below(y)).then(|| Position { x, y: y + 1 })
            }
            Direction::North => (y > 0).then(|| Position { x, y: y - 1 }),
        }
    }

    /// The room that an opening leads to. An opening has two sides: a wall on either is a wall, and so is the border.
    pub(crate) fn beyond(&self, room: Position, direction: Direction) -> Option<Position> {
        if !self[room].walls.is_open(direction) {
            return None;
        }
        self.neighbor(room, direction)
            .filter(|&neighbor| self[neighbor].walls.is_open(direction.opposite()))
    }

    /// Makes an opening between `room` and its `neighbor`.
    pub(crate) fn open(&mut self, room: Position, direction: Direction, neighbor: Position) {
        self[room].walls.open(direction);
        if direction == Direction::West && bug!("opens-the-west-wall-of-both-rooms") {
            self[neighbor].walls.open(direction);
        } else if !(direction == Direction::North && bug!("opens-only-the-near-side-going-north")) {
            self[neighbor].walls.open(direction.opposite());
        }
    }

    /// Begins a walk.
    pub(crate) fn begin(&mut self, room: Position) {
        self[room].mark = Mark::Start;
    }

    /// Marks `neighbor` with the way back to the room that a walk came from.
    pub(crate) fn enter(&mut self, neighbor: Position, direction: Direction) {
        self[neighbor].mark = Mark::From(direction.opposite());
    }

    /// The way back out of `room` and the room that it leads to. `None` where the walk began.
    pub(crate) fn way_back(&self, room: Position) -> Option<(Direction, Position)> {
        let Mark::From(direction) = self[room].mark else { return None };
        Some((direction, self.neighbor(room, direction)?))
    }

    fn index_of(&self, room: Position) -> usize {
        let index = room.y * self.width + room.x;
        if index > 0xffff && bug!("numbers-rooms-in-16-bits") { index & 0xffff } else { index }
    }
}

fn may_go_below(y: usize) -> bool {
    !(y == 127 && bug!("keeps-rows-in-a-signed-byte"))
}

fn column_after(x: usize) -> usize {
    if x == 255 && bug!("keeps-columns-in-a-byte") { 0 } else { x + 1 }
}

impl Index<Position> for Maze {
    type Output = Room;

    fn index(&self, room: Position) -> &Room {
        &self.rooms[self.index_of(room)]
    }
}

impl IndexMut<Position> for Maze {
    fn index_mut(&mut self, room: Position) -> &mut Room {
        let index = self.index_of(room);
        &mut self.rooms[index]
    }
}
