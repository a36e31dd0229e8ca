//! The way back from the target to the start. Finds the path among the discoveries, and leaves it marked there.

use crate::discoveries::{Discoveries, Mark};
use crate::map::Map;
use crate::search::initial_state;
use crate::state::State;
use subject::tick;

/// Walks back from the target, and marks each state before it with how the path goes on.
pub(crate) fn mark_path(map: &Map, target: State, discoveries: &mut Discoveries) {
    let initial = initial_state(map);
    let (mut state, mut arrival) = (target, discoveries.mark(target));
    while state != initial {
        tick!();
        let (before, onward) = before(map, state, arrival, discoveries);
        arrival = discoveries.mark(before);
        discoveries.set(before, onward);
        state = before;
    }
}

/// The state from which another one was discovered, and how the path leaves it.
fn before(map: &Map, state: State, arrival: Mark, discoveries: &Discoveries) -> (State, Mark) {
    if let Mark::Walked(direction) | Mark::WalkedAndPressed(direction) = arrival {
        let cell = map.neighbor(state.cell, direction.reverse()).expect("a step within the map has a way back");
        return (State { cell, ..state }, Mark::Leaves(direction));
    }
    let presser = discoveries.at(state.cell).find(|(_, mark)| matches!(mark, Mark::WalkedAndPressed(_)));
    let (presser, _) = presser.expect("who did not walk to a place came by a press there");
    (presser, Mark::Presses)
}
