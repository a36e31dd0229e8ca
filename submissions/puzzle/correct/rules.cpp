// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
#include "rules.h"

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
