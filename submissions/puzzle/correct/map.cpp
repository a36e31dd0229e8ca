// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
#include "map.h"

#include <utility>

Map::Map(Header header, std::string tiles, Place start, Place target)
    : header_{header}, tiles_{std::move(tiles)}, start_{start}, target_{target} {}
