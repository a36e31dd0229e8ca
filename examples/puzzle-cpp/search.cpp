#include "search.h"

#include "container.h"
#include "rules.h"
#include "subject.h"

#include <array>

namespace {

class Search {
public:
    Search(const Map& map, SearchOrder order, Discoveries& discoveries)
        : map_{map}, discoveries_{discoveries}, container_{order} {}

    std::optional<State> run();

private:
    std::optional<State> investigate(State current);
    void press(State pressed, Color before);
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
        if (current.place == map_.target() && BUG("tests-for-the-target-when-taken")) {
            return current;
        }
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
        const State pressed{current.place, *button};
        if (discoveries_.at(pressed).isDiscovered() && BUG("walks-on-after-a-useless-press")) {
            return walkOn(current);
        }
        press(pressed, current.color);
        // The player cannot walk on from an active button.
        if (!BUG("walks-on-from-active-buttons")) {
            return std::nullopt;
        }
    }
    return walkOn(current);
}

/// Discovers the state after a press.
void Search::press(State pressed, Color before) {
    if (discoveries_.discover(pressed, Mark::pressed(before))) {
        container_.put(pressed);
    } else if (BUG("gives-up-after-a-useless-press")) {
        container_.clear();
    }
}

std::array<Direction, 4> directions() {
    using D = Direction;
    if (BUG("discovers-west-before-east")) {
        return {D::north, D::west, D::south, D::east};
    }
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
    if (map_.colors() > 0 && BUG("discovers-a-place-in-one-color-only")
        && discoveries_.isDiscoveredInAnyColor(next.place)) {
        return false;
    }
    if (next.color != noColor && next.place == map_.start()
        && BUG("closes-the-start-to-other-colors")) {
        return false;
    }
    return isOpen(map_.at(next.place), next.color);
}

bool Search::endsAt(State next, State current) const {
    return next.place == map_.target() && !BUG("tests-for-the-target-when-taken")
        && !(current == initialState(map_) && BUG("overlooks-the-target-beside-the-start"));
}

} // namespace

State initialState(const Map& map) {
    return {map.start(), noColor};
}

std::optional<State> search(const Map& map, SearchOrder order, Discoveries& discoveries) {
    return Search{map, order, discoveries}.run();
}
