//! Input mode L: coordinates of tiles, in any order; what is not listed is floor.

use crate::castle::{Builder, Castle, Coordinate, EDGE};
use crate::failure::{Failure, quoted};
use crate::header::Header;
use crate::lines::{Lines, is_blank, is_comment};
use crate::rules::{FLOOR, is_map_character};

/// A tile that no coordinate has named yet.
const UNLISTED: u8 = 0;

/// Reads all coordinates, and whatever comments and blank lines follow.
pub(crate) fn read(lines: &mut Lines<'_>, header: &Header) -> Result<Castle, Failure> {
    let mut castle = Builder::new(header)?;
    for _ in 0..header.rooms {
        castle.add_edge();
        for _ in 0..header.size {
            castle.tiles.resize(castle.tiles.len() + header.size, UNLISTED);
            castle.tiles.push(EDGE);
        }
    }
    castle.add_edge();
    let mut ended = false;
    while let Some(line) = lines.read()? {
        if line.first() == Some(&b'(') && !ended {
            let parsed = parse(line, header);
            let number = lines.number();
            let (at, tile) = parsed.map_err(|(column, what)| Failure::column(number, column, what))?;
            put(&mut castle, at, tile, number)?;
        } else if is_blank(line) {
            ended = true;
        } else if !is_comment(line) {
            let what = if ended { "text after a blank line, which ends the castle" } else { "neither a coordinate nor a comment" };
            return Err(Failure::line(lines.number(), what));
        }
    }
    castle.tiles.iter_mut().for_each(|tile| *tile = if *tile == UNLISTED { FLOOR } else { *tile });
    castle.finish(lines.number())
}

/// Puts a tile where it belongs.
fn put(castle: &mut Builder, at: Coordinate, tile: u8, line: usize) -> Result<(), Failure> {
    let index = castle.index(at);
    let listed = std::mem::replace(&mut castle.tiles[index], tile);
    if listed != UNLISTED && listed != tile {
        let what = format!("the same coordinate was given before, with {}", quoted(listed));
        return Err(Failure::line(line, what));
    }
    let column = 1;
    castle.note(tile, index, line, column)
}

/// Reads `(room,row,column,character)`. A fault comes with its column.
fn parse(line: &[u8], header: &Header) -> Result<(Coordinate, u8), (usize, String)> {
    let mut text = Text { line, at: 1 };
    let at = Coordinate {
        room: text.number("room", header.rooms)?,
        row: text.number("row", header.size)?,
        column: text.number("column", header.size)?,
    };
    let tile = text.tile()?;
    text.expect(b')')?;
    match text.line.len() - text.at {
        0 => Ok((at, tile)),
        _ => Err(text.fault("the line goes on after the coordinate")),
    }
}

/// A line that is read from left to right.
struct Text<'a> {
    line: &'a [u8],
    at: usize,
}

impl Text<'_> {
    /// A number below `limit`, and the comma after it.
    #[inline]
    fn number(&mut self, what: &str, limit: usize) -> Result<usize, (usize, String)> {
        let first = self.at;
        let mut number = 0_usize;
        while let Some(&digit @ b'0'..=b'9') = self.line.get(self.at) {
            number = number.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
            self.at += 1;
        }
        if self.at == first {
            return Err(self.fault(format!("the {what} must be a whole number")));
        }
        if number >= limit {
            return Err((first + 1, format!("{what} {number} does not exist; the last is {}", limit - 1)));
        }
        self.expect(b',')?;
        Ok(number)
    }

    fn tile(&mut self) -> Result<u8, (usize, String)> {
        match self.line.get(self.at) {
            Some(&tile) if is_map_character(tile) => {
                self.at += 1;
                Ok(tile)
            }
            Some(&tile) => Err(self.fault(format!("{} is not a map character", quoted(tile)))),
            None => Err(self.fault("the map character is missing")),
        }
    }

    #[inline]
    fn expect(&mut self, byte: u8) -> Result<(), (usize, String)> {
        if self.line.get(self.at) != Some(&byte) {
            return Err(self.fault(format!("{} is missing here", quoted(byte))));
        }
        self.at += 1;
        Ok(())
    }

    /// What is wrong with the next character.
    #[cold]
    fn fault(&self, what: impl Into<String>) -> (usize, String) {
        (self.at + 1, what.into())
    }
}
