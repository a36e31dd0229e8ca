//! The search itself: takes states from the container and investigates them until the target is discovered. Prints nothing, and
//! leaves to others what a rule says and how discoveries are kept.

use crate::container::{Container, Kind};
use crate::discoveries::{Discoveries, Mark};
use crate::map::Map;
use crate::rules;
use crate::state::{Color, State};
use subject::tick;

/// Discovers states until one of them is at the target, and returns that one. Returns none if there is no way to the target.
pub(crate) fn search(map: &Map, kind: Kind, discoveries: &mut Discoveries) -> Option<State> {
    let mut container = Container::new(kind, map.stride());
    let initial = initial_state(map);
    discoveries.open_layer(initial.color, map);
    discoveries.discover(initial, Mark::Placed);
    container.put(initial);
    while let Some(current) = container.take() {
        tick!();
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
fn investigate(map: &Map, current: State, discoveries: &mut Discoveries, container: &mut Container) -> Option<State> {
    if let Some(button) = rules::active_button(map.tile(current.cell), current.color) {
        discoveries.open_layer(button, map);
        press(current, button, discoveries, container);
        return None;
    }
    for direction in rules::discovery_order() {
        let Some(cell) = map.neighbor(current.cell, direction) else { continue };
        let next = State { cell, ..current };
        if discoveries.discover(next, Mark::Walked(direction)) {
            if cell == map.target() {
                return Some(next);
            }
            container.put(next);
        }
    }
    None
}

/// Discovers the state that the press of a button leads to.
fn press(current: State, button: Color, discoveries: &mut Discoveries, container: &mut Container) {
    let pressed = State { color: button, ..current };
    if discoveries.discover(pressed, Mark::Placed) {
        discoveries.note_press(current);
        container.put(pressed);
    }
}
