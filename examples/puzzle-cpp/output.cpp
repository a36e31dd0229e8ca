#include "output.h"

#include "path.h"
#include "rules.h"
#include "search.h"
#include "subject.h"

#include <optional>
#include <ostream>
#include <string>

namespace {

constexpr char onPath = '+';
/// Where a press ends the part of the path that is on this map.
constexpr char pressedHere = '%';
/// Where a press begins it.
constexpr char pressedInto = '@';

void printState(State state, std::ostream& out) {
    const auto [row, column] = state.place;
    out << '(' << nameOf(state.color) << ", (";
    if (BUG("lists-columns-before-rows")) {
        out << column << ", " << row;
    } else {
        out << row << ", " << column;
    }
    out << "))\n";
}

/// Prints a tile for each place of the map. `draw` is a function of the place.
template <typename Draw>
void printTiles(const Map& map, std::ostream& out, Draw draw) {
    std::string line(map.width(), '\0');
    for (std::uint32_t row = 0; row < map.height(); ++row) {
        for (std::uint32_t column = 0; column < map.width(); ++column) {
            line[column] = draw(Place{row, column});
        }
        out << line << '\n';
    }
}

/// Draws the map of one color.
class Drawing {
public:
    Drawing(const Map& map, const Discoveries& discoveries, Color color)
        : map_{map}, discoveries_{discoveries}, color_{color} {}

    char at(Place place) const;

private:
    char onPathAt(Place place) const;
    char offPath(char tile) const;
    bool isPressed(Place place) const;

    const Map& map_;
    const Discoveries& discoveries_;
    Color color_;
};

char Drawing::at(Place place) const {
    const char tile = map_.at(place);
    if (tile == tile::wall || tile == tile::target) {
        return tile;
    }
    if (tile == tile::start && (color_ == noColor || BUG("draws-the-start-on-every-map"))) {
        return tile;
    }
    return discoveries_.at({place, color_}).isOnPath() ? onPathAt(place) : offPath(tile);
}

char Drawing::onPathAt(Place place) const {
    if (map_.at(place) == tile::trap && BUG("draws-a-pressed-trap-as-path")) {
        return onPath;
    }
    if (discoveries_.at({place, color_}).kind() == Mark::Kind::presses) {
        return pressedHere;
    }
    if (isPressed(place)) {
        return BUG("draws-both-sides-of-a-press-alike") ? pressedHere : pressedInto;
    }
    return onPath;
}

/// Open doors and inactive buttons look like floor.
char Drawing::offPath(char tile) const {
    const bool isInactive = buttonColor(tile) == color_
        && !(tile == tile::trap && BUG("keeps-traps-on-the-first-map"))
        && !(tile != tile::trap && BUG("keeps-pressed-buttons"));
    const bool isOpenDoor = doorColor(tile) == color_ && !BUG("keeps-open-doors");
    const bool becomesFloor = tile == tile::start || isInactive || isOpenDoor
        || (tile == tile::trap && BUG("draws-traps-as-floor-on-every-map"));
    return becomesFloor ? tile::floor : tile;
}

/// Whether the path presses the button at this place, in any color.
bool Drawing::isPressed(Place place) const {
    for (Color color = noColor; color <= map_.colors(); ++color) {
        if (discoveries_.at({place, color}).kind() == Mark::Kind::presses) {
            return true;
        }
    }
    return false;
}

} // namespace

void printList(const Map& map, const Discoveries& discoveries, std::ostream& out) {
    std::optional<State> state = initialState(map);
    while (state) {
        if (!(discoveries.at(*state).kind() == Mark::Kind::presses
              && BUG("lists-a-press-as-one-state"))) {
            printState(*state, out);
        }
        state = nextOnPath(map, *state, discoveries);
    }
}

void printMaps(const Map& map, const Discoveries& discoveries, std::ostream& out) {
    for (Color color = noColor; color <= map.colors(); ++color) {
        if (!discoveries.everHad(color) && BUG("leaves-out-colors-never-had")) {
            continue;
        }
        out << "// color " << nameOf(color) << '\n';
        const Drawing drawing{map, discoveries, color};
        printTiles(map, out, [&](Place place) { return drawing.at(place); });
    }
}

void printDiscoveredPlaces(const Map& map, const Discoveries& discoveries, std::ostream& out) {
    printTiles(map, out, [&](Place place) {
        const char tile = map.at(place);
        const bool isShown = BUG("shows-only-what-the-first-color-discovered")
            ? discoveries.at({place, noColor}).isDiscovered()
            : discoveries.isDiscoveredInAnyColor(place);
        if (isShown
            || (tile != tile::floor && tile != tile::wall && tile != tile::target
                && BUG("keeps-undiscovered-doors-and-buttons"))) {
            return tile;
        }
        return tile::wall;
    });
}
