// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
// The rules of the game: what each tile means to a player of a color.
#pragma once

#include "state.h"

#include <optional>

namespace tile {
constexpr char start = '@';
constexpr char target = '?';
constexpr char floor = '.';
constexpr char wall = '#';
constexpr char trap = '^';
} // namespace tile

/// Whether a map with this many colors may contain the tile any number of times.
bool isOrdinary(char tile, Color colors);

/// The color of a letter, counted from the first letter of its alphabet.
inline std::optional<Color> colorOf(char letter, char first) {
    if (letter < first || letter >= first + mostColors) {
        return std::nullopt;
    }
    return static_cast<Color>(letter - first + 1);
}

/// The color of a button. A trap is a button of no color.
inline std::optional<Color> buttonColor(char tile) {
    return tile == tile::trap ? noColor : colorOf(tile, 'a');
}

inline std::optional<Color> doorColor(char tile) {
    return colorOf(tile, 'A');
}

/// Whether a player of this color must press a button of that color.
inline bool isActive(Color button, Color player) {
    return button != player;
}

/// Whether a player of this color may step on the tile.
inline bool isOpen(char tile, Color player) {
    if (tile == tile::wall) {
        return false;
    }
    const auto door = doorColor(tile);
    return !door || *door == player;
}
