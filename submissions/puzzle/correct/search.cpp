// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
#include "search.h"

#include "container.h"
#include "rules.h"

#include <array>

namespace {

class Search {
public:
    Search(const Map& map, SearchOrder order, Discoveries& discoveries)
        : map_{map}, discoveries_{discoveries}, container_{order} {}

    std::optional<State> run();

private:
    std::optional<State> investigate(State current);
    bool press(Color button, State current);
    std::optional<State> walkOn(State current);
    bool mayDiscover(State next) const;
    bool endsAt(State next, State current) const;

    const Map& map_;
    Discoveries& discoveries_;
    Container container_;
};

std::optional<State> Search::run() {
    const State initial = initialState(map_);
    discoveries_.discover(initial, Mark::initial());
    container_.put(initial);
    while (!container_.isEmpty()) {
        const State current = container_.take();
        if (const auto target = investigate(current)) {
            return target;
        }
    }
    return std::nullopt;
}

/// Discovers the states that are one action away. Returns the one at the target, if there is one.
std::optional<State> Search::investigate(State current) {
    const auto button = buttonColor(map_.at(current.place));
    if (button && isActive(*button, current.color)) {
        press(*button, current);
        // The player cannot walk on from an active button.
        return std::nullopt;
    }
    return walkOn(current);
}

/// Returns whether the press discovers a state.
bool Search::press(Color button, State current) {
    const State next{current.place, button};
    if (discoveries_.discover(next, Mark::pressed(current.color))) {
        container_.put(next);
        return true;
    }
    return false;
}

std::array<Direction, 4> directions() {
    using D = Direction;
    return {D::north, D::east, D::south, D::west};
}

std::optional<State> Search::walkOn(State current) {
    for (const Direction direction : directions()) {
        const auto place = map_.neighbor(current.place, direction);
        if (!place) {
            continue;
        }
        const State next{*place, current.color};
        if (mayDiscover(next) && discoveries_.discover(next, Mark::walked(direction))) {
            if (endsAt(next, current)) {
                return next;
            }
            container_.put(next);
        }
    }
    return std::nullopt;
}

/// Whether the player can step there.
bool Search::mayDiscover(State next) const {
    return isOpen(map_.at(next.place), next.color);
}

bool Search::endsAt(State next, State current) const {
    return next.place == map_.target();
}

} // namespace

State initialState(const Map& map) {
    return {map.start(), noColor};
}

std::optional<State> search(const Map& map, SearchOrder order, Discoveries& discoveries) {
    return Search{map, order, discoveries}.run();
}
