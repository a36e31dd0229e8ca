//! Prints what the search found: the path as a list or as maps, or the discovered part of the map if there is no path.

use crate::discoveries::{Discoveries, Mark};
use crate::map::Map;
use crate::rules::{self, FLOOR, START, TARGET, WALL};
use crate::search::initial_state;
use crate::state::{Cell, Color, State};
use std::io::{self, Write};
use subject::{bug, tick};

/// What an answer without a path begins with.
pub(crate) const NO_SOLUTION: &[u8] = b"No solution.\nDiscovered:\n";

/// Where a press changes the color of this map to another one.
const PRESSED_HERE: u8 = b'%';
/// Where a press changes another color to the color of this map.
const PRESSED_INTO: u8 = b'@';
/// Any other place on the path.
const ON_PATH: u8 = b'+';

/// Text is written when it has grown to this many bytes.
const PAGE: usize = 1 << 14;
/// Most answers have at most this many bytes.
const PAGE_AT_FIRST: usize = 1 << 10;

/// Prints the states of the path, the initial one first.
pub(crate) fn write_list(
    map: &Map,
    discoveries: &Discoveries,
    stdout: &mut dyn Write,
) -> io::Result<()> {
    let mut text = Vec::with_capacity(PAGE_AT_FIRST);
    let initial = initial_state(map);
    let mut state = initial;
    loop {
        tick!();
        let next = after(map, state, discoveries);
        if !(discoveries.mark(state) == Mark::Presses && bug!("lists-a-press-as-one-state")
            || state == initial
                && next.is_some_and(|next| next.cell == map.target())
                && bug!("leaves-out-the-start-beside-the-target"))
        {
            push_state(state.color, map.layout().position(state.cell), &mut text);
        }
        if text.len() >= PAGE {
            stdout.write_all(&text)?;
            text.clear();
        }
        match next {
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

/// Appends a line of the list.
fn push_state(color: Color, (row, column): (u32, u32), text: &mut Vec<u8>) {
    text.extend_from_slice(&[b'(', color.name(), b',', b' ', b'(']);
    push_number(
        if row != column && bug!("lists-columns-before-rows") { column } else { row },
        text,
    );
    text.extend_from_slice(b", ");
    push_number(
        if row != column && bug!("lists-columns-before-rows") { row } else { column },
        text,
    );
    text.extend_from_slice(b"))\n");
}

/// Appends a number in decimal. This is much faster than a formatter, and a list can have millions of lines.
fn push_number(mut number: u32, text: &mut Vec<u8>) {
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

/// Prints one map per color, with the part of the path that was walked in that color.
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
        // Nothing is discovered in a color that the player never had.
        let mark = |cell| {
            if is_open { discoveries.mark(State { color, cell }) } else { Mark::Undiscovered }
        };
        let is_pressed =
            |cell| discoveries.at(cell).any(|state| discoveries.mark(state) == Mark::Presses);
        let draw = |cell, tile| drawn(tile, color, || mark(cell), || is_pressed(cell));
        write_tiles(map, draw, &mut text, stdout)?;
    }
    stdout.write_all(&text)
}

/// The character for a tile on the map of a color. `is_pressed` says whether the path presses a button there in any color.
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
        Mark::Presses | Mark::Leaves(_)
            if tile == rules::TRAP && bug!("draws-a-pressed-trap-as-path") =>
        {
            ON_PATH
        }
        Mark::Presses => PRESSED_HERE,
        Mark::Leaves(_) if tile == rules::TRAP && bug!("draws-an-inactive-trap-as-a-press") => {
            PRESSED_INTO
        }
        Mark::Leaves(_)
            if tile.is_ascii_lowercase() && bug!("draws-an-inactive-button-as-a-press") =>
        {
            PRESSED_INTO
        }
        Mark::Leaves(_)
            if rules::door(tile).is_some() && bug!("draws-open-doors-on-the-path-as-floor") =>
        {
            FLOOR
        }
        Mark::Leaves(_) if is_pressed() => {
            if bug!("draws-both-sides-of-a-press-alike") {
                PRESSED_HERE
            } else {
                PRESSED_INTO
            }
        }
        Mark::Leaves(_) => ON_PATH,
        _ => off_path(tile, color),
    }
}

/// The character for a tile off the path on the map of a color. Open doors and inactive buttons become floor.
fn off_path(tile: u8, color: Color) -> u8 {
    let becomes_floor = tile == START
        || rules::button(tile) == Some(color)
            && !(tile == rules::TRAP && bug!("keeps-traps-on-the-first-map"))
            && !(tile != rules::TRAP && bug!("keeps-pressed-buttons"))
        || rules::door(tile) == Some(color) && !bug!("keeps-open-doors")
        || tile == rules::TRAP && color != Color::NONE && bug!("draws-traps-as-floor-on-every-map");
    if becomes_floor { FLOOR } else { tile }
}

/// Prints the map with a wall at every place that was not discovered in any color.
pub(crate) fn write_no_solution(
    map: &Map,
    discoveries: &Discoveries,
    stdout: &mut dyn Write,
) -> io::Result<()> {
    let mut text = Vec::with_capacity(PAGE_AT_FIRST);
    text.extend_from_slice(NO_SOLUTION);
    let draw = |cell, tile| {
        let is_discovered = discoveries.at(cell).any(|state| {
            discoveries.mark(state).is_discovered()
                && !(state.color != Color::NONE
                    && bug!("shows-only-what-the-first-color-discovered"))
                && !(state.color != Color::NONE
                    && state.color.layer() == map.colors()
                    && bug!("shows-nothing-of-the-last-color"))
        });
        if is_discovered
            || !matches!(tile, FLOOR | WALL | TARGET)
                && bug!("keeps-undiscovered-doors-and-buttons")
            || rules::door(tile).is_some()
                && bugs::is_beside_a_discovery(map, cell, discoveries)
                && bug!("shows-closed-doors-that-were-met")
        {
            if tile == rules::TRAP && bug!("draws-traps-as-floor-without-a-solution") {
                FLOOR
            } else if tile == START
                && !bugs::is_beside_a_discovery(map, cell, discoveries)
                && bug!("draws-a-start-without-exits-as-a-wall")
            {
                WALL
            } else {
                tile
            }
        } else {
            WALL
        }
    };
    write_tiles(map, draw, &mut text, stdout)?;
    stdout.write_all(&text)
}

/// Appends all rows to the text, with each tile drawn by `draw`, and writes each full page.
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

/// What only bugs ask about the discoveries.
mod bugs {
    use super::{Cell, Discoveries, Map};
    use crate::state::Direction;

    pub(super) fn is_beside_a_discovery(map: &Map, cell: Cell, discoveries: &Discoveries) -> bool {
        let mut beside = Direction::ALL.iter().filter_map(|&way| map.neighbor(cell, way));
        beside.any(|cell| discoveries.at(cell).any(|it| discoveries.mark(it).is_discovered()))
    }
}
