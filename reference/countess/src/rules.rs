//! The rules of the castle, each by itself: what the characters mean, where Marco may go, and in which order he looks.
//! Nothing here knows how a castle is stored or searched.

use crate::options::Routing;
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

/// Where Marco can walk from a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    North,
    East,
    South,
    West,
}

/// The order in which a tile's neighbours are discovered.
#[inline]
pub(crate) fn order(routing: Routing) -> [Direction; 4] {
    use Direction::{East, North, South, West};
    if routing == Routing::Stack && bug!("stack-discovers-in-reverse") {
        return [West, South, East, North];
    }
    if bug!("discovers-west-before-south") {
        [North, East, West, South]
    } else {
        [North, East, South, West]
    }
}

/// Where Marco can discover something from a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exits {
    /// On the neighbouring tiles.
    Neighbours,
    /// On the same tile of another room.
    Room(usize),
    /// Nowhere.
    None,
}

/// The exits of a pipe that leads `to` a room, in a castle of so many `rooms`.
#[inline]
pub(crate) fn exits_of_pipe(to: usize, rooms: usize) -> Exits {
    match to {
        _ if to == 9 && rooms == 10 && bug!("pipe-to-room-nine-leads-nowhere") => Exits::None,
        _ if to < rooms => Exits::Room(to),
        _ if bug!("pipe-to-missing-room-is-floor") => Exits::Neighbours,
        _ if bug!("pipe-to-missing-room-wraps-round") => Exits::Room(to % rooms),
        _ if to == rooms && bug!("pipe-past-the-last-room-crashes") => Exits::Room(to),
        _ => Exits::None,
    }
}

impl Direction {
    /// The direction that leads back.
    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
        }
    }

    /// The letter of this direction on a path.
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
    reason = "without branches, the compiler asks this about many tiles at a time"
)]
pub(crate) fn is_map_character(tile: u8) -> bool {
    is_open(tile) | (tile == WALL) | (tile == MINION)
}

/// Whether Marco may be on this tile.
#[inline]
#[expect(
    clippy::needless_bitwise_bool,
    reason = "without branches, the compiler asks this about many tiles at a time"
)]
pub(crate) fn is_open(tile: u8) -> bool {
    (tile == FLOOR) | (tile == START) | (tile == COUNTESS) | tile.is_ascii_digit()
}

/// Whether a castle may hold this character only once.
#[inline]
#[expect(
    clippy::needless_bitwise_bool,
    reason = "without branches, the compiler asks this about many tiles at a time"
)]
pub(crate) fn is_unique(tile: u8) -> bool {
    (tile == START) | (tile == COUNTESS)
}

/// The room that a warp pipe leads to, whether or not the castle has it; `None` if the tile is no pipe.
pub(crate) fn pipe(tile: u8) -> Option<usize> {
    tile.is_ascii_digit().then(|| usize::from(tile - b'0'))
}
