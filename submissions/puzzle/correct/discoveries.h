// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
// Which states are discovered, how the player came to each, and how the path goes on from it.
#pragma once

#include "map.h"
#include "state.h"

#include <vector>

/// What is known of a state, in one byte.
class Mark {
public:
    enum class Kind : std::uint8_t {
        undiscovered,
        initial, // discovered, before the player did anything
        walked,  // discovered by a step
        pressed, // discovered by a press
        leaves,  // on the path, which goes on with a step
        presses, // on the path, which goes on with a press
    };

    constexpr Mark() : Mark{Kind::undiscovered, std::uint8_t{0}} {}

    static constexpr Mark initial() { return {Kind::initial, 0}; }
    static constexpr Mark walked(Direction direction) { return {Kind::walked, direction}; }
    static constexpr Mark pressed(Color before) { return {Kind::pressed, before}; }
    static constexpr Mark leaves(Direction direction) { return {Kind::leaves, direction}; }
    static constexpr Mark presses() { return {Kind::presses, 0}; }

    constexpr Kind kind() const { return kind_; }
    constexpr bool isDiscovered() const { return kind_ != Kind::undiscovered; }
    constexpr bool isOnPath() const { return kind_ == Kind::leaves || kind_ == Kind::presses; }

    /// The direction of the step, if the mark is of a step.
    constexpr Direction direction() const { return static_cast<Direction>(detail_); }

    /// The player's color before the press, if the state was discovered by a press.
    constexpr Color colorBefore() const { return detail_; }

private:
    constexpr Mark(Kind kind, std::uint8_t detail) : kind_{kind}, detail_(detail & 31) {}
    constexpr Mark(Kind kind, Direction direction)
        : Mark{kind, static_cast<std::uint8_t>(direction)} {}

    Kind kind_ : 3;
    std::uint8_t detail_ : 5;
};

class Discoveries {
public:
    /// No state of the map is discovered.
    explicit Discoveries(const Map& map);

    Mark at(State state) const;

    /// Marks a state unless it is already discovered. Returns whether it is new.
    bool discover(State state, Mark mark);

    /// Marks a state that is already discovered.
    void mark(State state, Mark mark);

    bool isDiscoveredInAnyColor(Place place) const;

    /// Whether the player ever had the color.
    bool everHad(Color color) const { return !layers_[color].empty(); }

private:
    const Map& map_;
    /// For each color, the marks of all places. A layer is empty until the player gets its color,
    /// because a large map may have more layers than fit into memory.
    std::vector<std::vector<Mark>> layers_;
};

inline bool Discoveries::discover(State state, Mark mark) {
    auto& layer = layers_[state.color];
    if (layer.empty()) {
        layer.resize(map_.size());
    }
    Mark& known = layer[map_.indexOf(state.place)];
    if (known.isDiscovered()) {
        return false;
    }
    known = mark;
    return true;
}
