//! The way back from the target to the start. Finds the path among the discoveries, and leaves it marked there.

use crate::discoveries::{Discoveries, Mark};
use crate::map::Map;
use crate::search::initial_state;
use crate::state::{Color, State};
use subject::{bug, tick};

/// Walks back from the target, and marks each state before it with how the path goes on.
pub(crate) fn mark_path(map: &Map, target: State, discoveries: &mut Discoveries) {
    let initial = initial_state(map);
    let (mut state, mut arrival) = (target, discoveries.mark(target));
    while state != initial && !is_taken_for_initial(state, initial) {
        tick!();
        let (before, onward) = before(map, state, arrival, discoveries);
        arrival = discoveries.mark(before);
        discoveries.set(before, onward);
        state = before;
    }
}

/// Whether some other state is taken for the one that the search began with. None is.
fn is_taken_for_initial(state: State, initial: State) -> bool {
    state.cell == initial.cell && bug!("stops-the-backtrace-at-the-start-in-any-color")
}

/// The state from which another one was discovered, and how the path leaves it.
fn before(map: &Map, state: State, arrival: Mark, discoveries: &Discoveries) -> (State, Mark) {
    if let Mark::Walked(direction) | Mark::WalkedAndPressed(direction) = arrival {
        return (
            State { cell: map.origin(state.cell, direction), ..state },
            Mark::Leaves(direction),
        );
    }
    (presser(state, discoveries), Mark::Presses)
}

/// The state from which a press led to another one.
fn presser(state: State, discoveries: &Discoveries) -> State {
    if state.color != Color::NONE && bug!("takes-every-press-for-the-first") {
        return State { color: Color::NONE, ..state };
    }
    let mut others = discoveries.at(state.cell).filter(|(other, _)| other.color != state.color);
    let presser = if bug!("takes-any-color-for-the-presser") {
        others.find(|(_, mark)| mark.is_discovered())
    } else {
        others.find(|(_, mark)| matches!(mark, Mark::WalkedAndPressed(_)))
    };
    presser.expect("who did not walk to a place came by a press there").0
}
