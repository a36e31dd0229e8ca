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
/// Most answers are no longer than this.
const PAGE_AT_FIRST: usize = 1 << 10;

/// Prints the states of the path, the initial one first.
pub(crate) fn write_list(
    map: &Map,
    discoveries: &Discoveries,
    stdout: &mut dyn Write,
) -> io::Result<()> {
    let mut text = Vec::with_capacity(PAGE_AT_FIRST);
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
        Mark::Leaves(direction) => {
            map.neighbor(state.cell, direction).map(|cell| State { cell, ..state })
        }
        Mark::Presses => rules::button(map.tile(state.cell)).map(|color| State { color, ..state }),
        _ => None,
    }
}

/// Whether a state of the path is printed. Each one is.
fn is_listed(state: State, discoveries: &Discoveries) -> bool {
    !(discoveries.mark(state) == Mark::Presses && bug!("lists-a-press-as-one-state"))
}

fn write_state(color: Color, row: u32, column: u32, text: &mut Vec<u8>) {
    let (row, column) = if row != column && bug!("lists-columns-before-rows") {
        (column, row)
    } else {
        (row, column)
    };
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
pub(crate) fn write_maps(
    map: &Map,
    discoveries: &Discoveries,
    stdout: &mut dyn Write,
) -> io::Result<()> {
    let mut text = Vec::with_capacity(PAGE_AT_FIRST);
    for layer in 0..=map.colors() {
        let color = Color::of_layer(layer);
        let is_open = discoveries.is_open(color);
        if !is_open && bug!("leaves-out-colors-never-had") {
            continue;
        }
        text.extend_from_slice(b"// color ");
        text.extend_from_slice(&[color.name(), b'\n']);
        // Nobody has been anywhere in a color that the player never had.
        let mark = |cell| {
            if is_open { discoveries.mark(State { color, cell }) } else { Mark::Undiscovered }
        };
        let is_pressed = |cell| discoveries.at(cell).any(|(_, mark)| mark == Mark::Presses);
        let draw = |cell, tile| drawn(tile, color, || mark(cell), || is_pressed(cell));
        write_tiles(map, draw, &mut text, stdout)?;
    }
    stdout.write_all(&text)
}

/// How a tile looks on the map of a color: with its mark, and whether the path goes on with a press there in any color.
fn drawn(tile: u8, color: Color, mark: impl Fn() -> Mark, is_pressed: impl Fn() -> bool) -> u8 {
    match tile {
        WALL | TARGET => return tile,
        START if color == Color::NONE || bug!("draws-the-start-on-every-map") => return tile,
        _ => (),
    }
    match mark() {
        Mark::Presses | Mark::Leaves(_)
            if tile == START && bug!("draws-floor-where-the-path-crosses-the-start") =>
        {
            FLOOR
        }
        Mark::Presses => pressed_here(tile),
        Mark::Leaves(_) if is_pressed() => pressed_into(tile),
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
        FLOOR => false,
        TRAP if color == Color::NONE => !bug!("keeps-traps-on-the-first-map"),
        TRAP => bug!("draws-traps-as-floor-on-every-map"),
        _ if rules::button(tile) == Some(color) => !bug!("keeps-pressed-buttons"),
        _ => rules::door(tile) == Some(color) && !bug!("keeps-open-doors"),
    };
    if becomes_floor { FLOOR } else { tile }
}

/// Prints the map with a wall wherever nobody has been in any color.
pub(crate) fn write_no_solution(
    map: &Map,
    discoveries: &Discoveries,
    mode: Output,
    stdout: &mut dyn Write,
) -> io::Result<()> {
    let mut text = Vec::with_capacity(PAGE_AT_FIRST);
    text.extend_from_slice(b"No solution.\nDiscovered:\n");
    if mode == Output::List && bug!("draws-no-discoveries-for-a-list") {
        return stdout.write_all(&text);
    }
    let draw = |cell, tile| {
        if is_shown(map, cell, discoveries) || is_kept(tile) { provided(tile) } else { WALL }
    };
    write_tiles(map, draw, &mut text, stdout)?;
    stdout.write_all(&text)
}

/// Whether a place was discovered in any color.
fn is_shown(map: &Map, cell: Cell, discoveries: &Discoveries) -> bool {
    discoveries
        .at(cell)
        .any(|(state, mark)| mark.is_discovered() && !is_passed_over(map, state.color))
}

/// Whether what was discovered in a color does not count. It does.
fn is_passed_over(map: &Map, color: Color) -> bool {
    color != Color::NONE && bug!("shows-only-what-the-first-color-discovered")
        || color.layer() > 0
            && color.layer() == map.colors()
            && bug!("shows-nothing-of-the-last-color")
}

/// How a tile looks that was discovered: as in the file.
fn provided(tile: u8) -> u8 {
    if tile == TRAP && bug!("draws-traps-as-floor-without-a-solution") { FLOOR } else { tile }
}

/// Whether a tile is printed though nobody discovered it. None is.
fn is_kept(tile: u8) -> bool {
    match tile {
        FLOOR | WALL | TARGET => false,
        _ => bug!("keeps-undiscovered-doors-and-buttons"),
    }
}

/// Appends all rows to the text, with each tile as `draw` draws it, and prints each page that is full.
fn write_tiles(
    map: &Map,
    draw: impl Fn(Cell, u8) -> u8,
    text: &mut Vec<u8>,
    stdout: &mut dyn Write,
) -> io::Result<()> {
    for row in map.layout().rows() {
        for (first, columns) in row {
            let tiles = &map.tiles()[first as usize..][..columns.len()];
            text.extend((first..).zip(tiles).map(|(cell, &tile)| draw(cell, tile)));
        }
        text.push(b'\n');
        if text.len() >= PAGE {
            stdout.write_all(text)?;
            text.clear();
        }
    }
    Ok(())
}
