// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
#include "map.h"

#include <utility>

Map::Map(Header header, std::string tiles, Place start, Place target)
    : header_{header}, tiles_{std::move(tiles)}, start_{start}, target_{target} {}

std::optional<Place> Map::neighbor(Place place, Direction direction) const {
    // A step north of row 0 or west of column 0 wraps around to a number larger than any map.
    switch (direction) {
    case Direction::north: --place.row; break;
    case Direction::east: ++place.column; break;
    case Direction::south: ++place.row; break;
    case Direction::west: --place.column; break;
    }
    return contains(place) ? std::optional{place} : std::nullopt;
}
