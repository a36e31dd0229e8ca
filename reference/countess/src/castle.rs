//! The castle: its tiles, where they lie, and which lie side by side. It holds only what the input said, and checks nothing but
//! that there is one start and one Countess.
//!
//! All rooms are in one vector, row after row, each row closed by a line end, so that a room prints as it is stored. Above the
//! first row of a room and below the last lies a row of line ends. The line ends are the walls round the rooms: a step over any
//! edge of a room meets one, and no search needs to ask whether it leaves the room.

use crate::failure::Failure;
use crate::header::Header;
use crate::rules::{COUNTESS, Direction, START};

/// What closes a row, and stands all round a room.
pub(crate) const EDGE: u8 = b'\n';

/// Where a tile is in [`Castle::tiles`].
pub(crate) type Place = u32;

/// The rooms and what is in them.
pub(crate) struct Castle {
    pub(crate) rooms: usize,
    /// Every tile, and the edges.
    pub(crate) tiles: Vec<u8>,
    pub(crate) start: Place,
    pub(crate) countess: Place,
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

impl Castle {
    /// The place of the tile in this room, in the same row and column.
    pub(crate) fn same_tile_in(&self, room: usize, place: Place) -> Place {
        place % self.room_length + room as Place * self.room_length
    }

    /// The place that lies beside another in this direction; a tile's neighbour is a tile or an edge.
    #[inline]
    pub(crate) fn beside(&self, place: Place, direction: Direction) -> Place {
        match direction {
            Direction::North => place - self.stride,
            Direction::East => place + 1,
            Direction::South => place + self.stride,
            Direction::West => place - 1,
        }
    }

    /// The room of a place.
    pub(crate) fn room(&self, place: Place) -> usize {
        (place / self.room_length) as usize
    }

    /// The coordinate of a tile.
    pub(crate) fn coordinate(&self, place: Place) -> Coordinate {
        let in_room = place % self.room_length - self.stride;
        let (row, column) = (in_room / self.stride, in_room % self.stride);
        Coordinate { room: self.room(place), row: row as usize, column: column as usize }
    }

    /// The rows of a room, each with its line end.
    pub(crate) fn rows(&self, room: usize) -> &[u8] {
        let (length, edge) = (self.room_length as usize, self.stride as usize);
        &self.tiles[room * length + edge..(room + 1) * length]
    }
}

/// A castle that is being read.
pub(crate) struct Builder {
    rooms: usize,
    size: usize,
    pub(crate) tiles: Vec<u8>,
    start: Option<Found>,
    countess: Option<Found>,
}

/// Where a character was found that may be there only once.
#[derive(Clone, Copy)]
struct Found {
    index: usize,
    line: usize,
}

impl Builder {
    /// A castle with memory for all its tiles, but none of them there yet.
    pub(crate) fn new(header: &Header) -> Result<Self, Failure> {
        let Header { rooms, size, .. } = *header;
        let mut tiles = Vec::new();
        let length = (rooms * (size + 1)).checked_add(1).and_then(|rows| rows.checked_mul(size + 1));
        length
            .filter(|&length| Place::try_from(length).is_ok())
            // The last row read may come with two characters that end it.
            .filter(|&length| tiles.try_reserve_exact(length + 2).is_ok())
            .ok_or_else(|| Failure::line(3, format!("{rooms} rooms of {size}×{size} are more than fits into memory")))?;
        Ok(Self { rooms, size, tiles, start: None, countess: None })
    }

    /// Adds the row of edges above a room, or below the last.
    pub(crate) fn add_edge(&mut self) {
        self.tiles.resize(self.tiles.len() + self.size + 1, EDGE);
    }

    /// The index of a tile.
    #[inline]
    pub(crate) fn index(&self, at: Coordinate) -> usize {
        ((at.room * (self.size + 1)) + at.row + 1) * (self.size + 1) + at.column
    }

    /// Notes the start or the Countess at this index, which the input has at this line and column.
    pub(crate) fn note(&mut self, tile: u8, index: usize, line: usize, column: usize) -> Result<(), Failure> {
        let noted = match tile {
            START => &mut self.start,
            COUNTESS => &mut self.countess,
            _ => return Ok(()),
        };
        match noted {
            Some(first) if first.index != index => {
                let what = format!("a second '{}'; the first is in line {}", char::from(tile), first.line);
                Err(Failure::column(line, column, what))
            }
            _ => {
                *noted = Some(Found { index, line });
                Ok(())
            }
        }
    }

    /// The finished castle; `line` is the last of the input.
    pub(crate) fn finish(self, line: usize) -> Result<Castle, Failure> {
        let start = self.start.ok_or_else(|| Failure::line(line, "the castle has no start ('S')"))?;
        let countess = self.countess.ok_or_else(|| Failure::line(line, "the castle has no Countess ('C')"))?;
        let stride = (self.size + 1) as Place;
        Ok(Castle {
            rooms: self.rooms,
            tiles: self.tiles,
            start: start.index as Place,
            countess: countess.index as Place,
            stride,
            room_length: stride * stride,
        })
    }
}
