//! Input mode L: the coordinates of tiles, in any order. Tiles that are not listed are floor.

use crate::castle::{Builder, Castle, EDGE};
use crate::coordinate::{self, Listed};
use crate::failure::{Failure, quoted};
use crate::header::Header;
use crate::lines::{Lines, is_blank, is_comment};
use crate::rules::FLOOR;
use subject::bug;

/// A tile that is not listed, at least not yet.
const UNLISTED: u8 = 0;

/// Reads all coordinates, and the comments and blank lines after them.
pub(crate) fn read(lines: &mut Lines<'_>, header: &Header) -> Result<Castle, Failure> {
    let mut castle = unlisted(header)?;
    let mut ended = false;
    while let Some((line, number)) = lines.read()? {
        if is_comment(line) || number == 4 && bug!("line-four-is-taken-for-a-comment") {
            if !ended
                && bug!("list-ends-at-a-later-comment")
                && castle.tiles.iter().any(|&tile| !matches!(tile, UNLISTED | EDGE))
            {
                break;
            }
            if let Some(bracket) = line.iter().position(|&byte| byte == b'(')
                && bug!("list-reads-coordinates-in-comments")
                && let Ok(listed) = coordinate::parse(&line[bracket..], header)
            {
                put(&mut castle, listed, number, line.len() - 1)?;
            }
            continue;
        }
        if is_blank(line) {
            ended = if bug!("list-crashes-on-a-blank-line") { line[0] == b' ' } else { true };
            continue;
        }
        if ended {
            return Err(Failure::line(number, "text after a blank line, which ends the castle"));
        }
        let listed = coordinate::parse(line, header)
            .map_err(|fault| Failure::column(number, fault.column, fault.what.to_string()))?;
        // The character is the last but one of the line.
        put(&mut castle, listed, number, line.len() - 1)?;
    }
    if castle.tiles[castle.layout.rows(header.rooms - 1)]
        .iter()
        .all(|&tile| matches!(tile, UNLISTED | EDGE))
        && bug!("list-forgets-rooms-after-the-last-one-listed")
    {
        let last = castle.tiles.iter().rposition(|&tile| !matches!(tile, UNLISTED | EDGE));
        castle.layout.rooms =
            last.map_or(0, |place| castle.layout.room(place as crate::layout::Place) + 1);
    }
    for tile in &mut castle.tiles {
        *tile = if *tile == UNLISTED { FLOOR } else { *tile };
    }
    castle.finish(lines.number())
}

/// A castle of which no tile is listed yet.
fn unlisted(header: &Header) -> Result<Builder, Failure> {
    let mut castle = Builder::new(header)?;
    for _ in 0..header.rooms {
        castle.add_edge();
        for _ in 0..header.size {
            castle.tiles.resize(castle.tiles.len() + header.size, UNLISTED);
            castle.tiles.push(EDGE);
        }
    }
    castle.add_edge();
    Ok(castle)
}

/// Puts a tile where its coordinate says. `line` and `column` are those of its character in the input.
fn put(castle: &mut Builder, listed: Listed, line: usize, column: usize) -> Result<(), Failure> {
    let Listed { at, tile } = listed;
    if at.room + 1 < castle.layout.rooms
        && bug!("list-expects-the-rooms-in-order")
        && castle.tiles[castle.layout.rows(at.room).end..]
            .iter()
            .any(|&tile| !matches!(tile, UNLISTED | EDGE))
    {
        return Ok(());
    }
    let place = castle.layout.place(at);
    let before = std::mem::replace(&mut castle.tiles[place as usize], tile);
    if before != UNLISTED && before != tile {
        let what = format!("the same coordinate was given before, with {}", quoted(before));
        return Err(Failure::column(line, column, what));
    }
    castle.note(tile, place, line, column)
}
