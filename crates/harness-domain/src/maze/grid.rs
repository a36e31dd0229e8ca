//! A maze as a value: a rectangle of rooms, each with its walls.

use crate::Flaw;
use std::fmt;

/// A direction. The order is that of the bits of a room's digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Direction {
    East,
    West,
    South,
    North,
}

impl Direction {
    pub(super) const ALL: [Self; 4] = [Self::East, Self::West, Self::South, Self::North];

    /// The bit of a digit that is set if there is a wall on this side.
    pub(super) const fn bit(self) -> u8 {
        8 >> self as u8
    }

    pub(super) const fn opposite(self) -> Self {
        match self {
            Self::East => Self::West,
            Self::West => Self::East,
            Self::South => Self::North,
            Self::North => Self::South,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::East => "east",
            Self::West => "west",
            Self::South => "south",
            Self::North => "north",
        }
    }
}

/// The column and row of a room, counted from 0 at the upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Room {
    pub(super) x: usize,
    pub(super) y: usize,
}

impl fmt::Display for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

pub(super) const CLOSED: u8 = 0b1111;
/// A place where a broken file has no room. Like a room with four walls, it is closed.
pub(super) const HOLE: u8 = 0b1_1111;

/// A rectangle of rooms, each with its walls as bits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Maze {
    width: usize,
    height: usize,
    rooms: Vec<u8>,
}

impl Maze {
    /// A maze with all walls.
    pub(super) fn closed(width: usize, height: usize) -> Self {
        Self { width, height, rooms: vec![CLOSED; width * height] }
    }

    /// The maze in the upper left corner of one of this size, with its rows and then its columns continued by corridors, so that
    /// every room can be reached from where it could be reached before. `None` if it is larger.
    pub(super) fn extended(&self, columns: usize, rows: usize) -> Option<Self> {
        if self.width > columns || self.height > rows {
            return None;
        }
        let mut maze = Self::closed(columns, rows);
        for room in self.rooms() {
            maze.set_walls(room, self.walls(room));
        }
        for y in 0..self.height {
            for x in self.width..columns {
                maze.set_open(Room { x, y }, Direction::West, true);
            }
        }
        for y in self.height..rows {
            for x in 0..columns {
                maze.set_open(Room { x, y }, Direction::North, true);
            }
        }
        Some(maze)
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn height(&self) -> usize {
        self.height
    }

    /// The number of rooms.
    pub(super) fn area(&self) -> usize {
        self.rooms.len()
    }

    pub(super) fn contains(&self, room: Room) -> bool {
        room.x < self.width && room.y < self.height
    }

    /// The room with this number; rooms count row by row.
    pub(super) fn room(&self, number: usize) -> Room {
        Room { x: number % self.width, y: number / self.width }
    }

    /// The number of a room; rooms count row by row.
    pub(super) fn number(&self, room: Room) -> usize {
        room.y * self.width + room.x
    }

    /// All rooms, row by row.
    pub(super) fn rooms(&self) -> impl Iterator<Item = Room> + '_ {
        (0..self.area()).map(|number| self.room(number))
    }

    /// The walls of a room as bits, or [`HOLE`].
    pub(super) fn walls(&self, room: Room) -> u8 {
        self.rooms[self.number(room)]
    }

    pub(super) fn set_walls(&mut self, room: Room, walls: u8) {
        let number = self.number(room);
        self.rooms[number] = walls;
    }

    /// The room next to `room`, whether or not there is a wall between them.
    pub(super) fn neighbour(&self, room: Room, direction: Direction) -> Option<Room> {
        let Room { x, y } = room;
        let next = match direction {
            Direction::East => Room { x: x + 1, y },
            Direction::West => Room { x: x.checked_sub(1)?, y },
            Direction::South => Room { x, y: y + 1 },
            Direction::North => Room { x, y: y.checked_sub(1)? },
        };
        self.contains(next).then_some(next)
    }

    /// The direction from a room to an adjacent one.
    pub(super) fn direction(&self, from: Room, to: Room) -> Option<Direction> {
        Direction::ALL.into_iter().find(|&direction| self.neighbour(from, direction) == Some(to))
    }

