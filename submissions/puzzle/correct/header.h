// Project Identifier: A8A3A33EF075ACEF9B08F5B9845569ECCB423725
// The first line of the input.
#pragma once

#include "map.h"

#include <string>

/// Reads the number of colors, the height and the width. Throws a Problem if one is out of range.
Header parseHeader(const std::string& line);
