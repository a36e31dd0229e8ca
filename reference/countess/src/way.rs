//! What a search knows of a tile, in one byte, so that it touches no other memory for it. The castle's layout is not known here.

use crate::rules::{Direction, is_open, pipe};

/// How a tile was discovered, or how a tile on a path is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// By a walk in this direction.
    Walk(Direction),
    /// Through a pipe whose other end is in this room.
    Pipe(usize),
}

/// The low half tells how the tile was discovered, the high half what kind of tile it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way(u8);

/// The low half: no way yet, or one of 4 directions, 10 rooms at the other end of a pipe, and where the search starts.
const LOW: u8 = 0x0f;
const FIRST_DIRECTION: u8 = 1;
const DIRECTIONS: [Direction; 4] =
    [Direction::North, Direction::East, Direction::South, Direction::West];
const FIRST_PIPE: u8 = 5;
const START: u8 = 15;
/// The high half: 0 on floor, otherwise 1 more than the room that a pipe leads to.
const KIND: u32 = 4;

impl Way {
    /// Where the search starts.
    pub(crate) const START: Self = Self(START);
    /// A wall, a minion or an edge. It has a low half like a tile that was discovered, so that it never will be.
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

    /// The same tile as if it were not discovered.
    pub(crate) fn forgotten(self) -> Self {
        Self(self.0 & !LOW)
    }

    /// Whether the tile may be discovered, and was not yet.
    #[inline]
    pub(crate) fn is_undiscovered(self) -> bool {
        self.0 & LOW == 0
    }

    /// Whether the tile was discovered.
    #[inline]
    pub(crate) fn is_discovered(self) -> bool {
        self.0 & LOW != 0 && self != Self::BARRED
    }

    /// The room that the tile leads to, if it is a pipe.
    #[inline]
    pub(crate) fn pipe_room(self) -> Option<usize> {
        (self.0 >> KIND).checked_sub(1).map(usize::from)
    }

    /// Whether the tile was discovered through a pipe.
    #[inline]
    pub(crate) fn is_from_pipe(self) -> bool {
        (FIRST_PIPE..START).contains(&(self.0 & LOW))
    }

    /// How the tile was discovered, which is neither the start nor a tile that was not discovered.
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
