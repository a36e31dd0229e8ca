//! What is printed: the path on the map or as a list, or that there is none. It decides nothing about the path.

use crate::castle::{Castle, Coordinate};
use crate::options::OutputMode;
use crate::path::Path;
use crate::search::Search;
use std::io::{self, Write};

/// Coordinates are gathered to about this many bytes before they are written.
const CHUNK: usize = 1 << 15;

/// Prints what the search has found.
pub(crate) fn write(castle: Castle, search: Search, mode: OutputMode, out: &mut dyn Write) -> io::Result<()> {
    if !search.has_found(castle.countess) {
        return writeln!(out, "No solution, {} tiles discovered.", search.discovered());
    }
    let path = Path::trace(&castle, search);
    match mode {
        OutputMode::Map => write_map(castle, &path, out),
        OutputMode::List => write_list(&castle, &path, out),
    }
}

fn write_map(mut castle: Castle, path: &Path, out: &mut dyn Write) -> io::Result<()> {
    let Coordinate { room, row, column } = castle.coordinate(castle.start);
    writeln!(out, "Start in room {room}, row {row}, column {column}")?;
    let mut tiles = std::mem::take(&mut castle.tiles);
    for (place, letter) in path.steps(&castle) {
        tiles[place as usize] = letter;
    }
    castle.tiles = tiles;
    for room in 0..castle.rooms {
        writeln!(out, "//castle room {room}")?;
        out.write_all(castle.rows(room))?;
    }
    Ok(())
}

fn write_list(castle: &Castle, path: &Path, out: &mut dyn Write) -> io::Result<()> {
    let mut text = Vec::with_capacity(128);
    text.extend_from_slice(b"Path taken:\n");
    for (place, letter) in path.steps(castle) {
        let Coordinate { room, row, column } = castle.coordinate(place);
        text.push(b'(');
        push_number(&mut text, room);
        text.push(b',');
        push_number(&mut text, row);
        text.push(b',');
        push_number(&mut text, column);
        text.extend_from_slice(&[b',', letter, b')', b'\n']);
        if text.len() >= CHUNK {
            out.write_all(&text)?;
            text.clear();
        }
    }
    out.write_all(&text)
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
