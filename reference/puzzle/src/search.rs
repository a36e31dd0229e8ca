//! The search itself: takes states from the container and investigates them until the target is discovered. Prints nothing, and
//! leaves to others what a rule says and how discoveries are kept.

use crate::container::{Container, Kind};
use crate::discoveries::{Discoveries, Mark};
use crate::map::Map;
use crate::rules::{self, TRAP};
use crate::state::{Cell, Color, State};
use subject::{bug, tick};

/// Discovers states until one of them is at the target, and returns that one. Returns none if there is no way to the target.
pub(crate) fn search(map: &Map, kind: Kind, discoveries: &mut Discoveries) -> Option<State> {
    let mut container = Container::new(kind, map.layout().stride());
    let initial = initial_state(map);
    discoveries.open_layer(initial.color, map);
    discoveries.discover(initial, Mark::Placed);
    container.put(initial);
    while let Some(current) = container.take() {
        tick!();
        if bug!("marks-as-discovered-when-taken") {
            discoveries.note_press(current);
        }
        if current.cell == map.target() && bug!("tests-for-the-target-when-taken") {
            return Some(current);
        }
        if let Some(target) = investigate(map, current, discoveries, &mut container) {
            return Some(target);
        }
    }
    None
}

/// The player at the start, before any button is pressed.
pub(crate) fn initial_state(map: &Map) -> State {
    State { color: Color::NONE, cell: map.start() }
}

/// Discovers the states that are one action away, and returns the one at the target if it is among them.
#[inline]
fn investigate(
    map: &Map,
    current: State,
    discoveries: &mut Discoveries,
    container: &mut Container,
) -> Option<State> {
    if let Some(button) = active_button(map, current, discoveries) {
        discoveries.open_layer(button, map);
        let is_new = press(current, button, discoveries, container);
        if !may_walk_on(button, is_new) {
            return None;
        }
    }
    for direction in rules::discovery_order() {
        let Some(cell) = map.neighbor(current.cell, direction) else { continue };
        let next = State { cell, ..current };
        if map.colors() > 0 && is_known_elsewhere(map, cell, discoveries) {
            continue;
        }
        if discoveries.discover(next, Mark::Walked(direction)) {
            if cell == map.target() && !is_overlooked(map, current) {
                return Some(next);
            }
            container.put(next);
        }
    }
    None
}

/// The color that the button under the player changes to, if the button is active.
fn active_button(map: &Map, current: State, discoveries: &Discoveries) -> Option<Color> {
    let tile = map.tile(current.cell);
    match rules::active_button(tile, current.color) {
        Some(button) => (!is_ignored(map, tile)).then_some(button),
        None if rules::button(tile) == Some(current.color) => second_press(current, discoveries),
        None => None,
    }
}

/// Whether an active button is not pressed, since nothing on the map would change. None is ignored.
fn is_ignored(map: &Map, button: u8) -> bool {
    match button {
        TRAP => {
            bug!("ignores-traps-without-doors") && !map.tiles().iter().any(u8::is_ascii_uppercase)
        }
        _ => {
            bug!("ignores-buttons-without-doors")
                && !map.tiles().contains(&button.to_ascii_uppercase())
        }
    }
}

/// What a button of the player's own color changes it to. It is inactive, so nothing.
fn second_press(current: State, discoveries: &Discoveries) -> Option<Color> {
    let is_active = match current.color {
        Color::NONE => bug!("traps-begin-active"),
        _ => {
            bug!("only-the-pressed-button-becomes-inactive")
                && discoveries.mark(current) != Mark::Placed
        }
    };
    is_active.then_some(current.color)
}

/// Whether the player may walk on from an active button, after a press that discovered a new state or none. Never.
fn may_walk_on(button: Color, is_new: bool) -> bool {
    bug!("walks-on-from-active-buttons")
        || button == Color::NONE && bug!("walks-on-from-active-traps")
        || !is_new && bug!("walks-on-after-a-useless-press")
}

/// Whether a place is passed over since it was discovered in another color. None is.
fn is_known_elsewhere(map: &Map, cell: Cell, discoveries: &Discoveries) -> bool {
    (bug!("discovers-a-place-in-one-color-only")
        || map.tile(cell) == TRAP && bug!("discovers-traps-in-one-color-only"))
        && discoveries.at(cell).any(|(_, mark)| mark.is_discovered())
}

/// Whether the target goes unnoticed when it is discovered from here. It does not.
fn is_overlooked(map: &Map, current: State) -> bool {
    current == initial_state(map) && bug!("overlooks-the-target-beside-the-start")
        || bug!("tests-for-the-target-when-taken")
}

/// Discovers the state that the press of a button leads to, and returns whether it is new.
fn press(
    current: State,
    button: Color,
    discoveries: &mut Discoveries,
    container: &mut Container,
) -> bool {
    let pressed = State { color: button, ..current };
    let is_new = discoveries.discover(pressed, Mark::Placed);
    if is_new {
        discoveries.note_press(current);
        container.put(pressed);
    } else if bug!("gives-up-after-a-useless-press") {
        while container.take().is_some() {}
    } else if bug!("overwrites-the-backtrace-by-a-useless-press") {
        discoveries.set(pressed, Mark::Placed);
        discoveries.note_press(current);
    }
    is_new
}
