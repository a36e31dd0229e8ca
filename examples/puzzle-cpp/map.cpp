#include "map.h"

#include "subject.h"

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
    if (place.column >= width() && BUG("wraps-round-the-sides")) {
        place = direction == Direction::east ? Place{place.row + 1, 0}
                                             : Place{place.row - 1, width() - 1};
    }
    return contains(place) ? std::optional{place} : std::nullopt;
}
