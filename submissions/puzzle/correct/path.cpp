// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
#include "path.h"

#include "rules.h"
#include "search.h"

namespace {

bool isFirst(State state, const Map& map) {
    return state == initialState(map);
}

/// The state from which a state was discovered.
State previous(const Map& map, State state, Mark arrival) {
    if (arrival.kind() == Mark::Kind::pressed) {
        return {state.place, arrival.colorBefore()};
    }
    return {*map.neighbor(state.place, opposite(arrival.direction())), state.color};
}

} // namespace

void markPath(const Map& map, State target, Discoveries& discoveries) {
    State state = target;
    Mark arrival = discoveries.at(target);
    while (!isFirst(state, map)) {
        const State before = previous(map, state, arrival);
        const bool isPress = arrival.kind() == Mark::Kind::pressed;
        const Mark onward = isPress ? Mark::presses() : Mark::leaves(arrival.direction());
        // Its arrival is needed once more, and the next line overwrites it.
        arrival = discoveries.at(before);
        discoveries.mark(before, onward);
        state = before;
    }
}

std::optional<State> nextOnPath(const Map& map, State state, const Discoveries& discoveries) {
    const Mark mark = discoveries.at(state);
    switch (mark.kind()) {
    case Mark::Kind::leaves:
        return State{*map.neighbor(state.place, mark.direction()), state.color};
    case Mark::Kind::presses:
        return State{state.place, *buttonColor(map.at(state.place))};
    default:
        return std::nullopt;
    }
}
