// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
#include "rules.h"

namespace {

/// The color of a letter, counted from the first letter of its alphabet.
std::optional<Color> colorOf(char letter, char first) {
    if (letter < first || letter >= first + mostColors) {
        return std::nullopt;
    }
    return static_cast<Color>(letter - first + 1);
}

} // namespace

bool isOrdinary(char tile, Color colors) {
    if (tile == tile::trap) {
        return true;
    }
    if (tile == tile::floor || tile == tile::wall) {
        return true;
    }
    const auto color = tile >= 'a' ? colorOf(tile, 'a') : colorOf(tile, 'A');
    return color && *color <= colors;
}

std::optional<Color> buttonColor(char tile) {
    if (tile == tile::trap) {
        return noColor;
    }
    return colorOf(tile, 'a');
}

std::optional<Color> doorColor(char tile) {
    return colorOf(tile, 'A');
}

bool isActive(Color button, Color player) {
    return button != player;
}

bool isOpen(char tile, Color player) {
    if (tile == tile::wall) {
        return false;
    }
    const auto door = doorColor(tile);
    return !door || *door == player;
}
