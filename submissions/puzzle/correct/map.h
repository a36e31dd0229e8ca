// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
// The map: its tiles, and which places are neighbors.
#pragma once

#include "state.h"

#include <cstddef>
#include <optional>
#include <string>

/// The first line of the input.
struct Header {
    Color colors;
    std::uint32_t height;
    std::uint32_t width;
};

class Map {
public:
    /// The tiles are given row by row, without line ends.
    Map(Header header, std::string tiles, Place start, Place target);

    Color colors() const { return header_.colors; }
    std::uint32_t height() const { return header_.height; }
    std::uint32_t width() const { return header_.width; }
    Place start() const { return start_; }
    Place target() const { return target_; }

    /// The number of tiles.
    std::size_t size() const { return tiles_.size(); }

    /// The number of a place, row by row from 0.
    std::size_t indexOf(Place place) const {
        return std::size_t{place.row} * header_.width + place.column;
    }

    char at(Place place) const { return tiles_[indexOf(place)]; }

    /// Where a step leads, unless it leads off the map.
    std::optional<Place> neighbor(Place place, Direction direction) const;

private:
    bool contains(Place place) const {
        return place.row < header_.height && place.column < header_.width;
    }

    Header header_;
    std::string tiles_;
    Place start_;
    Place target_;
};

inline std::optional<Place> Map::neighbor(Place place, Direction direction) const {
    // A step north of row 0 or west of column 0 wraps around to a number larger than any map.
    switch (direction) {
    case Direction::north: --place.row; break;
    case Direction::east: ++place.column; break;
    case Direction::south: ++place.row; break;
    case Direction::west: --place.column; break;
    }
    return contains(place) ? std::optional{place} : std::nullopt;
}
