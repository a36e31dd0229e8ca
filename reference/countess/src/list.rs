//! Input mode L: coordinates of tiles, in any order; what is not listed is floor.

use crate::castle::{Builder, Castle, Coordinate, EDGE};
use crate::coordinate;
use crate::failure::{Failure, quoted};
use crate::header::Header;
use crate::lines::{Lines, is_blank, is_comment};
use crate::rules::FLOOR;

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
            let parsed = coordinate::parse(line, header);
            let (length, number) = (line.len(), lines.number());
            let (at, tile) = parsed.map_err(|fault| Failure::column(number, fault.column, fault.what.to_string()))?;
            put(&mut castle, at, tile, number, length)?;
        } else if is_blank(line) {
            ended = true;
        } else if !is_comment(line) {
            let what =
                if ended { "text after a blank line, which ends the castle" } else { "neither a coordinate nor a comment" };
            return Err(Failure::line(lines.number(), what));
        }
    }
    castle.tiles.iter_mut().for_each(|tile| *tile = if *tile == UNLISTED { FLOOR } else { *tile });
    castle.finish(lines.number())
}

/// Puts a tile where it belongs.
fn put(castle: &mut Builder, at: Coordinate, tile: u8, line: usize, length: usize) -> Result<(), Failure> {
    let index = castle.index(at);
    let listed = std::mem::replace(&mut castle.tiles[index], tile);
    // The character is the last but one.
    let column = length - 1;
    if listed != UNLISTED && listed != tile {
        let what = format!("the same coordinate was given before, with {}", quoted(listed));
        return Err(Failure::column(line, column, what));
    }
    castle.note(tile, index, line, column)
}
