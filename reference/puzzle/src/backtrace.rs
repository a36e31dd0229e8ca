//! The way back from the target to the start. It finds the path among the discoveries and marks it there.

use crate::discoveries::{Discoveries, Mark};
use crate::map::Map;
use crate::search::initial_state;
use crate::state::{Color, State};
use subject::{Cycles, bug, tick};

/// Walks back from the target and marks each earlier state of the path with the action that follows it.
pub(crate) fn mark_path(map: &Map, target: State, discoveries: &mut Discoveries) {
    let initial = initial_state(map);
    let (mut state, mut arrival) = (target, discoveries.mark(target));
    let mut cycles = Cycles::default();
    while state != initial
        && !(state.cell == initial.cell && bug!("stops-the-backtrace-at-the-start-in-any-color"))
        && !((state.color, arrival) == (Color::NONE, Mark::Placed)
            && bug!("stops-the-backtrace-at-a-trap"))
    {
        tick!(cycles, (state, arrival), discoveries);
        let (before, onward) = before(map, state, arrival, discoveries);
        arrival = discoveries.mark(before);
        discoveries.set(before, onward);
        state = before;
    }
}

/// The state from which `state` was discovered, and the mark for how the path leaves it.
fn before(map: &Map, state: State, arrival: Mark, discoveries: &Discoveries) -> (State, Mark) {
    if let Mark::Walked(direction) | Mark::WalkedAndPressed(direction) = arrival {
        return (
            State { cell: map.origin(state.cell, direction), ..state },
            Mark::Leaves(direction),
        );
    }
    (presser(state, discoveries), Mark::Presses)
}

/// The state from which a press led to `state`.
fn presser(state: State, discoveries: &Discoveries) -> State {
    let others = || discoveries.at(state.cell).filter(|other| other.color != state.color);
    let pressed = |mark| matches!(mark, Mark::WalkedAndPressed(_));
    let presser = others().find(|&other| pressed(discoveries.mark(other)));
    let in_no_color = State { color: Color::NONE, ..state };
    if state.color != Color::NONE
        && presser != Some(in_no_color)
        && bug!("takes-every-press-for-the-first")
    {
        return in_no_color;
    }
    let discovered = || others().find(|&other| discoveries.mark(other).is_discovered());
    let presser = if bug!("takes-any-color-for-the-presser", if discovered() != presser) {
        discovered()
    } else {
        presser
    };
    presser.expect("a state that was not walked to was reached by a press")
}
