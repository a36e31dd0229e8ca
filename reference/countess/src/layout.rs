//! Where the tiles of a castle are stored, and which tiles are neighbours.
//!
//! All rooms are in one vector, row after row. Each row ends with an edge, so that a room prints as it is stored. A row of edges
//! lies above each room and below the last one. A step out of a room therefore always lands on an edge, and the search needs no
//! bounds check.

use crate::rules::Direction;
use subject::bug;

/// The place of a tile or an edge.
pub(crate) type Place = u32;

/// The shape of a castle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) rooms: usize,
    /// The number of rows, and of columns, of each room.
    pub(crate) size: usize,
    /// The distance from a tile to the tile south of it.
    stride: Place,
    /// The distance from a tile to the same tile of the next room.
    room_length: Place,
}

/// The position of a tile. All three numbers count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Coordinate {
    pub(crate) room: usize,
    pub(crate) row: usize,
    pub(crate) column: usize,
}

impl Layout {
    /// The layout of this many square rooms of this size, or `None` if a place does not fit its type.
    pub(crate) fn new(rooms: usize, size: usize) -> Option<Self> {
        let stride = Place::try_from(size.checked_add(1)?).ok()?;
        let room_length = stride.checked_mul(stride)?;
        room_length.checked_mul(Place::try_from(rooms).ok()?)?.checked_add(stride)?;
        Some(Self { rooms, size, stride, room_length })
    }

    /// The number of places.
    pub(crate) fn length(&self) -> usize {
        self.rooms * self.room_length as usize + self.stride as usize
    }

    #[inline]
    pub(crate) fn place(&self, at: Coordinate) -> Place {
        at.room as Place * self.room_length
            + (at.row as Place + 1) * self.stride
            + at.column as Place
    }

    #[inline]
    pub(crate) fn coordinate(&self, place: Place) -> Coordinate {
        let in_room = place % self.room_length - self.stride;
        let (row, column) = (in_room / self.stride, in_room % self.stride);
        Coordinate { room: self.room(place), row: row as usize, column: column as usize }
    }

    #[inline]
    pub(crate) fn room(&self, place: Place) -> usize {
        (place / self.room_length) as usize
    }

    /// The place in this room with the same row and column.
    #[inline]
    pub(crate) fn same_tile_in(&self, room: usize, place: Place) -> Place {
        place % self.room_length + room as Place * self.room_length
    }

    /// The places of a room's rows, with the edge at the end of each.
    pub(crate) fn rows(&self, room: usize) -> std::ops::Range<usize> {
        let (length, edge) = (self.room_length as usize, self.stride as usize);
        room * length + edge..(room + 1) * length
    }

    /// The place beside a tile in this direction: a tile or an edge.
    #[inline]
    pub(crate) fn beside(&self, place: Place, direction: Direction) -> Place {
        match direction {
            Direction::North
                if self.room(place) > 0
                    && self.coordinate(place).row == 0
                    && bug!("rooms-run-together") =>
            {
                place - 2 * self.stride
            }
            Direction::East
                if self.coordinate(place).column + 1 == self.size && bug!("rows-run-together") =>
            {
                place + 2
            }
            Direction::South
                if self.room(place) + 1 < self.rooms
                    && self.coordinate(place).row + 1 == self.size
                    && bug!("rooms-run-together") =>
            {
                place + 2 * self.stride
            }
            Direction::West if self.coordinate(place).column == 0 && bug!("rows-run-together") => {
                place - 2
            }
            Direction::North => place - self.stride,
            Direction::East => place + 1,
            Direction::South => place + self.stride,
            Direction::West => place - 1,
        }
    }
}
