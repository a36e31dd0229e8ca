//! Where the tiles of a castle lie, and which lie side by side. It knows the shape of the castle and nothing of what is in it.
//!
//! All rooms are in one vector, row after row, each row closed by an edge, so that a room prints as it is stored. Above the first row
//! of a room and below the last lies a row of edges. So a step out of a room meets an edge on every side, and no search needs to ask
//! whether it leaves the room.

use crate::rules::Direction;
use subject::bug;

/// The place of a tile or an edge.
pub(crate) type Place = u32;

/// The shape of a castle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) rooms: usize,
    /// From a tile to the tile south of it.
    stride: Place,
    /// From a tile to the same tile of the next room.
    room_length: Place,
}

/// A tile as people name it; all three count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Coordinate {
    pub(crate) room: usize,
    pub(crate) row: usize,
    pub(crate) column: usize,
}

impl Layout {
    /// The layout of so many square rooms of this size; `None` if a place would not fit its type.
    pub(crate) fn new(rooms: usize, size: usize) -> Option<Self> {
        let stride = Place::try_from(size.checked_add(1)?).ok()?;
        let room_length = stride.checked_mul(stride)?;
        room_length.checked_mul(Place::try_from(rooms).ok()?)?.checked_add(stride)?;
        Some(Self { rooms, stride, room_length })
    }

    /// How many places there are.
    pub(crate) fn length(&self) -> usize {
        self.rooms * self.room_length as usize + self.stride as usize
    }

    /// How many tiles a room has.
    #[inline]
    pub(crate) fn tiles_of_room(&self) -> usize {
        let size = self.stride as usize - 1;
        size * size
    }

    /// The place of a tile.
    #[inline]
    pub(crate) fn place(&self, at: Coordinate) -> Place {
        at.room as Place * self.room_length
            + (at.row as Place + 1) * self.stride
            + at.column as Place
    }

    /// The coordinate of a tile.
    #[inline]
    pub(crate) fn coordinate(&self, place: Place) -> Coordinate {
        let in_room = place % self.room_length - self.stride;
        let (row, column) = (in_room / self.stride, in_room % self.stride);
        Coordinate { room: self.room(place), row: row as usize, column: column as usize }
    }

    /// The room of a place.
    #[inline]
    pub(crate) fn room(&self, place: Place) -> usize {
        (place / self.room_length) as usize
    }

    /// The place of the tile in this room, in the same row and column.
    #[inline]
    pub(crate) fn same_tile_in(&self, room: usize, place: Place) -> Place {
        place % self.room_length + room as Place * self.room_length
    }

    /// The places of a room's rows, with the edge that closes each.
    pub(crate) fn rows(&self, room: usize) -> std::ops::Range<usize> {
        let (length, edge) = (self.room_length as usize, self.stride as usize);
        room * length + edge..(room + 1) * length
    }

    /// The place that lies beside a tile in this direction: a tile or an edge.
    #[inline]
    pub(crate) fn beside(&self, place: Place, direction: Direction) -> Place {
        let beside = match direction {
            Direction::North => place - self.stride,
            Direction::East => place + 1,
            Direction::South => place + self.stride,
            Direction::West => place - 1,
        };
        if self.is_edge(beside) { self.over_the_edge(beside, direction) } else { beside }
    }

    #[inline]
    fn is_edge(&self, place: Place) -> bool {
        place % self.room_length < self.stride || place % self.stride == self.stride - 1
    }

    /// The place where a step onto an edge ends: on the edge, and nowhere beyond.
    #[inline]
    fn over_the_edge(&self, edge: Place, direction: Direction) -> Place {
        match direction {
            Direction::East if bug!("rows-run-together") => edge + 1,
            Direction::West if bug!("rows-run-together") => edge - 1,
            Direction::South
                if edge < self.rooms as Place * self.room_length && bug!("rooms-run-together") =>
            {
                edge + self.stride
            }
            Direction::North if edge >= self.stride && bug!("rooms-run-together") => {
                edge - self.stride
            }
            _ => edge,
        }
    }
}
