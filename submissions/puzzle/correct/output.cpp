// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
#include "output.h"

#include "path.h"
#include "rules.h"
#include "search.h"

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
    out << row << ", " << column;
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
    if (tile == tile::start && (color_ == noColor)) {
        return tile;
    }
    return discoveries_.at({place, color_}).isOnPath() ? onPathAt(place) : offPath(tile);
}

char Drawing::onPathAt(Place place) const {
    if (discoveries_.at({place, color_}).kind() == Mark::Kind::presses) {
        return pressedHere;
    }
    if (isPressed(place)) {
        return pressedInto;
    }
    return onPath;
}

/// Open doors and inactive buttons look like floor.
char Drawing::offPath(char tile) const {
    const bool isInactive = buttonColor(tile) == color_;
    const bool isOpenDoor = doorColor(tile) == color_;
    const bool becomesFloor = tile == tile::start || isInactive || isOpenDoor;
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
        printState(*state, out);
        state = nextOnPath(map, *state, discoveries);
    }
}

void printMaps(const Map& map, const Discoveries& discoveries, std::ostream& out) {
    for (Color color = noColor; color <= map.colors(); ++color) {
        out << "// color " << nameOf(color) << '\n';
        const Drawing drawing{map, discoveries, color};
        printTiles(map, out, [&](Place place) { return drawing.at(place); });
    }
}

void printDiscoveredPlaces(const Map& map, const Discoveries& discoveries, std::ostream& out) {
    printTiles(map, out, [&](Place place) {
        const char tile = map.at(place);
        const bool isShown = discoveries.isDiscoveredInAnyColor(place);
        if (isShown) {
            return tile;
        }
        return tile::wall;
    });
}
