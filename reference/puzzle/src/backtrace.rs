//! The way back from the target to the start. Finds the path among the discoveries, and leaves it marked there.

use crate::discoveries::{Discoveries, Mark};
use crate::map::Map;
use crate::search::initial_state;
use crate::state::State;
use subject::tick;

/// Walks back from the target, and marks each state of the path with how the path goes on from it.
pub(crate) fn mark_path(map: &Map, target: State, discoveries: &mut Discoveries) {
    let initial = initial_state(map);
    let (mut state, mut onward) = (target, Mark::Ends);
    loop {
        tick!();
        let arrival = discoveries.mark(state);
        discoveries.set(state, onward);
        if state == initial {
            return;
        }
        (state, onward) = before(map, state, arrival, discoveries);
    }
}

/// The state from which another one was discovered, and how the path leaves it.
fn before(map: &Map, state: State, arrival: Mark, discoveries: &Discoveries) -> (State, Mark) {
    match arrival {
        Mark::Walked(direction) | Mark::WalkedAndPressed(direction) => {
            (State { cell: map.neighbor(state.cell, direction.reverse()), ..state }, Mark::Leaves(direction))
        }
        _ => {
            let presser = discoveries.at(state.cell).find(|(_, mark)| matches!(mark, Mark::WalkedAndPressed(_)));
            let (presser, _) = presser.expect("who was not at the start and did not walk there came by a press");
            (presser, Mark::Presses)
        }
    }
}
