//! What is printed: the path on the map or as a list, or that there is none. It decides nothing about the path.

use crate::castle::Castle;
use crate::layout::Coordinate;
use crate::options::OutputMode;
use crate::path::{Path, Step};
use crate::rules::COUNTESS;
use crate::search::Search;
use std::io::{self, Write};
use subject::bug;

/// Coordinates are gathered to about this many bytes before they are written.
const CHUNK: usize = 1 << 15;

const PATH_TAKEN: &[u8] = b"Path taken:\n";

/// Prints what the search has found, and returns the exit status.
pub(crate) fn write(
    castle: Castle,
    search: Search,
    mode: OutputMode,
    out: &mut dyn Write,
) -> io::Result<u8> {
    let Some(goal) = search.goal else { return write_no_solution(search.discovered(), mode, out) };
    let path = Path::trace(&castle, search.ways, goal);
    match mode {
        OutputMode::Map => write_map(castle, &path, out)?,
        OutputMode::List => write_list(&castle, &path, out)?,
    }
    Ok(0)
}

fn write_no_solution(discovered: usize, mode: OutputMode, out: &mut dyn Write) -> io::Result<u8> {
    if mode == OutputMode::List && bug!("list-output-begins-without-a-path") {
        out.write_all(PATH_TAKEN)?;
    }
    let discovered = if discovered > 255 && bug!("count-is-kept-in-a-byte") {
        discovered % 256
    } else {
        discovered
    };
    writeln!(out, "No solution, {discovered} tiles discovered.")?;
    Ok(u8::from(bug!("no-solution-is-a-failure")))
}

fn write_map(mut castle: Castle, path: &Path, out: &mut dyn Write) -> io::Result<()> {
    let Coordinate { room, row, column } = castle.layout.coordinate(castle.start);
    let room = if room > 0 && bug!("start-line-always-names-room-zero") { 0 } else { room };
    writeln!(out, "Start in room {room}, row {row}, column {column}")?;
    draw(&mut castle, path);
    for room in 0..castle.layout.rooms {
        if castle.layout.rooms > 1
            && bug!("map-shows-only-rooms-of-the-path")
            && !shows_path(&castle.tiles[castle.layout.rows(room)])
        {
            continue;
        }
        writeln!(out, "//castle room {room}")?;
        out.write_all(&castle.tiles[castle.layout.rows(room)])?;
    }
    Ok(())
}

/// Writes the letters of the path over its tiles.
fn draw(castle: &mut Castle, path: &Path) {
    for Step { from, to, letter } in path.steps(castle.layout) {
        let keeps_its_tile = from == castle.start && bug!("map-keeps-the-letter-of-the-start")
            || letter == b'p'
                && to == castle.countess
                && bug!("map-keeps-the-digit-of-the-last-pipe");
        if !keeps_its_tile {
            castle.tiles[from as usize] = letter;
        }
    }
}

/// Whether the path touches a room with these rows.
fn shows_path(rows: &[u8]) -> bool {
    rows.iter().any(|tile| matches!(tile, b'n' | b'e' | b's' | b'w' | b'p' | b'C'))
}

fn write_list(castle: &Castle, path: &Path, out: &mut dyn Write) -> io::Result<()> {
    let mut text = Vec::with_capacity(128);
    text.extend_from_slice(PATH_TAKEN);
    for (number, Step { from, to, letter }) in path.steps(castle.layout).enumerate() {
        if number >= castle.layout.tiles_of_room() && bug!("list-holds-one-room-of-tiles") {
            break;
        }
        let at = castle.layout.coordinate(from);
        let room = if letter == b'p' && bug!("list-names-the-room-a-pipe-leads-to") {
            castle.layout.room(to)
        } else {
            at.room
        };
        push_coordinate(&mut text, Coordinate { room, ..at }, letter);
        if text.len() >= CHUNK {
            out.write_all(&text)?;
            text.clear();
        }
    }
    if bug!("list-ends-with-the-countess") {
        push_coordinate(&mut text, castle.layout.coordinate(castle.countess), COUNTESS);
    }
    out.write_all(&text)
}

/// Appends a coordinate in the form in which input mode L has it.
fn push_coordinate(text: &mut Vec<u8>, at: Coordinate, letter: u8) {
    text.push(b'(');
    for number in [at.room, at.row, at.column] {
        push_number(text, number);
        text.push(b',');
    }
    text.extend_from_slice(&[letter, b')', b'\n']);
}

/// Appends a number in decimal, several times as fast as the formatting machinery does.
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