    /// Whether the room's own digit has no wall on this side.
    pub(super) fn is_open(&self, room: Room, direction: Direction) -> bool {
        self.walls(room) & direction.bit() == 0
    }

    /// The room that can be entered from `room` in this direction. A wall on either side closes the way.
    pub(super) fn beyond(&self, room: Room, direction: Direction) -> Option<Room> {
        let next = self.neighbour(room, direction)?;
        (self.is_open(room, direction) && self.is_open(next, direction.opposite())).then_some(next)
    }

    /// The rooms that can be entered from `room`.
    pub(super) fn ways(&self, room: Room) -> impl Iterator<Item = Room> + '_ {
        Direction::ALL.into_iter().filter_map(move |direction| self.beyond(room, direction))
    }

    /// Opens or closes the wall between a room and its neighbour. At the border it does nothing.
    pub(super) fn set_open(&mut self, room: Room, direction: Direction, open: bool) {
        let Some(next) = self.neighbour(room, direction) else { return };
        for (room, direction) in [(room, direction), (next, direction.opposite())] {
            let walls = if open {
                self.walls(room) & !direction.bit()
            } else {
                self.walls(room) | direction.bit()
            };
            self.set_walls(room, walls);
        }
    }

    /// Every pair of adjacent rooms: the western or northern one, and the direction of the other.
    pub(super) fn gaps(&self) -> impl Iterator<Item = (Room, Direction)> + '_ {
        self.rooms().flat_map(|room| [(room, Direction::East), (room, Direction::South)]).filter(
            |&(room, direction)| {
                // This is cheaper than a call of `neighbour`.
                if direction == Direction::East {
                    room.x + 1 < self.width
                } else {
                    room.y + 1 < self.height
                }
            },
        )
    }

    /// The errors in the walls: openings in the border, and neighbours that do not agree.
    pub(super) fn flaws(&self) -> impl Iterator<Item = Flaw> + '_ {
        self.rooms().flat_map(move |room| {
            let flaw =
                move |message| Flaw { line: Some(room.y + 1), column: Some(room.x + 1), message };
            Direction::ALL.into_iter().filter_map(move |direction| {
                match self.neighbour(room, direction) {
                    None => self.is_open(room, direction).then(|| {
                        flaw(format!(
                            "room {room} is open to the {}, but the maze ends there",
                            direction.name()
                        ))
                    }),
                    // Each pair is checked once. A missing room was reported before.
                    Some(_) if matches!(direction, Direction::West | Direction::North) => None,
                    Some(next) if [room, next].iter().any(|&room| self.walls(room) == HOLE) => None,
                    Some(next) => (self.is_open(room, direction)
                        != self.is_open(next, direction.opposite()))
                    .then(|| {
                        let (open, shut) =
                            if self.is_open(room, direction) { (room, next) } else { (next, room) };
                        flaw(format!(
                            "room {open} is open towards {shut}, but {shut} has a wall there"
                        ))
                    }),
                }
            })
        })
    }

    /// The first room that cannot be reached from the upper left corner.
    pub(super) fn unreachable(&self) -> Option<Room> {
        let reached = self.reached_from(0);
        reached.iter().position(|&reached| !reached).map(|number| self.room(number))
    }

    /// Whether there is a way from one room to another.
    pub(super) fn joins(&self, from: Room, to: Room) -> bool {
        self.reached_from(self.number(from))[self.number(to)]
    }

    /// For each room, whether it can be reached from the one with this number.
    fn reached_from(&self, first: usize) -> Vec<bool> {
        let mut reached = vec![false; self.area()];
        let mut open = Vec::with_capacity(self.area());
        if let Some(is_reached) = reached.get_mut(first) {
            *is_reached = true;
            open.push(self.room(first));
        }
        while let Some(room) = open.pop() {
            for next in self.ways(room) {
                let number = self.number(next);
                if !std::mem::replace(&mut reached[number], true) {
                    open.push(next);
                }
            }
        }
        reached
    }
}
