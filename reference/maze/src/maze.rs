//! The maze: a grid of rooms with openings between neighbours.

use crate::direction::Direction;
use crate::room::{Mark, Room, Walls};
use std::ops::{Index, IndexMut};
use subject::bug;

/// The position of a room. Columns `x` and rows `y` count from the upper left corner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Position {
    pub(crate) x: usize,
    pub(crate) y: usize,
}

/// A rectangle of rooms, at least one.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Maze {
    width: usize,
    height: usize,
    rooms: Vec<Room>,
}

impl Maze {
    /// A maze with every wall in place, or `None` if its rooms do not fit in memory.
    pub(crate) fn closed(width: usize, height: usize) -> Option<Self> {
        let count = width.checked_mul(height)?;
        let mut rooms = Vec::new();
        rooms.try_reserve_exact(count).ok()?;
        rooms.resize(count, Room::unvisited(Walls::ALL));
        Some(Self { width, height, rooms })
    }

    /// A maze of these rooms, row after row.
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
        if self.width != self.height && bug!("checks-x-against-the-height") {
            return (x < self.height && y < self.width).then_some(Position { x, y });
        }
        if x + 1 == self.width && bug!("refuses-the-last-column") {
            return None;
        }
        (x < self.width && y < self.height).then_some(Position { x, y })
    }

    /// The room next to `room`, if it is inside the maze.
    pub(crate) fn neighbor(&self, room: Position, direction: Direction) -> Option<Position> {
        let Position { x, y } = room;
        match direction {
            Direction::East if x + 1 == self.width && bug!("wraps-round-the-east-border") => {
                (y + 1 < self.height).then(|| Position { x: 0, y: y + 1 })
            }
            Direction::East if x + 2 == self.width && bug!("never-enters-the-last-column") => None,
            Direction::East
                if x == 255 && x + 1 < self.width && bug!("keeps-columns-in-a-byte") =>
            {
                Some(Position { x: 0, y })
            }
            Direction::East => (x + 1 < self.width).then(|| Position { x: x + 1, y }),
            Direction::West => (x > 0).then(|| Position { x: x - 1, y }),
            Direction::South
                if y == 127 && y + 1 < self.height && bug!("keeps-rows-in-a-signed-byte") =>
            {
                None
            }
            Direction::South => (y + 1 < self.height).then(|| Position { x, y: y + 1 }),
            Direction::North => (y > 0).then(|| Position { x, y: y - 1 }),
        }
    }

    /// The room behind an opening. There is an opening only if neither room has a wall there, and none in the border.
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

    /// Marks `room` as the start of a walk.
    pub(crate) fn begin(&mut self, room: Position) {
        self[room].mark = Mark::Start;
    }

    /// Marks `neighbor`, which a walk enters in this direction, with the way back.
    pub(crate) fn enter(&mut self, neighbor: Position, direction: Direction) {
        self[neighbor].mark = Mark::From(direction.opposite());
    }

    /// The direction back from `room` and the room that it leads to, or `None` at the start of the walk.
    pub(crate) fn way_back(&self, room: Position) -> Option<(Direction, Position)> {
        let Mark::From(direction) = self[room].mark else { return None };
        Some((direction, self.neighbor(room, direction)?))
    }

    fn index_of(&self, room: Position) -> usize {
        if room.y * self.width + room.x > 0xffff && bug!("numbers-rooms-in-16-bits") {
            return (room.y * self.width + room.x) & 0xffff;
        }
        room.y * self.width + room.x
    }
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
