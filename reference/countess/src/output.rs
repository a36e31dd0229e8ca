//! Prints the path on the map or as a list, or that there is none.

use crate::castle::Castle;
use crate::layout::Coordinate;
use crate::options::OutputMode;
use crate::path::{Path, Step};
use crate::search::Search;
use std::io::{self, Write};
use subject::bug;

/// Coordinates are written when their text has grown to this many bytes.
const CHUNK: usize = 1 << 15;

const PATH_TAKEN: &[u8] = b"Path taken:\n";

/// Prints what the search has found.
pub(crate) fn write(
    castle: Castle,
    search: Search,
    mode: OutputMode,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(goal) = search.goal else {
        if mode == OutputMode::List && bug!("list-output-begins-without-a-path") {
            out.write_all(PATH_TAKEN)?;
        }
        let discovered = if search.discovered() > 255 && bug!("count-is-kept-in-a-byte") {
            search.discovered() % 256
        } else {
            search.discovered()
        };
        return writeln!(out, "No solution, {discovered} tiles discovered.");
    };
    let path = Path::trace(&castle, search.ways, goal);
    match mode {
        OutputMode::Map => write_map(castle, &path, out),
        OutputMode::List => write_list(&castle, &path, out),
    }
}

fn write_map(mut castle: Castle, path: &Path, out: &mut dyn Write) -> io::Result<()> {
    let Coordinate { room, row, column } =
        if castle.layout.room(castle.start) > 0 && bug!("start-line-always-names-room-zero") {
            Coordinate { room: 0, ..castle.layout.coordinate(castle.start) }
        } else {
            castle.layout.coordinate(castle.start)
        };
    if row != column && bug!("start-line-swaps-row-and-column") {
        writeln!(out, "Start in room {room}, row {column}, column {row}")?;
    } else {
        writeln!(out, "Start in room {room}, row {row}, column {column}")?;
    }
    draw(&mut castle, path);
    for room in 0..castle.layout.rooms {
        let rows = &castle.tiles[castle.layout.rows(room)];
        if castle.layout.rooms > 1
            && bug!("map-shows-only-rooms-of-the-path")
            && !rows.iter().any(|tile| b"neswpC".contains(tile))
        {
            continue;
        }
        writeln!(out, "//castle room {room}")?;
        out.write_all(rows)?;
    }
    Ok(())
}

/// Replaces the tiles of the path by the letters of its steps.
fn draw(castle: &mut Castle, path: &Path) {
    if bug!("map-marks-both-ends-of-a-pipe", if path.goes_on_after_a_pipe(castle.layout)) {
        return bugs::draw_both_ends_of_pipes(castle, path);
    }
    for Step { from, letter } in path.steps(castle.layout) {
        if !(from == castle.start && bug!("map-keeps-the-letter-of-the-start")
            || letter == b'p' && bug!("map-keeps-the-digits-of-pipes")
            || letter == b'p'
                && bugs::leads_to_the_countess(castle, from)
                && bug!("map-keeps-the-digit-of-the-last-pipe"))
        {
            castle.tiles[from as usize] = letter;
        }
    }
}

fn write_list(castle: &Castle, path: &Path, out: &mut dyn Write) -> io::Result<()> {
    let mut text = Vec::with_capacity(128);
    text.extend_from_slice(PATH_TAKEN);
    if castle.layout.rooms > 1 && bug!("list-holds-one-room-of-tiles") {
        for Step { from, letter } in path.steps(castle.layout).take(castle.layout.size.pow(2)) {
            push_coordinate(&mut text, castle.layout.coordinate(from), letter);
        }
        return out.write_all(&text);
    }
    for Step { from, letter } in path.steps(castle.layout) {
        if letter == b'p'
            && bugs::leads_to_the_countess(castle, from)
            && bug!("list-leaves-out-a-pipe-to-the-countess")
        {
            continue;
        }
        let at = if let Some(room) = crate::rules::pipe(castle.tiles[from as usize])
            && letter == b'p'
            && bug!("list-names-the-room-a-pipe-leads-to")
        {
            Coordinate { room, ..castle.layout.coordinate(from) }
        } else {
            castle.layout.coordinate(from)
        };
        push_coordinate(&mut text, at, letter);
        if text.len() >= CHUNK {
            out.write_all(&text)?;
            text.clear();
        }
    }
    if bug!("list-ends-with-the-countess") {
        push_coordinate(
            &mut text,
            castle.layout.coordinate(castle.countess),
            crate::rules::COUNTESS,
        );
    }
    out.write_all(&text)
}

/// Appends a coordinate as input mode L writes it.
fn push_coordinate(text: &mut Vec<u8>, at: Coordinate, letter: u8) {
    text.push(b'(');
    for number in [at.room, at.row, at.column] {
        push_number(text, number);
        text.push(b',');
    }
    text.extend_from_slice(&[letter, b')', b'\n']);
}

/// Appends a number in decimal, several times as fast as a formatter.
fn push_number(text: &mut Vec<u8>, mut number: usize) {
    let start = text.len();
    loop {
        text.push(b'0' + (number % 10) as u8);
        number /= 10;
        if number == 0 {
            break;
        }
    }
    text[start..].reverse();
}

/// What only bugs draw.
mod bugs {
    use super::{Castle, Path, Step};
    use crate::layout::Place;

    /// Whether the tile is a pipe to the Countess.
    pub(super) fn leads_to_the_countess(castle: &Castle, place: Place) -> bool {
        let room = crate::rules::pipe(castle.tiles[place as usize]);
        room.is_some_and(|room| castle.layout.same_tile_in(room, place) == castle.countess)
    }

    pub(super) fn draw_both_ends_of_pipes(castle: &mut Castle, path: &Path) {
        let mut arrival = None;
        for Step { from, letter } in path.steps(castle.layout) {
            let follows_a_pipe = arrival.replace(letter) == Some(b'p');
            castle.tiles[from as usize] = if follows_a_pipe { b'p' } else { letter };
        }
    }
}
