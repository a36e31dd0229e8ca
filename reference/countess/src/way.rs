//! What the search knows of a tile, in one byte, so that it needs no other memory access for the tile.

use crate::rules::{Direction, is_open, pipe};

/// How a tile was discovered, or how a tile on a path is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// By a walk in this direction.
    Walk(Direction),
    /// Through a pipe whose other end is in this room.
    Pipe(usize),
}

/// The low half says how the tile was discovered, the high half what kind of tile it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way(u8);

/// The low half: 0 for an undiscovered tile, or one of 4 directions, 10 rooms at the other end of a pipe, and the start.
const LOW: u8 = 0x0f;
const FIRST_DIRECTION: u8 = 1;
const DIRECTIONS: [Direction; 4] =
    [Direction::North, Direction::East, Direction::South, Direction::West];
const FIRST_PIPE: u8 = 5;
const START: u8 = 15;
/// The shift of the high half: 0 for floor, or 1 more than the room that a pipe leads to.
const KIND: u32 = 4;

impl Way {
    /// The start of the search.
    pub(crate) const START: Self = Self(START);
    /// A wall, a minion or an edge. Its low half is not 0, so the search never discovers it.
    pub(crate) const BARRED: Self = Self(0xff);

    /// A walk in this direction.
    #[inline]
    pub(crate) const fn walk(direction: Direction) -> Self {
        Self(FIRST_DIRECTION + direction as u8)
    }

    /// A pipe whose other end is in this room.
    #[inline]
    pub(crate) fn pipe(room: usize) -> Self {
        Self(FIRST_PIPE + room as u8)
    }

    /// A tile before it is discovered.
    #[inline]
    pub(crate) fn undiscovered(tile: u8) -> Self {
        let kind = pipe(tile).map_or(0, |room| room as u8 + 1);
        if is_open(tile) { Self(kind << KIND) } else { Self::BARRED }
    }

    /// The same tile, discovered in this way.
    #[inline]
    pub(crate) fn discovered(self, how: Self) -> Self {
        Self(self.0 | how.0)
    }

    /// Whether the tile can be entered and is not yet discovered.
    #[inline]
    pub(crate) fn is_undiscovered(self) -> bool {
        self.0 & LOW == 0
    }

    #[inline]
    pub(crate) fn is_discovered(self) -> bool {
        self.0 & LOW != 0 && self != Self::BARRED
    }

    /// The room that the tile leads to, if it is a pipe.
    #[inline]
    pub(crate) fn pipe_room(self) -> Option<usize> {
        (self.0 >> KIND).checked_sub(1).map(usize::from)
    }

    /// How the tile was discovered. The tile must be discovered, and must not be the start.
    pub(crate) fn how(self) -> How {
        match self.0 & LOW {
            walk @ FIRST_DIRECTION..FIRST_PIPE => {
                How::Walk(DIRECTIONS[usize::from(walk - FIRST_DIRECTION)])
            }
            pipe @ FIRST_PIPE..START => How::Pipe(usize::from(pipe - FIRST_PIPE)),
            _ => panic!("nothing leads to this tile"),
        }
    }
}
