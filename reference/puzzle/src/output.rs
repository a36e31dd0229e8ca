//! Prints what the search found: the path as a list or as maps, or what was discovered if there is no path. Changes nothing.

use crate::discoveries::{Discoveries, Mark};
use crate::map::Map;
use crate::rules::{self, EDGE, FLOOR, START, TARGET, WALL};
use crate::search::initial_state;
use crate::state::{Cell, Color, State};
use std::io::{self, Write};
use subject::tick;

/// How much text is gathered before it is written.
const PAGE: usize = 1 << 14;

/// Prints the states of the path, the initial one first.
pub(crate) fn write_list(map: &Map, discoveries: &Discoveries, stdout: &mut dyn Write) -> io::Result<()> {
    let mut text = Vec::new();
    let mut state = initial_state(map);
    loop {
        tick!();
        let (row, column) = map.position(state.cell);
        write_state(state.color, row, column, &mut text);
        if text.len() >= PAGE {
            stdout.write_all(&text)?;
            text.clear();
        }
        state = match discoveries.mark(state) {
            Mark::Leaves(direction) => State { cell: map.neighbor(state.cell, direction), ..state },
            Mark::Presses => State { color: pressed_color(map, state), ..state },
            _ => return stdout.write_all(&text),
        };
    }
}

fn pressed_color(map: &Map, state: State) -> Color {
    map.tile(state.cell).and_then(rules::button).expect("only a button is pressed")
}

fn write_state(color: Color, row: u32, column: u32, text: &mut Vec<u8>) {
    text.extend_from_slice(&[b'(', color.name(), b',', b' ', b'(']);
    write_number(row, text);
    text.extend_from_slice(b", ");
    write_number(column, text);
    text.extend_from_slice(b"))\n");
}

/// Appends a number in decimal; much faster than a formatter, and a list can have millions of lines.
fn write_number(mut number: u32, text: &mut Vec<u8>) {
    let mut digits = [0; 10];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    text.extend_from_slice(&digits[at..]);
}

/// Prints the map once for each color, with the part of the path that was walked in that color.
pub(crate) fn write_maps(map: &Map, discoveries: &Discoveries, stdout: &mut dyn Write) -> io::Result<()> {
    for layer in 0..=map.colors() {
        let color = Color::of_layer(layer);
        stdout.write_all(&[b"// color ", &[color.name()][..], b"\n"].concat())?;
        write_tiles(map, stdout, |cell, tile| drawn(tile, color, cell, discoveries))?;
    }
    Ok(())
}

/// How a tile looks on the map of a color.
fn drawn(tile: u8, color: Color, cell: Cell, discoveries: &Discoveries) -> u8 {
    let mark = discoveries.mark(State { color, cell });
    match tile {
        WALL | EDGE | TARGET => tile,
        START if color == Color::NONE => START,
        _ if mark == Mark::Presses => b'%',
        _ if mark.is_on_path()
            && rules::button(tile).is_some()
            && discoveries.at(cell).any(|(_, mark)| mark == Mark::Presses) =>
        {
            b'@'
        }
        _ if mark.is_on_path() => b'+',
        START => FLOOR,
        _ if rules::button(tile) == Some(color) || rules::door(tile) == Some(color) => FLOOR,
        _ => tile,
    }
}

/// Prints the map with a wall wherever nobody has been in any color.
pub(crate) fn write_no_solution(map: &Map, discoveries: &Discoveries, stdout: &mut dyn Write) -> io::Result<()> {
    stdout.write_all(b"No solution.\nDiscovered:\n")?;
    write_tiles(map, stdout, |cell, tile| {
        if tile == EDGE || discoveries.at(cell).any(|(_, mark)| mark != Mark::Undiscovered) { tile } else { WALL }
    })
}

/// Prints all rows, with each tile as `draw` draws it.
fn write_tiles(map: &Map, stdout: &mut dyn Write, draw: impl Fn(Cell, u8) -> u8) -> io::Result<()> {
    let mut text = Vec::new();
    for (page, tiles) in map.tiles().chunks(PAGE).enumerate() {
        text.clear();
        text.extend((page * PAGE..).zip(tiles).map(|(cell, &tile)| draw(cell as Cell, tile)));
        stdout.write_all(&text)?;
    }
    Ok(())
}
