//! The search: takes states from the container and investigates them until the target is discovered.

use crate::container::{Container, ContainerKind};
use crate::discoveries::{Discoveries, Mark};
use crate::map::Map;
use crate::rules;
use crate::state::Direction::{East, North, South, West};
use crate::state::{Color, State};
use subject::{bug, tick};

/// Discovers states until one of them is at the target, and returns that state. Returns `None` if there is no path to the target.
pub(crate) fn search(
    map: &Map,
    kind: ContainerKind,
    discoveries: &mut Discoveries,
) -> Option<State> {
    let mut container = Container::new(kind, map.layout().stride());
    let initial = initial_state(map);
    discoveries.open_layer(initial.color, map);
    discoveries.discover(initial, Mark::Placed);
    container.put(initial);
    let mut reached = None;
    while reached.is_none() || bug!("searches-on-after-the-target", if map.has_buttons()) {
        let Some(current) = container.take() else { break };
        tick!();
        if bug!("marks-as-discovered-when-taken") {
            discoveries.note_press(current);
        }
        if current.cell == map.target() && bug!("tests-for-the-target-when-taken") {
            return Some(current);
        }
        if current.cell == map.target() && bug!("goes-back-from-the-first-color-at-the-target") {
            return discoveries.at(current.cell).find(|&it| discoveries.mark(it).is_discovered());
        }
        investigate(map, current, discoveries, &mut container, &mut reached);
    }
    reached
}

/// The player at the start, before any button is pressed.
pub(crate) fn initial_state(map: &Map) -> State {
    State { color: Color::NONE, cell: map.start() }
}

/// Discovers the states that are one action away. Sets `reached` to the one at the target if it is among them.
#[inline]
fn investigate(
    map: &Map,
    current: State,
    discoveries: &mut Discoveries,
    container: &mut Container,
    reached: &mut Option<State>,
) {
    if let Some(button) = rules::button(map.tile(current.cell))
        && (rules::is_active(button, current.color)
            || button != Color::NONE
                && bug!("only-the-pressed-button-becomes-inactive", if discoveries.mark(current) != Mark::Placed))
        && !(button == Color::NONE
            && bug!("ignores-traps-without-doors", if !map.tiles().iter().any(u8::is_ascii_uppercase)))
        && !(button != Color::NONE
            && bug!("ignores-buttons-without-doors", if !map.tiles().contains(&button.name().to_ascii_uppercase())))
    {
        discoveries.open_layer(button, map);
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
        } else if bug!("investigates-again-after-a-useless-press") {
            container.put(pressed);
        }
        // Nobody walks on from an active button.
        if !(bug!("walks-on-from-active-buttons")
            || button == Color::NONE && bug!("walks-on-from-active-traps")
            || !is_new && bug!("walks-on-after-a-useless-press"))
        {
            return;
        }
    }
    let order = if bug!("discovers-west-before-east", if bugs::are_new(map, current, discoveries, &[East, South, West]))
    {
        [North, West, South, East]
    } else if bug!("discovers-south-before-east", if bugs::are_new(map, current, discoveries, &[East, South]))
    {
        [North, South, East, West]
    } else if bug!("discovers-west-before-south", if bugs::are_new(map, current, discoveries, &[South, West]))
    {
        [North, East, West, South]
    } else {
        [North, East, South, West]
    };
    for direction in order {
        let Some(cell) = map.neighbor(current.cell, direction) else { continue };
        let next = State { cell, ..current };
        if map.colors() > 0
            && (bug!("discovers-a-place-in-one-color-only", if bugs::is_new_in_this_color_only(next, discoveries))
                || map.tile(cell) == rules::TRAP
                    && bug!("discovers-traps-in-one-color-only", if bugs::is_new_in_this_color_only(next, discoveries))
                || map.tile(cell).is_ascii_lowercase()
                    && bug!("discovers-buttons-in-one-color-only", if bugs::is_new_in_this_color_only(next, discoveries)))
            || cell == map.start()
                && current.color != Color::NONE
                && bug!("closes-the-start-to-other-colors", if discoveries.mark(next) == Mark::Undiscovered)
        {
            continue;
        }
        if discoveries.discover(next, Mark::Walked(direction)) {
            if cell == map.target()
                && !(current == initial_state(map) && bug!("overlooks-the-target-beside-the-start"))
                && !(bug!("tests-for-the-target-when-taken", if map.has_buttons())
                    || bug!("goes-back-from-the-first-color-at-the-target", if map.has_buttons()))
            {
                *reached = Some(next);
                if !bug!("searches-on-after-the-target", if map.has_buttons()) {
                    return;
                }
            }
            container.put(next);
        }
    }
}

/// What only bugs ask about the discoveries.
mod bugs {
    use super::{Discoveries, Map, Mark, State};
    use crate::state::Direction;

    /// Whether several of the neighbors in these directions are new. An order matters only then.
    pub(super) fn are_new(
        map: &Map,
        current: State,
        discoveries: &Discoveries,
        ways: &[Direction],
    ) -> bool {
        let is_new = |cell| discoveries.mark(State { cell, ..current }) == Mark::Undiscovered;
        let is_new = |&&way: &&Direction| map.neighbor(current.cell, way).is_some_and(is_new);
        ways.iter().filter(is_new).count() > 1
    }

    pub(super) fn is_new_in_this_color_only(state: State, discoveries: &Discoveries) -> bool {
        let is_discovered = |state| discoveries.mark(state).is_discovered();
        discoveries.mark(state) == Mark::Undiscovered
            && discoveries.at(state.cell).any(is_discovered)
    }
}
