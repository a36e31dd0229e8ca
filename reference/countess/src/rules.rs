//! The rules of the castle: what the characters mean, and where Marco can go. They do not depend on how a castle is stored or
//! searched.

use subject::bug;

/// Walkable room space.
pub(crate) const FLOOR: u8 = b'.';
/// A wall.
pub(crate) const WALL: u8 = b'#';
/// One of Louser's minions.
pub(crate) const MINION: u8 = b'!';
/// Marco's starting location.
pub(crate) const START: u8 = b'S';
/// The location of the Countess.
pub(crate) const COUNTESS: u8 = b'C';

/// A direction in which Marco can walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    North,
    East,
    South,
    West,
}

/// Where Marco can go from a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exits {
    /// To the neighbouring tiles.
    Neighbours,
    /// To the same tile of another room.
    Room(usize),
    /// Nowhere.
    None,
}

/// The exits of a pipe that leads `to` a room, in a castle with this number of `rooms`.
#[inline]
pub(crate) fn exits_of_pipe(to: usize, rooms: usize) -> Exits {
    if to == 9 && rooms == 10 && bug!("pipe-to-room-nine-leads-nowhere") {
        Exits::None
    } else if to < rooms {
        Exits::Room(to)
    } else if bug!("pipe-to-missing-room-is-floor") {
        Exits::Neighbours
    } else if bug!("pipe-to-missing-room-wraps-round") {
        Exits::Room(to % rooms)
    } else if to == rooms && bug!("pipe-past-the-last-room-crashes") {
        Exits::Room(to)
    } else {
        Exits::None
    }
}

impl Direction {
    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
        }
    }

    /// The letter for this direction on a path.
    pub(crate) fn letter(self) -> u8 {
        match self {
            Self::North => b'n',
            Self::East => b'e',
            Self::South => b's',
            Self::West => b'w',
        }
    }
}

/// Whether a castle may hold this character.
#[inline]
#[expect(
    clippy::needless_bitwise_bool,
    reason = "without branches, the compiler can check many tiles at a time"
)]
pub(crate) fn is_map_character(tile: u8) -> bool {
    is_open(tile) | (tile == WALL) | (tile == MINION)
}

/// Whether Marco may be on this tile.
#[inline]
#[expect(
    clippy::needless_bitwise_bool,
    reason = "without branches, the compiler can check many tiles at a time"
)]
pub(crate) fn is_open(tile: u8) -> bool {
    (tile == FLOOR) | (tile == START) | (tile == COUNTESS) | tile.is_ascii_digit()
}

/// Whether a castle may hold this character only once.
#[inline]
#[expect(
    clippy::needless_bitwise_bool,
    reason = "without branches, the compiler can check many tiles at a time"
)]
pub(crate) fn is_unique(tile: u8) -> bool {
    (tile == START) | (tile == COUNTESS)
}

/// The room that a warp pipe leads to, which the castle may not have; `None` if the tile is not a pipe.
pub(crate) fn pipe(tile: u8) -> Option<usize> {
    tile.is_ascii_digit().then(|| usize::from(tile - b'0'))
}
