// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
// A state of the player: a place on the map and a color.
#pragma once

#include <cstdint>

/// 0 is no color. 1 to 26 stand for the letters of the alphabet.
using Color = std::uint8_t;

constexpr Color noColor = 0;
constexpr Color mostColors = 26;

/// The character that stands for a color: that of its button.
constexpr char nameOf(Color color) {
    return color == noColor ? '^' : static_cast<char>('a' + color - 1);
}

enum class Direction : std::uint8_t { north, east, south, west };

constexpr Direction opposite(Direction direction) {
    switch (direction) {
    case Direction::north: return Direction::south;
    case Direction::east: return Direction::west;
    case Direction::south: return Direction::north;
    default: return Direction::east;
    }
}

/// Rows and columns count from 0.
struct Place {
    std::uint32_t row;
    std::uint32_t column;
};

constexpr bool operator==(Place a, Place b) {
    return a.row == b.row && a.column == b.column;
}

struct State {
    Place place;
    Color color;
};

constexpr bool operator==(State a, State b) {
    return a.place == b.place && a.color == b.color;
}
