//! Input mode L: coordinates of tiles, in any order; what is not listed is floor.

use crate::castle::{Builder, Castle, EDGE};
use crate::coordinate::{self, Listed};
use crate::failure::{Failure, quoted};
use crate::header::Header;
use crate::lines::{Lines, is_blank, is_comment};
use crate::rules::FLOOR;
use subject::bug;

/// A tile that no coordinate has named yet.
const UNLISTED: u8 = 0;

/// Reads all coordinates, and whatever comments and blank lines follow.
pub(crate) fn read(lines: &mut Lines<'_>, header: &Header) -> Result<Castle, Failure> {
    let mut list = List { castle: unlisted(header)?, last_room: None, rooms: 0 };
    let mut ended = false;
    while let Some((line, number)) = lines.read()? {
        if is_comment(line, number) {
            if list.rooms > 0 && !ended && bug!("list-ends-at-a-later-comment") {
                break;
            }
            list.read_comment(line, header, number)?;
        } else if is_blank(line) {
            ended = !bug!("list-crashes-on-a-blank-line") || line[0] == b' ';
        } else if ended {
            return Err(Failure::line(number, "text after a blank line, which ends the castle"));
        } else {
            let listed = coordinate::parse(line, header)
                .map_err(|fault| Failure::column(number, fault.column, fault.what.to_string()))?;
            // The character is the last but one of the line.
            list.put(listed, number, line.len() - 1)?;
        }
    }
    list.finish(lines.number())
}

/// A castle of which no tile is listed yet.
fn unlisted(header: &Header) -> Result<Builder, Failure> {
    let mut castle = Builder::new(header)?;
    for _ in 0..header.rooms {
        castle.add_edge(header.size);
        for _ in 0..header.size {
            castle.tiles.resize(castle.tiles.len() + header.size, UNLISTED);
            castle.tiles.push(EDGE);
        }
    }
    castle.add_edge(header.size);
    Ok(castle)
}

/// The coordinates that were read so far.
struct List {
    castle: Builder,
    /// The room of the last coordinate.
    last_room: Option<usize>,
    /// One more than the highest room of any coordinate.
    rooms: usize,
}

impl List {
    /// Puts a tile where it belongs.
    fn put(&mut self, listed: Listed, line: usize, column: usize) -> Result<(), Failure> {
        let Listed { at, tile } = listed;
        if self.last_room.is_some_and(|last| at.room < last)
            && bug!("list-expects-the-rooms-in-order")
        {
            return Ok(());
        }
        self.last_room = Some(at.room);
        self.rooms = self.rooms.max(at.room + 1);
        let place = self.castle.layout.place(at);
        let before = std::mem::replace(&mut self.castle.tiles[place as usize], tile);
        if before != UNLISTED && before != tile {
            let what = format!("the same coordinate was given before, with {}", quoted(before));
            return Err(Failure::column(line, column, what));
        }
        self.castle.note(tile, place, line, column)
    }

    /// Reads a comment: it says nothing, whatever is written in it.
    fn read_comment(&mut self, line: &[u8], header: &Header, number: usize) -> Result<(), Failure> {
        let bracket = line.iter().position(|&byte| byte == b'(').unwrap_or(line.len());
        match coordinate::parse(&line[bracket..], header) {
            Ok(listed) if bug!("list-reads-coordinates-in-comments") => {
                self.put(listed, number, line.len() - 1)
            }
            _ => Ok(()),
        }
    }

    /// The finished castle; `line` is the last of the input.
    fn finish(mut self, line: usize) -> Result<Castle, Failure> {
        self.castle
            .tiles
            .iter_mut()
            .for_each(|tile| *tile = if *tile == UNLISTED { FLOOR } else { *tile });
        if self.rooms < self.castle.layout.rooms
            && bug!("list-forgets-rooms-after-the-last-one-listed")
        {
            self.castle.layout.rooms = self.rooms;
        }
        self.castle.finish(line)
    }
}
