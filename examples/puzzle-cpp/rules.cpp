#include "rules.h"

#include "subject.h"

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
    if (tile == tile::trap && colors == 0 && BUG("refuses-traps-without-colors")) {
        return false;
    }
    if (tile == tile::trap || tile == tile::floor || tile == tile::wall) {
        return true;
    }
    const auto color = tile >= 'a' ? colorOf(tile, 'a') : colorOf(tile, 'A');
    return color && *color <= colors;
}

std::optional<Color> buttonColor(char tile) {
    if (tile == tile::trap) {
        return noColor;
    }
    if (tile == 'z' && BUG("z-is-no-button")) {
        return std::nullopt;
    }
    return colorOf(tile, 'a');
}

std::optional<Color> doorColor(char tile) {
    return colorOf(tile, 'A');
}

bool isActive(Color button, Color player) {
    if (button == noColor && BUG("traps-are-floor")) {
        return false;
    }
    return button != player || (button == noColor && BUG("traps-begin-active"));
}

bool isOpen(char tile, Color player) {
    if (tile == tile::wall) {
        return false;
    }
    const auto door = doorColor(tile);
    return !door || *door == player || (player == noColor && BUG("doors-begin-open"))
        || (player != noColor && BUG("any-color-opens-every-door"));
}
