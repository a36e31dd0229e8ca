//! The way back from the target to the start. It finds the path among the discoveries and marks it there.

use crate::discoveries::{Discoveries, Mark};
use crate::map::Map;
use crate::search::initial_state;
use crate::state::State;
use subject::{Cycles, bug, tick};

/// Walks back from the target and marks each earlier state of the path with the action that follows it.
pub(crate) fn mark_path(map: &Map, target: State, discoveries: &mut Discoveries) {
    let initial = initial_state(map);
    let (mut state, mut arrival) = (target, discoveries.mark(target));
    let mut cycles = Cycles::default();
    while state != initial
        && !(state.cell == initial.cell && bug!("stops-the-backtrace-at-the-start-in-any-color"))
        && !((state.color, arrival) == (crate::state::Color::NONE, Mark::Placed)
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
    let is_presser = |other: &State| {
        other.color != state.color && matches!(discoveries.mark(*other), Mark::WalkedAndPressed(_))
    };
    let presser = discoveries.at(state.cell).find(is_presser);
    if state.color != crate::state::Color::NONE
        && presser != Some(State { color: crate::state::Color::NONE, ..state })
        && bug!("takes-every-press-for-the-first")
    {
        return State { color: crate::state::Color::NONE, ..state };
    }
    if bug!("takes-any-color-for-the-presser", if bugs::any_other(state, discoveries) != presser) {
        return bugs::any_other(state, discoveries)
            .expect("a state that was not walked to was reached by a press");
    }
    presser.expect("a state that was not walked to was reached by a press")
}

/// What only bugs ask about the discoveries.
mod bugs {
    use super::{Discoveries, State};

    /// The first discovered state at the same place in another color.
    pub(super) fn any_other(state: State, discoveries: &Discoveries) -> Option<State> {
        let mut others = discoveries.at(state.cell).filter(|other| other.color != state.color);
        others.find(|&other| discoveries.mark(other).is_discovered())
    }
}
