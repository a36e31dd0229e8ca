//! Input mode M: the rows of each room, in order. Rows are read straight to where the castle keeps them.

use crate::castle::{Builder, Castle, EDGE};
use crate::failure::{Failure, quoted};
use crate::header::Header;
use crate::lines::{Lines, is_blank, is_comment};
use crate::rules::{is_map_character, is_unique};

/// Reads all rooms, and whatever comments and blank lines follow.
pub(crate) fn read(lines: &mut Lines<'_>, header: &Header) -> Result<Castle, Failure> {
    let mut castle = Builder::new(header)?;
    for room in 0..header.rooms {
        castle.add_edge();
        for row in 0..header.size {
            read_row(lines, &mut castle, header.size)?.then_some(()).ok_or_else(|| {
                Failure::line(
                    lines.number(),
                    format!("the castle ends here, but room {room} has {row} of its {} rows", header.size),
                )
            })?;
        }
    }
    castle.add_edge();
    let castle = castle.finish(lines.number())?;
    while let Some(line) = lines.read()? {
        if !is_comment(line) && !is_blank(line) {
            let rooms = header.rooms;
            return Err(Failure::line(lines.number(), format!("a row is left over after the last of the {rooms} rooms")));
        }
    }
    Ok(castle)
}

/// Reads the next row and the comments before it; false where a blank line or the end of the input comes instead.
fn read_row(lines: &mut Lines<'_>, castle: &mut Builder, size: usize) -> Result<bool, Failure> {
    let start = castle.tiles.len();
    while lines.append_to(&mut castle.tiles)? {
        let row = &castle.tiles[start..];
        if is_comment(row) {
            castle.tiles.truncate(start);
            continue;
        }
        if is_blank(row) {
            return Ok(false);
        }
        check_row(row, size, lines.number())?;
        if row.iter().fold(false, |found, &tile| found | is_unique(tile)) {
            for column in 0..size {
                castle.note(castle.tiles[start + column], start + column, lines.number(), column + 1)?;
            }
        }
        castle.tiles.push(EDGE);
        return Ok(true);
    }
    Ok(false)
}

fn check_row(row: &[u8], size: usize, line: usize) -> Result<(), Failure> {
    let tiles = &row[..size.min(row.len())];
    // All of the row is looked at before any of it is judged: so the compiler can take many tiles at a time.
    if !tiles.iter().fold(true, |legal, &tile| legal & is_map_character(tile)) {
        let wrong = tiles.iter().position(|&tile| !is_map_character(tile)).expect("a tile of the row is wrong");
        return Err(Failure::column(line, wrong + 1, format!("{} is not a map character", quoted(tiles[wrong]))));
    }
    match row.len() {
        length if length < size => {
            Err(Failure::column(line, length + 1, format!("the row ends after {length} of its {size} tiles")))
        }
        length if length > size => Err(Failure::column(line, size + 1, format!("the row goes on after its {size} tiles"))),
        _ => Ok(()),
    }
}
