// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
// Reads a map and checks it.
#pragma once

#include "map.h"

#include <iosfwd>

/// Reads one map, to the end of the input. Throws a Problem at the first error.
Map readMap(std::istream& input);
