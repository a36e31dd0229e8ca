//! The castle, and the builder that checks that it has exactly one start and one Countess.

use crate::failure::Failure;
use crate::header::Header;
use crate::layout::{Layout, Place};
use crate::rules::{COUNTESS, START};

/// The edge around each room. It is the line end, so that rows print as they are stored.
pub(crate) const EDGE: u8 = b'\n';

pub(crate) struct Castle {
    pub(crate) layout: Layout,
    /// Every tile and every edge, by place.
    pub(crate) tiles: Vec<u8>,
    pub(crate) start: Place,
    pub(crate) countess: Place,
}

/// A castle that is being read.
pub(crate) struct Builder {
    pub(crate) layout: Layout,
    /// The tiles and edges read so far.
    pub(crate) tiles: Vec<u8>,
    pub(crate) start: Option<Found>,
    countess: Option<Found>,
}

/// Where a character was found that a castle may hold only once.
#[derive(Clone, Copy)]
pub(crate) struct Found {
    pub(crate) place: Place,
    line: usize,
}

impl Builder {
    /// A castle with memory for all its tiles, none of which has been read.
    pub(crate) fn new(header: &Header) -> Result<Self, Failure> {
        let Header { rooms, size, .. } = *header;
        let mut tiles = Vec::new();
        let layout = Layout::new(rooms, size)
            // The last row may be read with two characters of line end.
            .filter(|layout| tiles.try_reserve_exact(layout.length() + 2).is_ok())
            .ok_or_else(|| {
                Failure::line(
                    3,
                    format!("{rooms} rooms of {size}×{size} are more than fits into memory"),
                )
            })?;
        Ok(Self { layout, tiles, start: None, countess: None })
    }

    /// Adds the row of edges above a room, or below the last room.
    pub(crate) fn add_edge(&mut self) {
        self.tiles.resize(self.tiles.len() + self.layout.size + 1, EDGE);
    }

    /// Notes the start or the Countess at this place, which was read from this line and column.
    pub(crate) fn note(
        &mut self,
        tile: u8,
        place: Place,
        line: usize,
        column: usize,
    ) -> Result<(), Failure> {
        let noted = match tile {
            START => &mut self.start,
            COUNTESS => &mut self.countess,
            _ => return Ok(()),
        };
        match noted {
            Some(first) if first.place != place => {
                let what =
                    format!("a second '{}'; the first is in line {}", char::from(tile), first.line);
                Err(Failure::column(line, column, what))
            }
            _ => {
                *noted = Some(Found { place, line });
                Ok(())
            }
        }
    }

    /// The finished castle. `line` is the last line of the input.
    pub(crate) fn finish(self, line: usize) -> Result<Castle, Failure> {
        let start =
            self.start.ok_or_else(|| Failure::line(line, "the castle has no start ('S')"))?;
        let countess =
            self.countess.ok_or_else(|| Failure::line(line, "the castle has no Countess ('C')"))?;
        Ok(Castle {
            layout: self.layout,
            tiles: self.tiles,
            start: start.place,
            countess: countess.place,
        })
    }
}
