//! A room: its walls, and the mark that a walk leaves in it.

use crate::direction::Direction;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Room {
    pub(crate) walls: Walls,
    pub(crate) mark: Mark,
}

impl Room {
    pub(crate) const fn unvisited(walls: Walls) -> Self {
        Self { walls, mark: Mark::Unvisited }
    }
}

/// How a walk came into a room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    Unvisited,
    /// The walk began here.
    Start,
    /// The walk first entered from the neighbour in this direction, and returns there.
    From(Direction),
}

/// The walls of a room, one bit per direction, as in a maze file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Walls(u8);

impl Walls {
    pub(crate) const ALL: Self = Self(0b1111);

    /// The walls with the `bits` of a hexadecimal digit.
    pub(crate) const fn from_bits(bits: u8) -> Self {
        Self(bits & Self::ALL.0)
    }

    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    pub(crate) const fn is_open(self, direction: Direction) -> bool {
        self.0 & weight(direction) == 0
    }

    pub(crate) const fn open(&mut self, direction: Direction) {
        self.0 &= !weight(direction);
    }
}

const fn weight(direction: Direction) -> u8 {
    match direction {
        Direction::East => 8,
        Direction::West => 4,
        Direction::South => 2,
        Direction::North => 1,
    }
}
