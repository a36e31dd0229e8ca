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

/// The color of a button. A trap is a button of no color.
std::optional<Color> buttonColor(char tile);

std::optional<Color> doorColor(char tile);

/// Whether a player of this color must press a button of that color.
bool isActive(Color button, Color player);

/// Whether a player of this color may step on the tile.
bool isOpen(char tile, Color player);
