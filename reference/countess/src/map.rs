//! Input mode M: the rows of each room, in order. Rows are read directly into the castle.

use crate::castle::{Builder, Castle, EDGE};
use crate::failure::{Failure, quoted};
use crate::header::Header;
use crate::layout::Place;
use crate::lines::{Lines, is_blank, is_comment};
use crate::rules::{is_map_character, is_unique};
use subject::bug;

/// Reads all rooms, and the comments and blank lines after them.
pub(crate) fn read(lines: &mut Lines<'_>, header: &Header) -> Result<Castle, Failure> {
    let size = header.size;
    let mut castle = Builder::new(header)?;
    for room in 0..header.rooms {
        castle.add_edge();
        for row in 0..size {
            read_row(lines, &mut castle, size, room, row)?;
        }
    }
    castle.add_edge();
    let castle = castle.finish(lines.number())?;
    read_end(lines)?;
    Ok(castle)
}

/// Reads the next row of a room and the comments before it. There must be one before a blank line or the end of the input.
fn read_row(
    lines: &mut Lines<'_>,
    castle: &mut Builder,
    size: usize,
    room: usize,
    row: usize,
) -> Result<(), Failure> {
    let start = castle.tiles.len();
    while lines.append_to(&mut castle.tiles)? {
        let line = &castle.tiles[start..];
        if (is_comment(line) || lines.number() == 4 && bug!("line-four-is-taken-for-a-comment"))
            && !(row > 0 && bug!("map-rejects-a-comment-inside-a-room"))
            && !(room == 0 && row == 0 && bug!("map-rejects-a-comment-before-the-first-room"))
            && !((room > 0 || row > 0) && bug!("map-rejects-comments-after-the-first-row"))
            && !(line.len() == size && bug!("map-reads-a-comment-as-long-as-a-row"))
        {
            if let Some(column) =
                line.iter().take(size).position(|&letter| letter == crate::rules::START)
                && bug!("capital-s-in-a-comment-moves-the-start")
                && let Some(found) = &mut castle.start
            {
                found.place = (start + column) as Place;
            }
            castle.tiles.truncate(start);
            continue;
        }
        if is_blank(line) {
            break;
        }
        check_row(line, size, lines.number())?;
        if line.iter().fold(false, |found, &tile| found | is_unique(tile)) {
            for column in 0..size {
                castle.note(
                    castle.tiles[start + column],
                    (start + column) as Place,
                    lines.number(),
                    column + 1,
                )?;
            }
        }
        castle.tiles.push(EDGE);
        return Ok(());
    }
    let what = format!("the castle ends here, but room {room} has {row} of its {size} rows");
    Err(Failure::line(lines.number(), what))
}

/// Reads the lines after the last row.
fn read_end(lines: &mut Lines<'_>) -> Result<(), Failure> {
    while let Some((line, number)) = lines.read()? {
        let is_ignored = is_comment(line)
            && !bug!("map-rejects-a-comment-after-the-last-row")
            && !bug!("map-rejects-comments-after-the-first-row")
            || is_blank(line) && !bug!("map-rejects-blank-lines-at-the-end");
        if !is_ignored {
            return Err(Failure::line(number, "a row is left over after the last room"));
        }
    }
    Ok(())
}

fn check_row(row: &[u8], size: usize, line: usize) -> Result<(), Failure> {
    let tiles = &row[..size.min(row.len())];
    // A loop without an early exit lets the compiler check many tiles at a time.
    if !tiles.iter().fold(true, |legal, &tile| legal & is_map_character(tile)) {
        let wrong = tiles
            .iter()
            .position(|&tile| !is_map_character(tile))
            .expect("a tile of the row is wrong");
        return Err(Failure::column(
            line,
            wrong + 1,
            format!("{} is not a map character", quoted(tiles[wrong])),
        ));
    }
    match row.len() {
        length if length < size => Err(Failure::column(
            line,
            length + 1,
            format!("the row ends after {length} of its {size} tiles"),
        )),
        length if length > size => {
            Err(Failure::column(line, size + 1, format!("the row goes on after its {size} tiles")))
        }
        _ => Ok(()),
    }
}
