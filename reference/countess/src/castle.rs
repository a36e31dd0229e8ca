//! The castle as the input has it. It checks that there is one start and one Countess, and leaves the rest to those who read.

use crate::failure::Failure;
use crate::header::Header;
use crate::layout::{Layout, Place};
use crate::rules::{COUNTESS, START};

/// What closes a row, and stands all round a room: the line end, so that rows print as they are.
pub(crate) const EDGE: u8 = b'\n';

/// The rooms and what is in them.
pub(crate) struct Castle {
    pub(crate) layout: Layout,
    /// Every tile and every edge, by place.
    pub(crate) tiles: Vec<u8>,
    pub(crate) start: Place,
    pub(crate) countess: Place,
}

impl Castle {
    /// Whether this is what is at a place.
    #[inline]
    pub(crate) fn holds(&self, place: Place, tile: u8) -> bool {
        self.tiles.get(place as usize) == Some(&tile)
    }
}

/// A castle that is being read.
pub(crate) struct Builder {
    pub(crate) layout: Layout,
    /// As many of the tiles and edges as there are yet.
    pub(crate) tiles: Vec<u8>,
    start: Option<Found>,
    countess: Option<Found>,
}

/// Where a character was found that may be there only once.
#[derive(Clone, Copy)]
struct Found {
    place: Place,
    line: usize,
}

impl Builder {
    /// A castle with memory for all its tiles, but none of them there yet.
    pub(crate) fn new(header: &Header) -> Result<Self, Failure> {
        let Header { rooms, size, .. } = *header;
        let mut tiles = Vec::new();
        let layout = Layout::new(rooms, size)
            // The last row may come with two characters that end it.
            .filter(|layout| tiles.try_reserve_exact(layout.length() + 2).is_ok())
            .ok_or_else(|| {
                Failure::line(
                    3,
                    format!("{rooms} rooms of {size}×{size} are more than fits into memory"),
                )
            })?;
        Ok(Self { layout, tiles, start: None, countess: None })
    }

    /// Adds the row of edges above a room of this size, or below the last.
    pub(crate) fn add_edge(&mut self, size: usize) {
        self.tiles.resize(self.tiles.len() + size + 1, EDGE);
    }

    /// Notes the start or the Countess at this place, which the input has at this line and column.
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

    /// Takes another place for the start if one was noted before.
    pub(crate) fn move_start(&mut self, place: Place) {
        self.start = self.start.map(|start| Found { place, ..start });
    }

    /// The finished castle; `line` is the last of the input.
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
