//! Prints what the search found: the path as a list or as maps, or what was discovered if there is no path. Changes nothing.

use crate::discoveries::{Discoveries, Mark};
use crate::map::Map;
use crate::options::Output;
use crate::rules::{self, FLOOR, START, TARGET, TRAP, WALL};
use crate::search::initial_state;
use crate::state::{Cell, Color, State};
use std::io::{self, Write};
use subject::{bug, tick};

/// Where the path leaves a color by a press.
const PRESSED_HERE: u8 = b'%';
/// Where the path comes into a color by a press.
const PRESSED_INTO: u8 = b'@';
/// Any other place on the path.
const ON_PATH: u8 = b'+';

/// How much text is gathered before it is written.
const PAGE: usize = 1 << 14;

/// Prints the states of the path, the initial one first.
pub(crate) fn write_list(map: &Map, discoveries: &Discoveries, stdout: &mut dyn Write) -> io::Result<()> {
    let mut text = Vec::new();
    let mut state = initial_state(map);
    loop {
        tick!();
        if is_listed(state, discoveries) {
            let (row, column) = map.layout().position(state.cell);
            write_state(state.color, row, column, &mut text);
        }
        if text.len() >= PAGE {
            stdout.write_all(&text)?;
            text.clear();
        }
        match after(map, state, discoveries) {
            Some(next) => state = next,
            None => return stdout.write_all(&text),
        }
    }
}

/// The state that follows on the path.
fn after(map: &Map, state: State, discoveries: &Discoveries) -> Option<State> {
    match discoveries.mark(state) {
        Mark::Leaves(direction) => map.neighbor(state.cell, direction).map(|cell| State { cell, ..state }),
        Mark::Presses => rules::button(map.tile(state.cell)).map(|color| State { color, ..state }),
        _ => None,
    }
}

/// Whether a state of the path is printed. Each one is.
fn is_listed(state: State, discoveries: &Discoveries) -> bool {
    !(discoveries.mark(state) == Mark::Presses && bug!("lists-a-press-as-one-state"))
}

fn write_state(color: Color, row: u32, column: u32, text: &mut Vec<u8>) {
    let (row, column) = if row != column && bug!("lists-columns-before-rows") { (column, row) } else { (row, column) };
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
        if !discoveries.is_open(color) && bug!("leaves-out-colors-never-had") {
            continue;
        }
        stdout.write_all(&[b"// color ", &[color.name()][..], b"\n"].concat())?;
        write_tiles(map, stdout, |cell, tile| drawn(tile, color, cell, discoveries))?;
    }
    Ok(())
}

/// How a tile looks on the map of a color.
fn drawn(tile: u8, color: Color, cell: Cell, discoveries: &Discoveries) -> u8 {
    match tile {
        WALL | TARGET => return tile,
        START if color == Color::NONE || bug!("draws-the-start-on-every-map") => return tile,
        _ => (),
    }
    match discoveries.mark(State { color, cell }) {
        Mark::Presses | Mark::Leaves(_) if tile == START && bug!("draws-floor-where-the-path-crosses-the-start") => FLOOR,
        Mark::Presses => pressed_here(tile),
        Mark::Leaves(_) if discoveries.at(cell).any(|(_, mark)| mark == Mark::Presses) => pressed_into(tile),
        Mark::Leaves(_) => ON_PATH,
        _ => off_path(tile, color),
    }
}

fn pressed_here(tile: u8) -> u8 {
    if tile == TRAP && bug!("draws-a-pressed-trap-as-path") { ON_PATH } else { PRESSED_HERE }
}

fn pressed_into(tile: u8) -> u8 {
    if tile == TRAP && bug!("draws-a-pressed-trap-as-path") {
        ON_PATH
    } else if bug!("draws-both-sides-of-a-press-alike") {
        PRESSED_HERE
    } else {
        PRESSED_INTO
    }
}

/// How a tile that is not on the path looks on the map of a color: what is open and passive there is floor.
fn off_path(tile: u8, color: Color) -> u8 {
    let becomes_floor = match tile {
        START => true,
        TRAP if color == Color::NONE => !bug!("keeps-traps-on-the-first-map"),
        TRAP => bug!("draws-traps-as-floor-on-every-map"),
        _ if rules::button(tile) == Some(color) => !bug!("keeps-pressed-buttons"),
        _ => rules::door(tile) == Some(color) && !bug!("keeps-open-doors"),
    };
    if becomes_floor { FLOOR } else { tile }
}

/// Prints the map with a wall wherever nobody has been in any color.
pub(crate) fn write_no_solution(map: &Map, discoveries: &Discoveries, mode: Output, stdout: &mut dyn Write) -> io::Result<()> {
    stdout.write_all(b"No solution.\nDiscovered:\n")?;
    if mode == Output::List && bug!("draws-no-discoveries-for-a-list") {
        return Ok(());
    }
    let draw = |cell, tile| if is_shown(map, cell, discoveries) || is_kept(tile) { tile } else { WALL };
    write_tiles(map, stdout, draw)
}

/// Whether a place was discovered in any color.
fn is_shown(map: &Map, cell: Cell, discoveries: &Discoveries) -> bool {
    discoveries.at(cell).any(|(state, mark)| mark.is_discovered() && !is_passed_over(map, state.color))
}

/// Whether what was discovered in a color does not count. It does.
fn is_passed_over(map: &Map, color: Color) -> bool {
    color != Color::NONE && bug!("shows-only-what-the-first-color-discovered")
        || color.layer() > 0 && color.layer() == map.colors() && bug!("shows-nothing-of-the-last-color")
}

/// Whether a tile is printed though nobody discovered it. None is.
fn is_kept(tile: u8) -> bool {
    match tile {
        TARGET => bug!("keeps-an-undiscovered-target"),
        FLOOR | WALL => false,
        _ => bug!("keeps-undiscovered-doors-and-buttons"),
    }
}

/// Prints all rows, with each tile as `draw` draws it.
fn write_tiles(map: &Map, stdout: &mut dyn Write, draw: impl Fn(Cell, u8) -> u8) -> io::Result<()> {
    let mut text = Vec::new();
    for row in map.layout().rows() {
        for (first, columns) in row {
            text.extend((first..).zip(&map.tiles()[first as usize..][..columns.len()]).map(|(cell, &tile)| draw(cell, tile)));
        }
        text.push(b'\n');
        if text.len() >= PAGE {
            stdout.write_all(&text)?;
            text.clear();
        }
    }
    stdout.write_all(&text)
}
