// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
// Prints what the search found.
#pragma once

#include "discoveries.h"
#include "map.h"

#include <iosfwd>

/// Prints the states of the path, one a line.
void printList(const Map& map, const Discoveries& discoveries, std::ostream& out);

/// Prints a map for each color, with the part of the path on which the player has this color.
void printMaps(const Map& map, const Discoveries& discoveries, std::ostream& out);

/// Prints the map with a wall in each place that was not discovered in any color.
void printDiscoveredPlaces(const Map& map, const Discoveries& discoveries, std::ostream& out);
