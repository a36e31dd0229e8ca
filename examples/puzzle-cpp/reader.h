// Reads a map and checks it.
#pragma once

#include "map.h"

#include <iosfwd>

/// Reads one map, to the end of the input. Throws a Problem at the first error.
Map readMap(std::istream& input);
