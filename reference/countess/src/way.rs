//! What a search knows of a tile, in one byte, so that it touches no other memory for it. The castle's layout is not known here.

use crate::rules::{Direction, is_open, pipe};

/// The low half tells how the tile was discovered, the high half what kind of tile it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way(u8);

/// The low half: no way yet, or one of 4 directions, 10 rooms at the other end of a pipe, and where the search starts.
const HOW: u8 = 0x0f;
const FIRST_DIRECTION: u8 = 1;
const FIRST_PIPE: u8 = 5;
/// The high half: 0 on floor, otherwise 1 more than the room that a pipe leads to.
const KIND: u32 = 4;

impl Way {
    /// Where the search starts.
    pub(crate) const START: Self = Self(HOW);
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
        Self(self.0 & !HOW)
    }

    /// Whether the tile may be discovered, and was not yet.
    #[inline]
    pub(crate) fn is_undiscovered(self) -> bool {
        self.0 & HOW == 0
    }

    /// Whether the tile was discovered.
    #[inline]
    pub(crate) fn is_discovered(self) -> bool {
        self.0 & HOW != 0 && self != Self::BARRED
    }

    /// The room that the tile leads to, if it is a pipe.
    #[inline]
    pub(crate) fn pipe_room(self) -> Option<usize> {
        (self.0 >> KIND).checked_sub(1).map(usize::from)
    }

    /// Whether the tile was discovered through a pipe.
    #[inline]
    pub(crate) fn is_from_pipe(self) -> bool {
        (FIRST_PIPE..HOW).contains(&(self.0 & HOW))
    }

    /// The direction of the walk, or the room at the other end of the pipe, by which the tile was discovered.
    pub(crate) fn parts(self) -> Result<Direction, usize> {
        match self.0 & HOW {
            1 => Ok(Direction::North),
            2 => Ok(Direction::East),
            3 => Ok(Direction::South),
            4 => Ok(Direction::West),
            pipe @ FIRST_PIPE..HOW => Err(usize::from(pipe - FIRST_PIPE)),
            _ => panic!("nothing leads to this tile"),
        }
    }
}
